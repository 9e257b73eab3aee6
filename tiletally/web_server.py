"""The web server around the page: threads for streams, and an end that waits for nobody."""

from __future__ import annotations

import contextlib
import logging
import socket
import threading
import time
from collections.abc import Callable
from typing import Any
from wsgiref.types import WSGIApplication

from waitress.server import BaseWSGIServer, create_server
from waitress.wasyncore import close_all

from tiletally.errors import UserError
from tiletally.web_patience import MOST_CONNECTIONS, Patience
from tiletally.web_refusals import RefusingChannel

THREADS = 64
"""One for each device that follows (56 at most, see `webui.events`) and eight for the rest;
64 idle threads cost 1 MB."""
MOST_BODY_BYTES = 21 * 1024 * 1024
"""A phone's photo; the page itself allows far less for everything else."""
MOST_HEAD_BYTES = 16 * 1024
"""A browser's request has less than 1 kB before its body."""
LOOK_EVERY_S = 1.0
END_WITHIN_S = 0.6
"""So that the camera, which may be in the middle of a look, has time to end too."""


class WebServer:
    """Serves an application in the background."""

    def __init__(
        self,
        app: WSGIApplication,
        host: str,
        port: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take the port.

        Raises:
            UserError: The port or the address cannot be had.
        """
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)
        try:
            self._server: Any = create_server(
                app,
                host=_one_address(host),
                port=port,
                threads=THREADS,
                connection_limit=MOST_CONNECTIONS,
                max_request_header_size=MOST_HEAD_BYTES,
                max_request_body_size=MOST_BODY_BYTES,
                # Nothing believes them; that they are there tells a proxy from the push button.
                clear_untrusted_proxy_headers=False,
                ident=None,
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise UserError(f"Port {port} on {host} cannot be used: {reason}.") from error
        assert isinstance(self._server, BaseWSGIServer), "one address makes one server"
        self._server.channel_class = RefusingChannel
        self._thread = threading.Thread(target=self._server.run, name="web", daemon=True)
        self._patience = Patience(clock)
        self._ended = threading.Event()
        self._caretaker = threading.Thread(target=self._care, name="web care", daemon=True)

    @property
    def port(self) -> int:
        """The port that was taken, also where any would do."""
        return int(self._server.effective_port)

    def start(self) -> None:
        """Begin to answer."""
        self._thread.start()
        self._caretaker.start()

    def stop(self, within_s: float = END_WITHIN_S) -> None:
        """Let running requests end, but not for long."""
        self._ended.set()
        dispatcher = self._server.task_dispatcher
        dispatcher.shutdown(timeout=within_s)
        if dispatcher.threads:
            return  # a request that hangs still uses its connection; the program ends anyway
        # Connections belong to the server's own thread, so that is where they are closed.
        # It may be awake already and hang up before it is told to wake, hence the suppressed error.
        with contextlib.suppress(OSError):
            self._server.trigger.pull_trigger(self._hang_up)
        self._thread.join(timeout=within_s)

    def _care(self) -> None:
        while not self._ended.wait(LOOK_EVERY_S):
            # Connections belong to the server's own thread, so that is where they are looked at.
            with contextlib.suppress(OSError):
                self._server.trigger.pull_trigger(self._look)

    def _look(self) -> None:
        self._patience.look(list(self._server.active_channels.values()))

    def _hang_up(self) -> None:
        close_all(self._server._map, ignore_all=True)


def _one_address(host: str) -> str:
    """The address of a name, the older kind first; a name such as localhost often has two."""
    found = socket.getaddrinfo(host or None, 0, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    return str(min(found)[4][0])
