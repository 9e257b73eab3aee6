"""Files of plain arrays (.npz), read so that no file can take more than its share of memory.

Every array is measured by its header before room is made for it, and nothing in it is ever run.
"""

from __future__ import annotations

import lzma
import math
import struct
import tokenize
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.lib import format as npy

Array = npt.NDArray[Any]

FAULTS = (
    OSError,
    ValueError,
    LookupError,
    TypeError,
    EOFError,
    RuntimeError,
    ArithmeticError,
    MemoryError,
    SyntaxError,
    tokenize.TokenError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
)
"""What a damaged or hostile file can lead to; a locked part, for example, is a RuntimeError."""
_HEADERS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}


def load_arrays(path: Path, most_bytes: int) -> dict[str, Array]:
    """All arrays of a file by name.

    Raises:
        FAULTS: It is no such file, it is damaged, or it unpacks to more than `most_bytes`.
    """
    with zipfile.ZipFile(path) as archive:
        parts = archive.infolist()
        if sum(part.file_size for part in parts) > most_bytes:
            raise ValueError(f"it unpacks to more than {most_bytes // 1_000_000} MB")
        return {part.filename.removesuffix(".npy"): _array(archive, part) for part in parts}


def _array(archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> Array:
    with archive.open(part) as file:
        shape, is_fortran, kind = _HEADERS[npy.read_magic(file)](file)
        size = math.prod(shape) * kind.itemsize
        if kind.hasobject or min(shape, default=0) < 0 or size > part.file_size:
            raise ValueError(f"{part.filename} is not an array of plain numbers")
        flat = np.frombuffer(bytearray(file.read(size)), kind)
    return flat.reshape(shape, order="F" if is_fortran else "C")
