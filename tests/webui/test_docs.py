"""Every call is described."""

from __future__ import annotations

import re
from pathlib import Path

from flask import Flask

from tiletally.session_settings import SETTINGS
from webui.views.turns import _CORRECTIONS, _WISHES

TEXT = (Path(__file__).parents[2] / "docs" / "http.md").read_text(encoding="utf-8")


def test_every_call_is_described(app: Flask) -> None:
    rules = {re.sub(r"<(?:\w+:)?(\w+)>", r"<\1>", rule.rule) for rule in app.url_map.iter_rules()}
    named = {rule.replace("<number>", "<n>").replace("<game_id>", "<id>") for rule in rules}
    listed = {rule for rule in named if "<wish>" not in rule and "<what>" not in rule}
    listed = {rule for rule in listed if not rule.startswith("/static")}
    assert {rule for rule in listed if rule not in TEXT} == set()


def test_every_button_correction_and_setting_is_described() -> None:
    words = [f"/api/turn/{wish}" for wish in _WISHES]
    words += [f"/{correction}" for correction in _CORRECTIONS]
    words += [setting.name for setting in SETTINGS]
    assert [word for word in words if word not in TEXT] == []
