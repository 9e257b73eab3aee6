"""What every answer and every request has to keep to."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Flask, Response, abort, request

POLICY = "; ".join(
    (
        "default-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_READING = ("GET", "HEAD", "OPTIONS")


def init_app(app: Flask) -> None:
    """Add the checks to an application."""
    app.before_request(_refuse_other_sites)
    app.after_request(_with_headers)


def _refuse_other_sites() -> None:
    """A page of another site must not tap for the family."""
    origin = request.headers.get("Origin")
    if request.method in _READING or origin is None:
        return
    if urlsplit(origin).netloc != request.host:
        abort(403, "this page belongs to another site")


def _with_headers(response: Response) -> Response:
    response.headers.update(_HEADERS)
    if "Cache-Control" not in response.headers:
        # Files are asked for again each time, and answered with "not modified".
        kind = "no-store" if request.path.startswith("/api/") else "no-cache"
        response.headers["Cache-Control"] = kind
    return response
