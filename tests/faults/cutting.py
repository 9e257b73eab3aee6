"""A network that lets a request through and cuts the line before the answer."""

from __future__ import annotations

import socket
import threading
from types import TracebackType
from typing import Self

PIECE = 65536


class CuttingNetwork:
    """Stands between devices and the server; the answers to the next `cuts` taps are lost."""

    def __init__(self, port: int) -> None:
        """Lead to a server on this machine."""
        self._server = ("127.0.0.1", port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.cuts = self.lost = 0
        self.passed = 0
        """How many bytes of a lost answer come through."""
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                device, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(device,), daemon=True).start()

    def _serve(self, device: socket.socket) -> None:
        with device, socket.create_connection(self._server) as server:
            is_cut = threading.Event()
            back = threading.Thread(target=self._pass_back, args=(server, device, is_cut))
            back.start()
            try:
                while piece := device.recv(PIECE):
                    if piece.startswith(b"POST") and self.cuts > 0:
                        self.cuts -= 1
                        is_cut.set()
                    server.sendall(piece)
                server.shutdown(socket.SHUT_WR)
            except OSError:
                pass  # one of the two hung up
            back.join()

    def _pass_back(
        self, server: socket.socket, device: socket.socket, is_cut: threading.Event
    ) -> None:
        try:
            while piece := server.recv(PIECE):
                if is_cut.is_set():
                    self.lost += 1
                    device.sendall(piece[: self.passed])
                    break
                device.sendall(piece)
            device.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # one of the two hung up

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._listener.close()
