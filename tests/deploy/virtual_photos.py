"""Photos of a simulated table for the virtual camera: `virtual_photos.py DIR`."""

from __future__ import annotations

import sys
from pathlib import Path

import cv2

from vision.cameras.demo import DemoTable


def main(folder: Path) -> None:
    """Write three moments of a simulated game as JPEGs of 1920 x 1080."""
    table = DemoTable(1, None)
    for number in range(3):
        for _ in range(120):
            table.glance()
        picture = cv2.resize(table.picture(), (1920, 1080), interpolation=cv2.INTER_AREA)
        cv2.imwrite(str(folder / f"{number:03d}.jpg"), picture)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
