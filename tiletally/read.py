"""The command `tiletally read`: what lies on the table in a photo."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scorer.tiles import COLOURS
from tiletally.errors import UserError

if TYPE_CHECKING:
    from vision.images import Frame
    from vision.reading import Reading

RULES = ("classic", "flex", "flex72")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Photos, the edition, and what to print."""
    parser.add_argument("photos", metavar="PHOTO", nargs="+", type=Path, help="JPEG, PNG or WebP")
    add_edition_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object per photo")
    parser.add_argument(
        "--overlay",
        metavar="OUT",
        type=Path,
        help="draw the reading on the photo: a file, or a folder for several photos",
    )


def add_edition_arguments(parser: argparse.ArgumentParser) -> None:
    """What narrows down which tiles there can be."""
    parser.add_argument("--rules", choices=RULES, help="the game; without it, any tile is possible")
    parser.add_argument(
        "--colours",
        metavar="A,B,…",
        type=_colours,
        help="the colours in the box, such as red,orange,yellow,green,blue,white",
    )


def _colours(text: str) -> tuple[str, ...]:
    names = tuple(word.strip() for word in text.split(",") if word.strip())
    unknown = [name for name in names if name not in COLOURS]
    if unknown or not names:
        raise argparse.ArgumentTypeError(
            f"{', '.join(unknown) or 'nothing'} is no colour; there are {', '.join(COLOURS)}"
        )
    return names


def run(args: argparse.Namespace) -> int:
    """Read every photo; one that cannot be read is named, and the others are read all the same."""
    from vision.images import ImageError, read_image
    from vision.model import ModelError
    from vision.reader import Reader

    try:
        reader = Reader(args.rules, args.colours)
    except ModelError as error:
        raise UserError(str(error)) from error
    status = 0
    for photo in args.photos:
        try:
            frame = read_image(photo)
        except ImageError as error:
            sys.stderr.write(f"tiletally read: {error}\n")
            status = 1
            continue
        reading = reader.read(frame)
        sys.stdout.write(_report(photo, reading, args.json))
        sys.stdout.flush()
        if args.overlay:
            _save_overlay(frame, reading, _target(args.overlay, photo, len(args.photos)))
    return status


def _report(photo: Path, reading: Reading, as_json: bool) -> str:
    if as_json:
        return json.dumps(reading_json(photo.name, reading)) + "\n"
    lines = [f"{photo.name}: {len(reading.layout)} tiles in the layout"]
    strays = len(reading.tiles) - len(reading.layout)
    if strays:
        lines[0] += f", {strays} beside it"
    for seen in reading.tiles:
        place = f"{seen.cell[0]:>4} {seen.cell[1]:>4}"
        aside = f"  (group {seen.group})" if seen.group else ""
        lines.append(f"{place}  {' '.join(seen.tile)}  {seen.confidence:.3f}{aside}")
    return "\n".join(lines) + "\n"


def reading_json(photo: str, reading: Reading) -> dict[str, Any]:
    """The reading as the contract words it."""
    tiles = [
        {
            "x": seen.cell[0],
            "y": seen.cell[1],
            "shape": seen.tile.shape,
            "colour": seen.tile.colour,
            "background": seen.tile.background,
            "confidence": round(seen.confidence, 4),
            "corners": [[round(float(x), 1), round(float(y), 1)] for x, y in seen.corners_px],
            "group": seen.group,
        }
        for seen in reading.tiles
    ]
    return {"photo": photo, "tiles": tiles, "ms": round(reading.ms, 1)}


def _target(overlay: Path, photo: Path, count: int) -> Path:
    if count == 1 and overlay.suffix and not overlay.is_dir():
        return overlay
    overlay.mkdir(parents=True, exist_ok=True)
    return overlay / f"{photo.stem}.overlay.jpg"


def _save_overlay(frame: Frame, reading: Reading, target: Path) -> None:
    import cv2

    from vision.overlay import draw_overlay

    try:
        done, data = cv2.imencode(target.suffix, draw_overlay(frame, reading))
    except cv2.error:
        done = False
    if not done:
        raise UserError(f"{target.name}: give the overlay a name that ends in .jpg or .png")
    target.write_bytes(data.tobytes())
