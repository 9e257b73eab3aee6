"""The command `tiletally calibrate`: aim, lens, table plane, and the family's own tiles."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiletally.errors import UserError
from tiletally.games import add_data_argument
from tiletally.read import add_edition_arguments

if TYPE_CHECKING:
    from calibration.findings import Finding
    from calibration.my_tiles import Edition
    from calibration.profile import Profile
    from calibration.session import Calibration
    from vision.cameras.base import Frame

WARM_UP_GLANCES = 8
"""A USB camera needs some frames to settle exposure and white balance."""

MARKS = {"good": "ok  ", "hint": "hint", "problem": "NO  "}
PAPERS = ("a4", "letter")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """One sub-command for each step."""
    steps = parser.add_subparsers(dest="step", metavar="STEP", required=True)
    _step(steps, "aim", "is the table in view, sharp and well lit?", _aim, photos="?")
    sheet = _step(steps, "sheet", "write the sheet for the lens as a PDF", _sheet)
    sheet.add_argument("out", metavar="OUT.pdf", type=Path)
    sheet.add_argument("--paper", choices=PAPERS, default="a4")
    _step(steps, "lens", "measure the lens with photos of the sheet", _lens, photos="+")
    _step(steps, "plane", "learn the table's plane from the sheet or from tiles", _plane, "?")
    _step(steps, "layout", "tell which tiles to lay out for `tiles`", _layout)
    _step(steps, "tiles", "learn your tiles in your light from one photo", _tiles, photos="?")
    _step(steps, "show", "tell what is calibrated", _show)


Run = Callable[[argparse.Namespace], int]


def _step(
    steps: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    summary: str,
    run_step: Run,
    photos: str = "",
) -> argparse.ArgumentParser:
    parser = steps.add_parser(name, help=summary, description=summary)
    parser.set_defaults(run_step=run_step)
    if photos:
        word = "one or more JPEG, PNG or WebP files" if photos == "+" else "JPEG, PNG or WebP"
        parser.add_argument("photos", metavar="PHOTO", nargs=photos, type=Path, help=word)
    if photos == "?":
        parser.add_argument(
            "--camera", metavar="SOURCE", help="take the photo with this camera, such as usb:0"
        )
    if name != "sheet":
        add_edition_arguments(parser)
        parser.add_argument("--name", default=None, help="what the camera is called: its word")
        parser.add_argument("--place", default="table", help="where it stands, as for serve")
        parser.add_argument("--json", action="store_true", help="print JSON objects")
        add_data_argument(parser)
    return parser


def run(args: argparse.Namespace) -> int:
    """Do one step."""
    from calibration.findings import CalibrationError
    from vision.cameras.base import CameraError
    from vision.cameras.sources import SourceError
    from vision.images import ImageError
    from vision.model import ModelError

    run_step: Run = args.run_step
    try:
        return run_step(args)
    except (CalibrationError, CameraError, SourceError, ImageError, ModelError) as error:
        raise UserError(str(error)) from error


def _calibration(args: argparse.Namespace) -> Calibration:
    from calibration.session import Calibration

    return Calibration(args.data, _camera_name(_camera_word(args) or "camera"), args.place)


def _camera_word(args: argparse.Namespace) -> str | None:
    return args.name or getattr(args, "camera", None)


def _camera_name(word: str) -> str:
    """What `serve` calls the camera, if it is one of its words."""
    from vision.cameras.source_name import SourceError, parse_source

    try:
        return str(parse_source(word))
    except SourceError:
        return word


def _edition(args: argparse.Namespace) -> Edition:
    from calibration.my_tiles import Edition

    if not args.rules:
        raise UserError("say which tiles these are: --rules classic, flex or flex72")
    return Edition(args.rules, args.colours)


def _photo(args: argparse.Namespace) -> Frame:
    from vision.images import read_image

    if bool(args.photos) == bool(args.camera):
        raise UserError("give one photo, or a camera with --camera")
    return read_image(args.photos) if args.photos else _captured(args.camera)


def _captured(source: str) -> Frame:
    from vision.cameras.settled import settled_picture
    from vision.cameras.sources import open_camera, parse_source

    camera = open_camera(parse_source(source))
    try:
        return settled_picture(camera, WARM_UP_GLANCES - 1)
    finally:
        camera.close()


def _aim(args: argparse.Namespace) -> int:
    from calibration.findings import worst

    edition = _edition(args) if args.rules else None
    findings = _calibration(args).aim(_photo(args), edition)
    _print(findings, args.json)
    return 1 if worst(findings) == "problem" else 0


def _sheet(args: argparse.Namespace) -> int:
    from calibration.sheet import pdf

    args.out.write_bytes(pdf(args.paper))
    sys.stderr.write(f"tiletally calibrate: {args.out} is written; print it at 100 %\n")
    return 0


def _lens(args: argparse.Namespace) -> int:
    from vision.images import read_image

    _done(
        _calibration(args), args, lambda steps: [steps.lens([read_image(p) for p in args.photos])]
    )
    return 0


def _plane(args: argparse.Namespace) -> int:
    edition = _edition(args) if args.rules else None
    _done(_calibration(args), args, lambda steps: [steps.plane(_photo(args), edition)])
    return 0


def _tiles(args: argparse.Namespace) -> int:
    edition = _edition(args)
    _done(_calibration(args), args, lambda steps: steps.tiles(_photo(args), edition).findings)
    return 0


def _done(
    steps: Calibration,
    args: argparse.Namespace,
    step: Callable[[Calibration], Iterable[Finding]],
) -> None:
    findings = step(steps)
    if steps.message:
        sys.stderr.write(f"tiletally calibrate: {steps.message}\n")
    if not _camera_word(args):
        _say_where_it_counts(args)
    _print(findings, args.json)


def _say_where_it_counts(args: argparse.Namespace) -> None:
    from calibration.profile_file import profile_path

    name = profile_path(args.data, "camera", args.place).name
    sys.stderr.write(
        f"tiletally calibrate: written to {name}, which no camera uses; name the camera as "
        "`tiletally serve` does, such as --name usb:0 or --name picamera, and it will\n"
    )


def _layout(args: argparse.Namespace) -> int:
    from calibration.arrangement import suggested

    edition = _edition(args)
    laid = suggested(edition.rules, edition.colours)
    if args.json:
        tiles = [{"x": x, "y": y, **tile._asdict()} for (x, y), tile in laid.items()]
        sys.stdout.write(json.dumps({"tiles": tiles}) + "\n")
        return 0
    for row in sorted({cell[1] for cell in laid}):
        words = [_short(*tile) for cell, tile in laid.items() if cell[1] == row]
        sys.stdout.write(" | ".join(f"{word:<22}" for word in words).rstrip() + "\n")
    return 0


def _short(shape: str, colour: str, background: str) -> str:
    return f"{colour} {shape} on {background}"


def _show(args: argparse.Namespace) -> int:
    from calibration.profile_file import ProfileError, all_profiles

    found = all_profiles(args.data)
    for path, profile in found:
        if isinstance(profile, ProfileError):
            sys.stderr.write(f"tiletally calibrate: {profile}\n")
        elif args.json:
            sys.stdout.write(json.dumps({"file": path.name, **_summary(profile)}) + "\n")
        else:
            sys.stdout.write(_lines(profile))
    if not found:
        sys.stderr.write("tiletally calibrate: nothing is calibrated; reading works without\n")
    return 0


def _summary(profile: Profile) -> dict[str, Any]:
    lens, plane, mine = profile.lens, profile.plane, profile.my_tiles
    return {
        "camera": profile.camera,
        "place": profile.place,
        "made": profile.made,
        "lens_rms_px": round(lens.rms_px, 3) if lens else None,
        "plane_error_px": round(plane.error_px, 2) if plane else None,
        "tile_px": round(plane.tile_px, 1) if plane else None,
        "gains_bgr": [round(gain, 3) for gain in profile.gains],
        "tiles": [" ".join(tile) for tile in mine.shown.tiles] if mine else [],
    }


def _lines(profile: Profile) -> str:
    from calibration.light import in_words

    lens, plane, mine = profile.lens, profile.plane, profile.my_tiles
    known = f"known to {lens.rms_px:.2f} px" if lens else "not calibrated (not needed)"
    table = f"known to {plane.error_px:.1f} px" if plane else "not calibrated (not needed)"
    own = f"{len(mine.shown.tiles)} tiles; {in_words(profile.gains)}" if mine else "not shown yet"
    return (
        f"{profile.camera} at {profile.place}, {profile.made}\n"
        f"  lens      {known}\n  plane     {table}\n  my tiles  {own}\n"
    )


def _print(findings: Iterable[Finding], as_json: bool) -> None:
    for finding in findings:
        line = (
            json.dumps(finding.as_json()) if as_json else f"{MARKS[finding.level]}  {finding.text}"
        )
        sys.stdout.write(f"{line}\n")
