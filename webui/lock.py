"""The lock on the controls: everybody may look, and with a PIN only those who know it may tap.

A device that entered the PIN gets a key, a long random word that only it and its browser know.
Here only the hash of a key is kept. A new PIN takes all keys back, but a device is still known by
its old one, so that its tries are counted apart from those of strangers.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from webui.pin_file import (
    FILE_NAME,
    Device,
    Pin,
    PinFileError,
    held,
    is_pin,
    key_hash,
    read_pin,
    remove_pin,
    write_pin,
)
from webui.pin_tries import EVERYBODY, Tries

MOST_DEVICES = 32


class WrongPinError(Exception):
    """This is not the PIN."""

    def __init__(self, wait_s: float) -> None:
        """Say how many seconds have to pass before the next try."""
        super().__init__("this is not the right PIN")
        self.wait_s = wait_s


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who asks: the address, and the key if there is one."""

    address: str
    key: str | None = None


class Lock:
    """Knows whether there is a PIN, and who may tap. All methods may be called from any thread."""

    def __init__(self, folder: Path | None = None) -> None:
        """Keep the PIN in a folder, or only as long as the program runs."""
        self._folder = folder
        self._tries = Tries(folder)
        self._mutex = threading.RLock()
        self._hashing = threading.Lock()
        self._mark: object = None
        self._pin: Pin | None = None

    @property
    def is_set(self) -> bool:
        """Whether there is a PIN, even one that cannot be read any more."""
        try:
            return self._read() is not None
        except PinFileError:
            return True

    def is_open(self, key: str | None) -> bool:
        """Whether the device with this key may tap."""
        try:
            pin = self._read()
        except PinFileError:
            return False
        device = pin.device(key) if pin else None
        return pin is None or (device is not None and device.is_open)

    def wait_s(self, visitor: Visitor) -> float:
        """How long a device has to wait before its next try."""
        return self._tries.wait_s(self._counted_as(visitor)) if self.is_set else 0.0

    def enter(self, pin: str, visitor: Visitor) -> str:
        """Let a device in and return its key.

        Raises:
            WrongPinError, TooSoonError, PinFileError: It stays outside.
        """
        checked = self._check(pin, visitor)
        with self._changing():
            kept = self._still(checked)
            return self._let_in(kept, visitor) if kept else ""

    def change(self, old: str, new: str, visitor: Visitor) -> str:
        """Set the first or another PIN; all others have to enter it anew.

        Raises:
            ValueError: The new one is none.
            WrongPinError, TooSoonError, PinFileError: The old one is not right.
        """
        if not is_pin(new):
            raise ValueError("a PIN has 4 to 8 digits")
        checked = self._check(old, visitor)
        with self._hashing:
            fresh = Pin.of(new)
        with self._changing():
            before = self._still(checked)
            known = tuple(replace(each, is_open=False) for each in before.devices) if before else ()
            self._tries.forget()
            return self._let_in(replace(fresh, devices=known), visitor)

    def remove(self, old: str, visitor: Visitor) -> None:
        """Have no PIN any more.

        Raises:
            WrongPinError, TooSoonError, PinFileError: The old one is not right.
        """
        self._check(old, visitor)
        self._tries.forget()
        with self._mutex:
            self._pin = None
            if self._folder is not None:
                remove_pin(self._folder)

    def leave(self, key: str | None) -> None:
        """Lock a device again."""
        with self._changing():
            pin = self._read()
            device = pin.device(key) if pin else None
            if pin is not None and device is not None:
                others = tuple(each for each in pin.devices if each is not device)
                self._keep(replace(pin, devices=(replace(device, is_open=False), *others)))

    def _check(self, pin: str, visitor: Visitor) -> Pin | None:
        """Hold a PIN against the one that is kept; where there is none, anything is right."""
        kept = self._read()
        if kept is None:
            return None
        whose = self._counted_as(visitor)
        self._tries.charge(whose)
        with self._hashing:  # one at a time, so that many tries take no more than one processor
            is_right = is_pin(pin) and kept.is_right(pin)
        if not is_right:
            raise WrongPinError(self._tries.wait_s(whose))
        self._tries.forgive(whose)
        return kept

    def _still(self, checked: Pin | None) -> Pin | None:
        """The PIN that was held against; somebody else may have set another one meanwhile."""
        now = self._read()
        if now is not None and (checked is None or now.digest != checked.digest):
            raise WrongPinError(0.0)
        return now

    def _counted_as(self, visitor: Visitor) -> tuple[str, ...]:
        try:
            pin = self._read()
        except PinFileError:
            pin = None
        device = pin.device(visitor.key) if pin else None
        if device is not None:
            return (f"device {device.key[:16]}",)
        return (f"address {visitor.address}", EVERYBODY)

    def _let_in(self, pin: Pin, visitor: Visitor) -> str:
        """Give a device a fresh key in place of the one it had; the newest come first."""
        key = secrets.token_urlsafe(32)
        had = pin.device(visitor.key)
        others = tuple(each for each in pin.devices if each is not had)
        devices = (Device(key_hash(key), True), *others)[:MOST_DEVICES]
        self._keep(replace(pin, devices=devices))
        return key

    def _keep(self, pin: Pin) -> None:
        if self._folder is not None:
            write_pin(self._folder, pin)
        self._pin = pin

    @contextmanager
    def _changing(self) -> Iterator[None]:
        with self._mutex, held(self._folder) if self._folder else nullcontext():
            yield

    def _read(self) -> Pin | None:
        """The PIN that is kept; `tiletally pin` may have changed it meanwhile."""
        if self._folder is None:
            return self._pin
        with self._mutex:
            mark = _mark(self._folder / FILE_NAME)
            if mark != self._mark:
                self._pin = read_pin(self._folder)
                self._mark = mark
            return self._pin


def _mark(path: Path) -> object:
    try:
        found = path.stat()
    except FileNotFoundError:
        return "none"
    except OSError:
        return object()  # unlike any other: look again each time
    return found.st_ino, found.st_mtime_ns, found.st_size
