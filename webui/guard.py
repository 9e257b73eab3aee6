"""What every answer and every request has to keep to."""

from __future__ import annotations

from threading import BoundedSemaphore

from flask import Flask, Response, abort, current_app, request

from webui.access import MOST_PICTURES, lock, visitor
from webui.hosts import Hosts

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
_FORM_KINDS = ("application/x-www-form-urlencoded", "multipart/form-data", "text/plain")
"""What a page of any other site may send without asking first."""
_BUTTON = "/api/turn/done"
_FORWARDED = ("Forwarded", "Via", "X-Forwarded-For", "X-Real-IP")
"""What a proxy on this machine adds, behind which every device seems to be this machine."""
_PICTURE = ".jpg"


def init_app(app: Flask) -> None:
    """Add the checks to an application."""
    app.extensions["tiletally_pictures"] = BoundedSemaphore(MOST_PICTURES)
    for check in (_refuse_other_names, _refuse_other_sites, _refuse_forms, _refuse_without_pin):
        app.before_request(check)
    app.after_request(_with_headers)


def _refuse_other_names() -> None:
    """A name of another site that points here must not read or tap."""
    hosts: Hosts = current_app.extensions["tiletally_hosts"]
    if not hosts.knows(request.headers.get("Host", "")):
        abort(421, "the page is not known by this name; use its number, or serve it with --name")


def _refuse_other_sites() -> None:
    """A page of another site must not tap for the family, nor follow."""
    is_reading = request.method in _READING and not request.path.startswith("/api/")
    if not is_reading and _is_from_elsewhere():
        abort(403, "this page belongs to another site")


def _is_from_elsewhere() -> bool:
    origin, host = request.headers.get("Origin"), request.headers["Host"].lower()
    is_own = origin is None or origin.lower() in (f"http://{host}", f"https://{host}")
    return not is_own or request.headers.get("Sec-Fetch-Site") in ("cross-site", "same-site")


def _refuse_forms() -> None:
    """Forms come from other sites only; the page itself sends JSON and pictures."""
    if request.method not in _READING and request.mimetype in _FORM_KINDS:
        abort(415, "send JSON, with the content type application/json")


def _refuse_without_pin() -> None:
    """With a PIN, taps and the pictures of the camera are for those who know it."""
    is_looking = request.method in _READING and not request.path.endswith(_PICTURE)
    if is_looking or request.blueprint == "pin" or _is_button():
        return
    if not lock().is_open(visitor().key):
        abort(423, "the controls are locked; enter the PIN first")


def _is_button() -> bool:
    """The push button sits at the machine itself and is no browser, which tells its origin."""
    is_here = request.remote_addr in ("127.0.0.1", "::1")
    is_direct = not any(name in request.headers for name in ("Origin", *_FORWARDED))
    return is_here and is_direct and request.path == _BUTTON


def _with_headers(response: Response) -> Response:
    response.headers.update(_HEADERS)
    if "Cache-Control" not in response.headers:
        # Files are asked for again each time, and answered with "not modified".
        kind = "no-store" if request.path.startswith("/api/") else "no-cache"
        response.headers["Cache-Control"] = kind
    return response
