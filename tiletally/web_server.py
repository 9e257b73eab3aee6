"""The web server around the page: threads for streams, and an end that waits for nobody."""

from __future__ import annotations

import contextlib
import logging
import socket
import threading
from typing import Any
from wsgiref.types import WSGIApplication

from waitress.server import create_server
from waitress.wasyncore import close_all

from tiletally.errors import UserError

THREADS = 64
"""One for each device that follows (56 at most, see `webui.events`) and eight for the rest;
64 idle threads cost 1 MB."""
MOST_CONNECTIONS = 200
MOST_BODY_BYTES = 21 * 1024 * 1024
"""A phone's photo; the page itself allows far less for everything else."""
END_WITHIN_S = 0.6
"""So that the camera, which may be in the middle of a look, has time to end too."""


class WebServer:
    """Serves an application in the background."""

    def __init__(self, app: WSGIApplication, host: str, port: int) -> None:
        """Take the port.

        Raises:
            UserError: The port or the address cannot be had.
        """
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)
        try:
            self._server: Any = create_server(
                app,
                host=host,
                port=port,
                threads=THREADS,
                connection_limit=MOST_CONNECTIONS,
                max_request_body_size=MOST_BODY_BYTES,
                channel_timeout=90,
                ident="tiletally",
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise UserError(f"Port {port} on {host} cannot be used: {reason}.") from error
        self._thread = threading.Thread(target=self._server.run, name="web", daemon=True)

    @property
    def port(self) -> int:
        """The port that was taken, also where any would do."""
        return int(self._server.effective_port)

    def start(self) -> None:
        """Begin to answer."""
        self._thread.start()

    def stop(self, within_s: float = END_WITHIN_S) -> None:
        """Let running requests end, but not for long."""
        dispatcher = self._server.task_dispatcher
        dispatcher.shutdown(timeout=within_s)
        if dispatcher.threads:
            return  # a request that hangs still uses its connection; the program ends anyway
        # Connections belong to the server's own thread, so that is where they are closed.
        # It may be awake already and hang up before it is told to wake, hence the suppressed error.
        with contextlib.suppress(OSError):
            self._server.trigger.pull_trigger(self._hang_up)
        self._thread.join(timeout=within_s)

    def _hang_up(self) -> None:
        close_all(self._server._map, ignore_all=True)


def home_address() -> str:
    """The address of this machine in the home network, or localhost without one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Nothing is sent: this only asks which way packets would go.
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "localhost"
