"""How long a reading takes, against the decoding of the same picture in the same run.

The photos are the real ones where they lie beside the project, drawn tables otherwise.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.reader import Reader

REPEATS = 5
PHOTOS = Path(__file__).resolve().parents[2] / "shared" / "photos" / "classic-a"
START = "from tiletally.bench_read import first_reading; first_reading()"

Frame = npt.NDArray[np.uint8]


def bench_read() -> dict[str, float]:
    """Median over the photos of reading, reading with the look before, and decoding."""
    cv2.setNumThreads(1)
    pictures = _pictures()
    reader = Reader("classic")
    decode, full, again = [], [], []
    known = None
    for data in pictures:
        decode.append(_typical(partial(_decode, data)))
        frame = _decode(data)
        full.append(_typical(partial(reader.read, frame)))
        if known is not None:
            again.append(_typical(partial(reader.read, frame, known)))
        known = reader.read(frame)
    base = float(np.median(decode))
    return {
        "pictures": len(pictures),
        "decode_ms": round(base * 1000, 2),
        "read_ms": round(float(np.median(full)) * 1000, 2),
        "read_known_ms": round(float(np.median(again)) * 1000, 2),
        "read_to_decode_ratio": round(float(np.median(full)) / base, 2),
        "read_known_to_decode_ratio": round(float(np.median(again)) / base, 2),
        "memory_mib": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
        "start_to_first_reading_s": round(_start_seconds(), 2),
    }


def first_reading() -> None:
    """Read one picture, as a fresh process does first."""
    Reader("classic").read(_decode(_pictures()[0]))


def _start_seconds() -> float:
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", START], check=True)
    return time.perf_counter() - started


def _typical(work: Callable[[], object]) -> float:
    times = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return float(np.median(times))


def _decode(data: Frame) -> Frame:
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def _pictures() -> list[Frame]:
    if PHOTOS.is_dir():
        return [np.fromfile(path, np.uint8) for path in sorted(PHOTOS.glob("*.jpg"))]
    from models.generate import sample

    pictures = []
    for seed in range(10):
        frame = cv2.resize(sample(seed).drawn.frame_bgr, (2040, 1530))
        pictures.append(np.asarray(cv2.imencode(".jpg", frame)[1], np.uint8))
    return pictures
