"""What is kept of the PIN: a salted slow hash of it, and hashes of the keys of devices.

Neither the PIN nor a key can be read back from the file, which only its owner may open.
"""

from __future__ import annotations

import fcntl
import hashlib
import hmac
import json
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

FILE_NAME = "pin.json"
TRIES_NAME = "pin-tries.json"
COST, BLOCK = 2**15, 8
"""32 MiB for each try, and 0.06 s on a PC; a Raspberry Pi takes several times as long."""
MOST_COST = 2**17
_MEMORY = 256 * 1024 * 1024
_DIGITS = re.compile(r"[0-9]{4,8}").fullmatch


class PinFileError(Exception):
    """The file is there but cannot be understood."""


def is_pin(text: object) -> bool:
    """Whether something has the form of a PIN: 4 to 8 digits."""
    return isinstance(text, str) and _DIGITS(text) is not None


def key_hash(key: str) -> str:
    """What is kept of a key; it is long and random, so that a fast hash does."""
    return hashlib.sha256(key.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Device:
    """A device that once entered the PIN, and whether it may still tap."""

    key: str
    is_open: bool


@dataclass(frozen=True, slots=True)
class Pin:
    """The PIN as it is kept."""

    salt: bytes
    digest: bytes
    cost: int = COST
    devices: tuple[Device, ...] = ()

    @classmethod
    def of(cls, pin: str, devices: tuple[Device, ...] = ()) -> Self:
        """Keep a new PIN."""
        salt = secrets.token_bytes(16)
        return cls(salt, _slow_hash(pin, salt, COST), COST, devices)

    def is_right(self, pin: str) -> bool:
        """Whether this is the PIN; takes as long for a wrong one."""
        return hmac.compare_digest(_slow_hash(pin, self.salt, self.cost), self.digest)

    def device(self, key: str | None) -> Device | None:
        """The device that has a key."""
        digest = key_hash(key) if key else ""
        return next((each for each in self.devices if each.key == digest), None)


def _slow_hash(pin: str, salt: bytes, cost: int) -> bytes:
    return hashlib.scrypt(pin.encode(), salt=salt, n=cost, r=BLOCK, p=1, maxmem=_MEMORY, dklen=32)


def read_pin(folder: Path) -> Pin | None:
    """The PIN of a folder, or None where there is none.

    Raises:
        PinFileError: It is there, but cannot be read any more.
    """
    try:
        data = json.loads((folder / FILE_NAME).read_text(encoding="utf-8"))
        devices = tuple(Device(str(each["key"]), each["open"] is True) for each in data["devices"])
        pin = Pin(bytes.fromhex(data["salt"]), bytes.fromhex(data["hash"]), data["cost"], devices)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise PinFileError(f"{FILE_NAME} cannot be read: {error}") from error
    if type(pin.cost) is not int or not 2 <= pin.cost <= MOST_COST or pin.cost & (pin.cost - 1):
        raise PinFileError(f"{FILE_NAME} cannot be read: its cost is {pin.cost!r}")
    return pin


def write_pin(folder: Path, pin: Pin) -> None:
    """Keep the PIN, in a file that nobody else may read.

    Raises:
        OSError: It could not be kept; the old one still holds.
    """
    devices = [{"key": each.key, "open": each.is_open} for each in pin.devices]
    about = {"salt": pin.salt.hex(), "hash": pin.digest.hex(), "cost": pin.cost}
    write_private(folder / FILE_NAME, {**about, "devices": devices})


def remove_pin(folder: Path) -> bool:
    """Forget the PIN, its devices and the wrong tries; False if there was no PIN."""
    with held(folder):
        was_set = (folder / FILE_NAME).exists()
        for name in (FILE_NAME, TRIES_NAME):
            (folder / name).unlink(missing_ok=True)
    return was_set


def write_private(path: Path, data: dict[str, Any]) -> None:
    """Write a new file beside the old one, then put it in its place."""
    fresh = path.with_name(f"{path.name}.new")
    fresh.unlink(missing_ok=True)
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(data, file)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Keep other processes from changing the PIN meanwhile, such as `tiletally pin`."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
