"""The camera and what it shows: is it there, is there light, is it sharp?"""

from __future__ import annotations

import os
from typing import Any

from tiletally.doctor_findings import Finding, Surroundings, fault, fine, user_name

BRIGHT_GREY = 235.0
GLARE_SHARE = 0.25
"""Share of the picture that is burnt out, above which colours are lost."""
SHARP_RATIO = 1.27
"""Steepness of fine edges against coarse ones. 30 photos and renderings in focus have 1.31 to 1.88
(the least on nearly empty tables); blurred by 3 px in a picture of 1280 they have at most 1.25."""
WIDTH_PX = 1280

FAULTS = {
    "lens_covered": (
        "light",
        "nothing can be seen",
        "take off the cap or the film, and switch on the lamp",
    ),
    "too_dark": (
        "light",
        "it is too dark",
        "switch on a lamp above the table, so that no shadows of hands fall on it",
    ),
    "too_bright": (
        "light",
        "it is too bright",
        "turn the lamp away, or use a shade: it must not mirror in the table",
    ),
    "blurred": (
        "focus",
        "the picture is blurred",
        "wipe the lens; turn the focus ring (HQ, Module 2) or start again to focus (Module 3)",
    ),
}
"""What can be wrong with a picture: check, sentence and cure."""

Picture = Any
"""A BGR picture; OpenCV may be missing when this module is loaded."""


def check_camera(where: Surroundings) -> list[Finding]:
    """Look through the camera."""
    try:
        import vision.cameras.sources  # noqa: F401 - fails where OpenCV or numpy are missing
    except (ImportError, ValueError, AttributeError):
        return []  # said by the packages
    forbidden = _forbidden_devices(where)
    return [forbidden] if forbidden else _look(where)


def _forbidden_devices(where: Surroundings) -> Finding | None:
    devices = [*(where.root / "dev").glob("media[0-9]*"), *(where.root / "dev").glob("video[0-9]*")]
    if not devices or any(os.access(each, os.R_OK | os.W_OK) for each in devices):
        return None
    sentence = f"{user_name()} may not use {sorted(devices)[0]}"
    cure = f"sudo usermod -aG video {user_name()}, then log in again; or run this with sudo"
    return fault("camera", "camera_forbidden", sentence, cure)


def _look(where: Surroundings) -> list[Finding]:
    from vision.cameras.base import CameraError
    from vision.cameras.settled import settled_picture
    from vision.cameras.sources import SourceError, find_source, open_camera, parse_source

    try:
        source = parse_source(where.camera) if where.camera else find_source()
    except SourceError as error:
        return [fault("camera", "camera_unknown", str(error), "see: tiletally serve --help")]
    if source is None:
        return [none_found(where)]
    camera = open_camera(source)
    try:
        picture = settled_picture(camera)
    except CameraError as error:
        return [_fault_of(error)]
    finally:
        camera.close()
    size = f"{picture.shape[1]} x {picture.shape[0]}"
    return [fine("camera", f"{camera.name}, {size}"), *judge_picture(picture)]


def none_found(where: Surroundings) -> Finding:
    """Nothing answers; on a Raspberry Pi the reason is looked for."""
    from vision.cameras.picamera_library import NoLibraryError, load_library, no_camera

    if not where.is_raspberry_pi:
        cure = "plug in a USB camera, or play with photos from a phone"
        return fault("camera", "camera_missing", "no camera was found", cure)
    config = where.read("boot/firmware/config.txt").splitlines()
    if "camera_auto_detect=0" in config and not any(_is_sensor(line) for line in config):
        cure = "set camera_auto_detect=1 in /boot/firmware/config.txt and start again"
        return fault("camera", "camera_switched_off", "the camera is switched off", cure)
    try:
        load_library()
    except NoLibraryError as error:
        return _fault_of(error)
    return _fault_of(no_camera())


def _is_sensor(line: str) -> bool:
    return line.startswith(("dtoverlay=imx", "dtoverlay=ov"))


def _fault_of(error: Exception) -> Finding:
    from vision.cameras import picamera_library as library

    codes: dict[type[Exception], str] = {
        library.NumpyClashError: "camera_numpy",
        library.NoLibraryError: "camera_library",
        library.NoPiCameraError: "camera_missing",
        library.CameraBusyError: "camera_busy",
        library.LooseRibbonError: "camera_ribbon",
    }
    return camera_fault(str(error), codes.get(type(error), "camera_silent"))


def camera_fault(words: str, code: str) -> Finding:
    """What a camera said, often with its cure after a colon."""
    sentence, _, cure = words.partition(": ")
    return fault("camera", code, sentence, cure or "check its cable, and start again")


def picture_fault(code: str, measured: str = "") -> Finding:
    """A fault of the picture in words."""
    check, sentence, cure = FAULTS[code]
    return fault(check, code, f"{sentence} ({measured})" if measured else sentence, cure)


def judge_picture(picture: Picture) -> list[Finding]:
    """Light and focus of a BGR picture (H, W, 3)."""
    import cv2

    from tiletally.live_health import GREY_DARK
    from vision.watch import DARK_GREY, EVEN_GREY

    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    mean, spread = float(grey.mean()), float(grey.std())
    if mean < DARK_GREY or spread < EVEN_GREY:
        return [picture_fault("lens_covered")]
    return [_judge_light(picture, mean, GREY_DARK), _judge_focus(picture)]


def _judge_light(picture: Picture, mean: float, dark: float) -> Finding:
    shown = f"brightness {mean:.0f} of 255"
    if mean < dark:
        return picture_fault("too_dark", shown)
    glare = float((picture.min(axis=2) > BRIGHT_GREY).mean())
    if glare > GLARE_SHARE:
        return picture_fault("too_bright", f"{glare:.0%} of the picture are burnt out")
    return fine("light", shown)


def _judge_focus(picture: Picture) -> Finding:
    ratio = sharpness(picture)
    if ratio < SHARP_RATIO:
        return picture_fault("blurred", f"{ratio:.2f}")
    return fine("focus", f"sharp ({ratio:.2f})")


def sharpness(picture: Picture) -> float:
    """How much steeper edges are in fine than in coarse detail: 1 is blurred, 2 is very sharp."""
    import cv2
    import numpy as np

    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    height = round(WIDTH_PX * grey.shape[0] / grey.shape[1])
    small = cv2.resize(grey, (WIDTH_PX, height), interpolation=cv2.INTER_AREA).astype(np.float32)

    def steepest(sigma: float) -> float:
        soft = cv2.GaussianBlur(small, (0, 0), sigma)
        across = cv2.Sobel(soft, cv2.CV_32F, 1, 0)
        down = cv2.Sobel(soft, cv2.CV_32F, 0, 1)
        return float(np.percentile(np.hypot(across, down), 99.7))

    return steepest(0.8) / max(steepest(2.5), 1e-6)
