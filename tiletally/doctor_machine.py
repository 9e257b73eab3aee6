"""The machine: disk, memory, clock, power, heat."""

from __future__ import annotations

import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path

from tiletally.doctor_findings import Finding, Surroundings, fault, fine, note

LEAST_FREE_MB = 100
LOW_FREE_MB = 500
"""A game with photos takes about 20 MB."""
LEAST_MEMORY_MB = 100
HOT_C = 80.0
"""A Raspberry Pi slows down at 80 °C, and strongly at 85 °C."""
RELEASED = datetime(2026, 1, 1, tzinfo=UTC).timestamp()
"""No clock that is right shows an earlier time than this."""

UNDERVOLTAGE, THROTTLED, HOT = 0x1, 0x4, 0x8
SINCE_BOOT = 16
"""The same bits, this much higher, say that it happened since the last start."""


def check_disk(where: Surroundings) -> list[Finding]:
    """Whether there is room for games and photos."""
    place = next(
        (each for each in (where.data_dir, *where.data_dir.parents) if each.exists()), None
    )
    if place is None:
        return []
    free_mb = shutil.disk_usage(place).free // 1_000_000
    cure = "delete what is not needed, turn photos off in the settings, or use a larger card"
    if free_mb < LEAST_FREE_MB:
        return [fault("disk", "disk_full", f"only {free_mb} MB are free", cure)]
    if free_mb < LOW_FREE_MB:
        return [note("disk", "disk_low", f"only {free_mb} MB are free", cure)]
    return [fine("disk", f"{free_mb / 1000:.1f} GB free")]


def check_memory(where: Surroundings) -> list[Finding]:
    """Whether there is memory left."""
    for line in where.read("proc/meminfo").splitlines():
        if line.startswith("MemAvailable:"):
            free_mb = int(line.split()[1]) // 1000
            if free_mb < LEAST_MEMORY_MB:
                cure = "end other programs, or use a Raspberry Pi with more memory"
                return [fault("memory", "memory_low", f"only {free_mb} MB are left", cure)]
            return [fine("memory", f"{free_mb} MB left")]
    return []


def check_clock(where: Surroundings) -> list[Finding]:
    """Whether the clock can be right: games are sorted by time."""
    now = where.clock()
    shown = datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%d %H:%M UTC")
    if now < RELEASED:
        cure = (
            "connect it to the network, which sets the clock, or: sudo date -s 'YYYY-MM-DD HH:MM'"
        )
        return [fault("clock", "clock_wrong", f"the clock shows {shown}", cure)]
    if ask("timedatectl", "show", "--property=NTPSynchronized", "--value") == "no":
        cure = "connect it to the network, or: sudo timedatectl set-ntp true"
        sentence = f"the clock shows {shown} and is not set by the network"
        return [note("clock", "clock_not_set", sentence, cure)]
    return [fine("clock", shown)]


def check_power(where: Surroundings) -> list[Finding]:
    """Whether the power supply is strong enough, where the machine can tell."""
    bits = _throttled()
    if bits is None:
        return _power_by_kernel(where)
    supply = "use the official power supply and its own cable"
    if bits & UNDERVOLTAGE:
        return [fault("power", "undervoltage", "the voltage is too low now", supply)]
    if bits & (HOT | THROTTLED):
        cure = "give it air or a cooler"
        return [fault("power", "throttled", "it runs slowly because it is too hot", cure)]
    if bits & UNDERVOLTAGE << SINCE_BOOT:
        sentence = "the voltage was too low since the last start"
        return [note("power", "undervoltage_before", sentence, supply)]
    return [fine("power", "the voltage is right")]


def _throttled() -> int | None:
    answer = ask("vcgencmd", "get_throttled")
    try:
        return int(answer.partition("=")[2], 16)
    except ValueError:
        return None


def _power_by_kernel(where: Surroundings) -> list[Finding]:
    for sensor in sorted((where.root / "sys/class/hwmon").glob("*")):
        place = sensor.relative_to(where.root)
        if where.read(f"{place}/name") == "rpi_volt":
            if where.read(f"{place}/in0_lcrit_alarm") == "1":
                cure = "use the official power supply and its own cable"
                return [fault("power", "undervoltage", "the voltage is too low", cure)]
            return [fine("power", "the voltage is right")]
    return []


def check_heat(where: Surroundings) -> list[Finding]:
    """Whether the machine is too hot."""
    text = where.read("sys/class/thermal/thermal_zone0/temp")
    if not text.lstrip("-").isdecimal():
        return []
    degrees = int(text) / 1000
    if degrees >= HOT_C:
        sentence = f"the processor has {degrees:.0f} °C and slows down"
        return [fault("heat", "too_hot", sentence, "give it air or a cooler")]
    return [fine("heat", f"{degrees:.0f} °C")]


def ask(program: str, *words: str) -> str:
    """What a program of the system answers, or nothing where it is missing or fails."""
    found = shutil.which(program)
    if found is None:
        return ""
    try:
        ran = subprocess.run(
            [Path(found), *words], capture_output=True, text=True, timeout=5, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return ran.stdout.strip() if ran.returncode == 0 else ""
