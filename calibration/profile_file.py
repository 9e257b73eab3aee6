"""Profiles on the disk: plain arrays with a header, written so that a power cut does no harm."""

from __future__ import annotations

import io
import json
import re
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from calibration.lens import Lens
from calibration.light import Shown
from calibration.my_tiles import Edition
from calibration.plane import Plane
from calibration.profile import MyTiles, Profile
from scorer.journal_files import sync, unused_path
from scorer.tiles import BACKGROUNDS, COLOURS, SHAPES, Tile
from vision.own_set import OwnSet
from vision.patches import PATCH_PX

Array = npt.NDArray[Any]

FORMAT = 1
FOLDER = "calibration"
SUFFIX = ".npz"
ASIDE = "-set-aside"


class ProfileError(Exception):
    """A profile cannot be used; the message says why, and that defaults are used instead."""


def profile_path(data_dir: Path, camera: str, place: str) -> Path:
    """Where the profile of a camera at a place is kept."""
    words = [re.sub(r"[^\w-]+", "-", word).strip("-").lower() for word in (camera, place)]
    return data_dir / FOLDER / f"{'@'.join(word or 'unnamed' for word in words)}{SUFFIX}"


def load_profile(data_dir: Path, camera: str, place: str) -> tuple[Profile, str | None]:
    """The profile, or the defaults with a message where it is missing or damaged."""
    default = Profile(camera, place)
    path = profile_path(data_dir, camera, place)
    if not path.exists():
        return default, f"{camera} at {place} is not calibrated; reading works without."
    try:
        return read_profile(path), None
    except ProfileError as error:
        return default, str(error)


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


def save_profile(data_dir: Path, profile: Profile) -> tuple[Path, str | None]:
    """Write a profile in one step; a damaged file in its place is set aside, with a message."""
    path = profile_path(data_dir, profile.camera, profile.place)
    path.parent.mkdir(parents=True, exist_ok=True)
    message = _set_aside(path)
    fresh = path.with_suffix(".new")
    fresh.write_bytes(profile_bytes(profile))
    sync(fresh)
    fresh.replace(path)
    sync(path.parent)
    return path, message


def _set_aside(path: Path) -> str | None:
    if not path.exists():
        return None
    try:
        read_profile(path)
    except ProfileError:
        aside = unused_path(path.parent, f"{path.stem}{ASIDE}", SUFFIX)
        path.replace(aside)
        return f"The old profile could not be used and was set aside as {aside.name}."
    return None


def read_profile(path: Path) -> Profile:
    """Read a profile file.

    Raises:
        ProfileError: It is damaged, or of a newer format.
    """
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            parts = {name: np.asarray(arrays[name]) for name in arrays.files}
        header = json.loads(parts["header"].tobytes())
        if header["format"] > FORMAT:
            raise ProfileError(
                f"The profile {path.name} was written by a newer tiletally; the defaults are used."
            )
        return _from_parts(header, parts)
    except (OSError, ValueError, KeyError, TypeError, EOFError, BadZipFile, zlib.error) as error:
        raise ProfileError(
            f"The profile {path.name} is damaged; the defaults are used. Calibrate again."
        ) from error


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
        reference=_shaped(parts["reference"], None, None, 3) if "reference" in parts else None,
        lens=_lens(header["lens"], parts) if "lens" in header else None,
        plane=_plane(header["plane"], parts) if "plane" in header else None,
    )


def _my_tiles(entry: Mapping[str, Any], parts: Mapping[str, Array]) -> MyTiles:
    blue, green, red = (_positive(value) for value in entry["gains"])
    tiles = tuple(_tile(each) for each in entry["tiles"])
    patches = _shaped(parts["patches"], len(tiles), PATCH_PX, PATCH_PX, 3).astype(np.uint8)
    means = _shaped(parts["own_means"], len(COLOURS), None)
    colours = tuple(entry["colours"]) if entry["colours"] else None
    edition = Edition(str(entry["rules"]), colours)
    shown = Shown(patches, tiles)
    return MyTiles(edition, (blue, green, red), OwnSet(means), str(entry["model"]), shown)


def _tile(words: Sequence[str]) -> Tile:
    shape, colour, background = words
    if shape not in SHAPES or colour not in COLOURS or background not in BACKGROUNDS:
        raise ValueError(f"{words} is no tile")
    return Tile(shape, colour, background)


def _lens(entry: Mapping[str, Any], parts: Mapping[str, Array]) -> Lens:
    width, height = (int(value) for value in entry["size"])
    matrix = _shaped(parts["lens_matrix"], 3, 3).astype(np.float64)
    bend = _shaped(parts["lens_bend"], 5).astype(np.float64)
    return Lens((width, height), matrix, bend, float(entry["rms"]), int(entry["photos"]))


def _plane(entry: Mapping[str, Any], parts: Mapping[str, Array]) -> Plane:
    width, height = (int(value) for value in entry["size"])
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
    if not fits or not np.isfinite(array).all():
        raise ValueError(f"an array of shape {array.shape} is not what was written")
    return array


def _positive(value: float) -> float:
    number = float(value)
    if not 0.01 < number < 100:
        raise ValueError(f"a gain of {number}")
    return number
