"""Every failure is told as JSON with one clear sentence; nothing was changed."""

from __future__ import annotations

import logging

from flask import Flask, Response, jsonify
from werkzeug.exceptions import HTTPException

from scorer.errors import BusyError, EventError, GameError, IllegalTurnError
from scorer.journal_errors import JournalError, StaleEdit, UnknownGameError
from webui.access import table
from webui.table import SetupError

logger = logging.getLogger(__name__)

_CODES = {404: "not_found", 413: "too_large", 421: "other_name", 423: "locked"}
LONGEST_SENTENCE = 300
"""What was sent is told back in some sentences; nobody wants to read all of it again."""
_STORAGE_CODES = {"disk_full", "read_only", "no_access", "disk_error", "busy", "damaged"}

RETRY_AFTER_S = 5


def init_app(app: Flask) -> None:
    """Add the handlers to an application."""
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(EventError, _bad)
    app.register_error_handler(GameError, _refused)
    app.register_error_handler(JournalError, _journal)
    app.register_error_handler(SetupError, _not_set_up)
    app.register_error_handler(Exception, _unexpected)


def problem(status: int, sentence: str, code: str, **more: object) -> tuple[Response, int]:
    """The one shape of all errors: one line, whatever was told back in it."""
    sentence = " ".join(sentence.split())
    if len(sentence) > LONGEST_SENTENCE:
        sentence = f"{sentence[: LONGEST_SENTENCE - 1]}…"
    return jsonify(error=sentence, code=code, **more), status


def _http(error: HTTPException) -> tuple[Response, int]:
    status = error.code or 500
    code = _CODES.get(status, "bad_request")
    answer, status = problem(status, error.description or error.name, code)
    for name, value in error.get_headers():
        if name in ("Allow", "Retry-After"):
            answer.headers[name] = value
    return answer, status


def _bad(error: EventError) -> tuple[Response, int]:
    return problem(400, str(error), "bad_request")


def _refused(error: GameError) -> tuple[Response, int]:
    if isinstance(error, BusyError):
        return _later(str(error), "busy")
    if not isinstance(error, IllegalTurnError):
        return problem(409, str(error), "refused")
    broken = [
        {"code": each.code, "cells": each.cells, "params": dict(each.params)}
        for each in error.violations
    ]
    return problem(422, str(error), "illegal", violations=broken)


def _journal(error: JournalError) -> tuple[Response, int]:
    if isinstance(error, StaleEdit):
        return problem(409, str(error), "stale", state=table().state())
    if isinstance(error, UnknownGameError):
        return problem(404, str(error), "unknown_game")
    if error.code == "disk_hangs":
        return _later(str(error), error.code)
    if error.code in _STORAGE_CODES:
        return problem(507, str(error), error.code)
    return problem(409, str(error), error.code)


def _later(sentence: str, code: str) -> tuple[Response, int]:
    answer, status = problem(503, sentence, code)
    answer.headers["Retry-After"] = str(RETRY_AFTER_S)
    return answer, status


def _not_set_up(error: SetupError) -> tuple[Response, int]:
    more = {"values": error.values} if error.values else {}
    return problem(error.status, str(error), error.code, **more)


def _unexpected(error: Exception) -> tuple[Response, int]:
    logger.error("a request failed", exc_info=error)
    return problem(500, "something went wrong; it is in the log", "internal")
