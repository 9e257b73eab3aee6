"""The camera of a running tiletally, which nobody else can open, in the words of its page."""

from __future__ import annotations

from typing import Any

from tiletally.doctor_findings import Finding, Surroundings, fault, fine, note
from tiletally.doctor_network import running_health, told_by_page
from tiletally.doctor_picture import camera_fault, none_found, picture_fault

OF_THE_PICTURE = ("lens_covered", "too_dark", "too_bright", "blurred")
SERVICE_CURE = (
    "see what the page says about the camera, or: sudo systemctl stop tiletally, and again"
)
LOG_CURE = "sudo systemctl restart tiletally; what happened: sudo journalctl -u tiletally -n 50"
NOTES = {
    "too_far": ("tiles are small in the picture", "bring the camera nearer"),
    "never_still": ("the picture never comes to rest", "fix the camera, so that it cannot sway"),
    "photos_not_saved": ("photos of the turns cannot be kept", "make room on the disk"),
}
"""Hints of the page with which games can still be played."""


def check_running_camera(where: Surroundings) -> list[Finding] | None:
    """What a running tiletally says about its camera; None where none runs."""
    health = running_health(where)
    if health is None:
        return None
    state = told_by_page(where, "api/state") or {}
    camera = state.get("camera") or {"state": health.get("camera", "none"), "hints": []}
    hints = {hint["code"]: hint.get("params", {}) for hint in camera["hints"]}
    notes = [note("camera", code, *NOTES[code]) for code in hints if code in NOTES]
    return [*_judge(camera["state"], hints, where), *notes]


def _judge(state: str, hints: dict[str, Any], where: Surroundings) -> list[Finding]:
    if "not_found" in hints:
        return _substituted(where)
    if state == "none":
        return [note("camera", "camera_unused", "the running tiletally uses no camera")]
    if "problem" in hints:
        return [camera_fault(hints["problem"]["sentence"], f"camera_{state}")]
    if "internal" in hints:
        sentence = "the running tiletally stumbles over its pictures"
        return [fault("camera", "camera_stumbles", sentence, LOG_CURE)]
    if state not in ("ok", "busy", "starting"):
        sentence = f"the running tiletally says: {state}"
        return [fault("camera", f"camera_{state}", sentence, SERVICE_CURE)]
    used = fine("camera", f"in use by the running tiletally, which says: {state}")
    return [used] if state == "starting" else [used, *_picture(hints)]


def _substituted(where: Surroundings) -> list[Finding]:
    """It began without a camera; by now there may be one."""
    from vision.cameras.sources import find_source

    found = find_source()
    if found is None:
        return [none_found(where)]
    sentence = f"{found} was not there when tiletally started"
    return [fault("camera", "camera_late", sentence, "sudo systemctl restart tiletally")]


def _picture(hints: dict[str, Any]) -> list[Finding]:
    """Light and focus as the camera's own looks at the table tell them."""
    found = [picture_fault(code) for code in OF_THE_PICTURE if code in hints]
    told = {each.check for each in found}
    sound = [fine(each, "no complaint") for each in ("light", "focus") if each not in told]
    return [*found, *(sound if "lens_covered" not in hints else [])]
