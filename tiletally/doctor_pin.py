"""The PIN: whether it can be read, and by nobody else."""

from __future__ import annotations

from tiletally.doctor_findings import Finding, Surroundings, fault, fine, note

REMOVE = "sudo tiletally pin --remove"
OTHERS = 0o077


def check_pin(where: Surroundings) -> list[Finding]:
    """Whether a PIN locks the controls, and its file is as it should be."""
    try:
        # Imported here: the doctor has to work where the page's packages are missing.
        from webui.pin_file import FILE_NAME, PinFileError, read_pin
    except ImportError:
        return []
    try:
        pin = read_pin(where.data_dir)
    except PinFileError:
        sentence = "the PIN cannot be read, so that nobody may tap"
        return [fault("pin", "pin_unreadable", sentence, f"{REMOVE}, then set it anew on the page")]
    if pin is None:
        return [fine("pin", "no PIN: everybody at home may tap")]
    path = where.data_dir / FILE_NAME
    if path.stat().st_mode & OTHERS:
        sentence = f"others on this machine may read {FILE_NAME}"
        return [note("pin", "pin_readable", sentence, f"chmod 600 {path}")]
    return [fine("pin", f"a PIN locks the controls (forgotten: {REMOVE})")]
