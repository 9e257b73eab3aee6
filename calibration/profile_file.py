"""Profiles on the disk: plain arrays with a header, written so that a power cut does no harm."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from calibration.drift import FIELDS_WH
from calibration.findings import Finding
from calibration.lens import Lens
from calibration.light import Shown
from calibration.my_tiles import Edition
from calibration.plane import Plane
from calibration.profile import MyTiles, Profile
from scorer.journal_files import make_folder, sync, unused_path, write_whole
from scorer.tiles import BACKGROUNDS, COLOURS, SHAPES, Tile
from vision.array_file import FAULTS, load_arrays
from vision.own_set import OwnSet
from vision.own_shapes import ORDINARY
from vision.patches import PATCH_PX

Array = npt.NDArray[Any]

FORMAT = 2
"""1 had no own shapes: what its model taught is forgotten, and the kept patches teach it anew."""

MOST_BYTES = 64_000_000
"""A whole box that was shown has 1 MB."""
LONGEST_PX = 30_000
FIELDS = (FIELDS_WH[1], FIELDS_WH[0], 3)
FOLDER = "calibration"
SUFFIX = ".npz"
ASIDE = "-set-aside"
NO_MODEL = ""


FORGOTTEN = f"{ASIDE}-forgotten"
"""What was forgotten last is kept under this name, until something else is forgotten."""


class ProfileError(Exception):
    """A profile cannot be used; the message says why, and that defaults are used instead."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.text)
        self.finding = finding


def profile_path(data_dir: Path, camera: str, place: str) -> Path:
    """Where the profile of a camera at a place is kept."""
    words = [re.sub(r"[^\w-]+", "-", word).strip("-").lower() for word in (camera, place)]
    return data_dir / FOLDER / f"{'@'.join(word or 'unnamed' for word in words)}{SUFFIX}"


def load_profile(data_dir: Path, camera: str, place: str) -> tuple[Profile, Finding | None]:
    """The profile, or the defaults and why, where it is missing or damaged."""
    default = Profile(camera, place)
    path = profile_path(data_dir, camera, place)
    if not path.exists():
        text = f"{camera} at {place} is not calibrated; reading works without."
        return default, Finding("profile_missing", "hint", text)
    try:
        return read_profile(path), None
    except ProfileError as error:
        return default, error.finding


def all_profiles(data_dir: Path) -> list[tuple[Path, Profile | ProfileError]]:
    """Every profile that is kept, in the order of names; damaged ones with their error."""
    found: list[tuple[Path, Profile | ProfileError]] = []
    for path in sorted((data_dir / FOLDER).glob(f"*@*{SUFFIX}")):
        if ASIDE in path.stem:
            continue
        try:
            found.append((path, read_profile(path)))
        except ProfileError as error:
            found.append((path, error))
    return found


def save_profile(data_dir: Path, profile: Profile) -> tuple[Path, Finding | None]:
    """Write a profile in one step; a damaged file in its place is set aside, and that is told."""
    path = profile_path(data_dir, profile.camera, profile.place)
    make_folder(path.parent)
    told = _set_aside(path)
    write_whole(path, profile_bytes(profile))
    return path, told


def forget_profile(data_dir: Path, old: Profile, rest: Profile) -> None:
    """Keep only the rest of a profile, or no file at all; the old one is set aside first."""
    path = profile_path(data_dir, old.camera, old.place)
    write_whole(path.with_name(f"{path.stem}{FORGOTTEN}{SUFFIX}"), profile_bytes(old))
    if not rest.steps:
        path.unlink(missing_ok=True)
        sync(path.parent)
    else:
        write_whole(path, profile_bytes(rest))


def _set_aside(path: Path) -> Finding | None:
    if not path.exists():
        return None
    try:
        read_profile(path)
    except ProfileError:
        aside = unused_path(path.parent, f"{path.stem}{ASIDE}", SUFFIX)
        path.replace(aside)
        text = f"The old profile could not be used and was set aside as {aside.name}."
        return Finding("profile_set_aside", "hint", text, {"name": aside.name})
    return None


def read_profile(path: Path) -> Profile:
    """Read a profile file.

    Raises:
        ProfileError: It is damaged, or of a newer format.
    """
    try:
        parts = load_arrays(path, MOST_BYTES)
        header = json.loads(parts["header"].tobytes())
        if header["format"] > FORMAT:
            text = f"The profile {path.name} was written by a newer tiletally; "
            text += "the defaults are used."
            raise ProfileError(Finding("profile_newer", "hint", text, {"name": path.name}))
        return _from_parts(header, parts)
    except FAULTS as error:
        text = f"The profile {path.name} is damaged; the defaults are used. Calibrate again."
        found = Finding("profile_damaged", "hint", text, {"name": path.name})
        raise ProfileError(found) from error


def profile_bytes(profile: Profile) -> bytes:
    """The content of a profile file."""
    header: dict[str, Any] = {
        "format": FORMAT,
        "camera": profile.camera,
        "place": profile.place,
        "made": profile.made,
    }
    arrays: dict[str, Array] = {}
    if profile.my_tiles is not None:
        header["my_tiles"] = _tiles_header(profile.my_tiles)
        arrays["own_means"] = np.asarray(profile.my_tiles.own_set.means, np.float32)
        arrays["own_shapes"] = np.asarray(profile.my_tiles.own_set.shapes, np.float32)
        arrays["patches"] = np.asarray(profile.my_tiles.shown.patches_bgr, np.uint8)
    if profile.reference is not None:
        arrays["reference"] = np.asarray(profile.reference, np.float32)
    if profile.lens is not None:
        lens = profile.lens
        header["lens"] = {"size": lens.size_wh, "rms": lens.rms_px, "photos": lens.photos}
        arrays |= {"lens_matrix": lens.matrix, "lens_bend": lens.bend}
    if profile.plane is not None:
        header["plane"] = _plane_header(profile.plane)
        arrays["plane"] = profile.plane.matrix
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def _tiles_header(mine: MyTiles) -> dict[str, Any]:
    return {
        "rules": mine.edition.rules,
        "colours": mine.edition.colours,
        "gains": mine.gains,
        "model": mine.model_id,
        "tiles": [list(tile) for tile in mine.shown.tiles],
    }


def _plane_header(plane: Plane) -> dict[str, Any]:
    return {
        "size": plane.size_wh,
        "error_px": plane.error_px,
        "error_tiles": plane.error_tiles,
        "source": plane.source,
    }


def _from_parts(header: Mapping[str, Any], parts: Mapping[str, Array]) -> Profile:
    return Profile(
        camera=str(header["camera"]),
        place=str(header["place"]),
        made=str(header["made"]),
        my_tiles=_my_tiles(header["my_tiles"], parts) if "my_tiles" in header else None,
        reference=_shaped(parts["reference"], *FIELDS) if "reference" in parts else None,
        lens=_lens(header["lens"], parts) if "lens" in header else None,
        plane=_plane(header["plane"], parts) if "plane" in header else None,
    )


def _my_tiles(entry: Mapping[str, Any], parts: Mapping[str, Array]) -> MyTiles:
    blue, green, red = (_positive(value) for value in entry["gains"])
    tiles = tuple(_tile(each) for each in entry["tiles"])
    patches = _shaped(parts["patches"], len(tiles), PATCH_PX, PATCH_PX, 3).astype(np.uint8)
    means = _shaped(parts["own_means"], len(COLOURS), None)
    has_shapes = "own_shapes" in parts
    shapes = _shaped(parts["own_shapes"], len(SHAPES), len(SHAPES)) if has_shapes else ORDINARY
    colours = tuple(entry["colours"]) if entry["colours"] else None
    edition = Edition(str(entry["rules"]), colours)
    shown = Shown(patches, tiles)
    model_id = str(entry["model"]) if has_shapes else NO_MODEL
    return MyTiles(edition, (blue, green, red), OwnSet(means, shapes), model_id, shown)


def _tile(words: Sequence[str]) -> Tile:
    shape, colour, background = words
    if shape not in SHAPES or colour not in COLOURS or background not in BACKGROUNDS:
        raise ValueError(f"{words} is no tile")
    return Tile(shape, colour, background)


def _lens(entry: Mapping[str, Any], parts: Mapping[str, Array]) -> Lens:
    width, height = (_pixels(value) for value in entry["size"])
    matrix = _shaped(parts["lens_matrix"], 3, 3).astype(np.float64)
    bend = _shaped(parts["lens_bend"], 5).astype(np.float64)
    return Lens((width, height), matrix, bend, float(entry["rms"]), int(entry["photos"]))


def _plane(entry: Mapping[str, Any], parts: Mapping[str, Array]) -> Plane:
    width, height = (_pixels(value) for value in entry["size"])
    matrix = _shaped(parts["plane"], 3, 3).astype(np.float64)
    errors = float(entry["error_px"]), float(entry["error_tiles"])
    return Plane(
        matrix, (width, height), *errors, "sheet" if entry["source"] == "sheet" else "tiles"
    )


def _shaped(array: Array, *shape: int | None) -> Array:
    """The array, if it is finite and has this shape; None stands for any length."""
    fits = array.ndim == len(shape) and all(
        want in (None, have) for want, have in zip(shape, array.shape, strict=True)
    )
    if not fits or array.dtype.kind not in "fiu" or not np.isfinite(array).all():
        raise ValueError(f"an array of shape {array.shape} is not what was written")
    return array


def _pixels(value: float) -> int:
    if not 0 < value < LONGEST_PX:
        raise ValueError(f"a picture of {value} pixels")
    return int(value)


def _positive(value: float) -> float:
    number = float(value)
    if not 0.01 < number < 100:
        raise ValueError(f"a gain of {number}")
    return number
