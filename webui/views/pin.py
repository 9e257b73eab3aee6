"""The PIN: enter it, set or change it, take it away, lock a device again."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, jsonify, request

from webui.access import COOKIE, body, lock, visitor
from webui.errors import problem
from webui.lock import WrongPinError
from webui.pin_file import PinFileError
from webui.pin_tries import TooSoonError, seconds

blueprint = Blueprint("pin", __name__)

_A_YEAR_S = 365 * 24 * 3600


@blueprint.get("/api/pin")
def about() -> dict[str, Any]:
    """Whether there is a PIN, and whether this device may tap."""
    return _told(visitor().key)


@blueprint.post("/api/pin")
def change() -> Response:
    """Set the first PIN, or change it; this device stays in, all others are out."""
    given = body()
    old, new = _digits(given, "pin"), _digits(given, "new")
    try:
        key = lock().change(old, new, visitor())
    except ValueError as error:
        abort(400, str(error))
    return _with_key(key)


@blueprint.post("/api/pin/enter")
def enter() -> Response:
    """Let this device in."""
    return _with_key(lock().enter(_digits(body(), "pin"), visitor()))


@blueprint.post("/api/pin/remove")
def remove() -> dict[str, Any]:
    """Have no PIN any more."""
    lock().remove(_digits(body(), "pin"), visitor())
    return _told(None)


@blueprint.post("/api/pin/leave")
def leave() -> dict[str, Any]:
    """Lock this device again."""
    lock().leave(visitor().key)
    return _told(visitor().key)


def _told(key: str | None) -> dict[str, Any]:
    wait_s = seconds(lock().wait_s(visitor()))
    return {"is_set": lock().is_set, "is_open": lock().is_open(key), "wait_s": wait_s}


def _digits(given: dict[str, Any], name: str) -> str:
    value = given.get(name, "")
    if not isinstance(value, str):
        abort(400, f"{name} is a text of 4 to 8 digits")
    return value


def _with_key(key: str) -> Response:
    """Scripts cannot read the key, and other sites cannot make the browser send it."""
    answer = jsonify(_told(key))
    if key:
        is_secure = request.is_secure
        answer.set_cookie(
            COOKIE, key, _A_YEAR_S, secure=is_secure, httponly=True, samesite="Strict"
        )
    return answer


@blueprint.errorhandler(WrongPinError)
def _wrong(error: WrongPinError) -> tuple[Response, int]:
    return problem(403, str(error), "wrong_pin", wait_s=seconds(error.wait_s))


@blueprint.errorhandler(TooSoonError)
def _too_soon(error: TooSoonError) -> tuple[Response, int]:
    wait_s = seconds(error.wait_s)
    answer, status = problem(429, str(error), "pin_wait", wait_s=wait_s)
    answer.headers["Retry-After"] = str(wait_s)
    return answer, status


@blueprint.errorhandler(PinFileError)
def _unreadable(error: PinFileError) -> tuple[Response, int]:
    sentence = "the PIN cannot be read any more; on the machine itself: tiletally pin --remove"
    return problem(409, sentence, "pin_unreadable")


@blueprint.errorhandler(OSError)
def _not_kept(error: OSError) -> tuple[Response, int]:
    return problem(507, f"the PIN could not be kept: {error.strerror}", "disk_error")
