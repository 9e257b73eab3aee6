"""Settings for the tests of the scorer."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile(
    "scorer",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("scorer")
