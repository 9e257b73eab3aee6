"""What is no proper HTTP is refused by the web server itself, in the shape of all other errors."""

from __future__ import annotations

import json
from typing import Any

from waitress.channel import HTTPChannel
from waitress.task import ErrorTask

from tiletally.web_requests import OneLengthParser

_CODES = {413: "too_large", 500: "internal"}
_SENTENCES = {
    413: "that is too large",
    431: "the head of the request is too long",
    500: "something went wrong; it is in the log",
}
_ODD_FRAME = 501
"""A way to send a body that nobody uses; for the one who sent it that is a mistake like others."""


class RefusalTask(ErrorTask):
    """Tells one sentence as JSON."""

    def execute(self) -> None:
        """Write the refusal and hang up."""
        error: Any = self.request.error  # type: ignore[attr-defined]  # the stub knows another
        status = 400 if error.code == _ODD_FRAME else error.code
        body = _body(status)
        self.status = f"{status} {'Bad Request' if status == 400 else error.reason}"
        self.response_headers = [
            *self.response_headers,
            ("Content-Type", "application/json"),
            ("Cache-Control", "no-store"),
            ("X-Content-Type-Options", "nosniff"),
        ]
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)


class RefusingChannel(HTTPChannel):
    """A connection that refuses in plain words."""

    parser_class = OneLengthParser
    error_task_class: Any = RefusalTask

    def send_continue(self) -> None:
        """Ask for the body; who announced none would otherwise be waited for."""
        request: Any = self.request
        if request.body_rcv is None:
            request.expect_continue = False
        else:
            super().send_continue()


def _body(status: int) -> bytes:
    sentence = _SENTENCES.get(status, "this is no proper HTTP request")
    code = _CODES.get(status, "bad_request")
    return json.dumps({"error": sentence, "code": code}).encode() + b"\n"
