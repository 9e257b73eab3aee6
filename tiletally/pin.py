"""The command `tiletally pin`: the way back in for parents who forgot the PIN."""

from __future__ import annotations

import argparse
import sys

from tiletally.errors import UserError
from tiletally.games import add_data_argument
from webui.pin_file import PinFileError, read_pin, remove_pin


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what to do and the place of the games."""
    parser.add_argument(
        "--remove", action="store_true", help="remove the PIN; a new one can be set on the page"
    )
    add_data_argument(parser)


def run(args: argparse.Namespace) -> int:
    """Tell whether there is a PIN, or remove it; the running scorekeeper notices at once."""
    if not args.data.is_dir():
        raise UserError(f"There is no folder {args.data}; say with --data where the games are.")
    if args.remove:
        sentence = "The PIN is removed." if remove_pin(args.data) else "There was no PIN."
    else:
        sentence = _told(args)
    sys.stdout.write(f"{sentence}\n")
    return 0


def _told(args: argparse.Namespace) -> str:
    try:
        pin = read_pin(args.data)
    except PinFileError as error:
        raise UserError(f"{error}. Remove it with: tiletally pin --remove") from error
    if pin is None:
        return "There is no PIN: everybody at home may tap."
    count = sum(device.is_open for device in pin.devices)
    devices = "1 device has" if count == 1 else f"{count} devices have"
    return f"A PIN locks the controls; {devices} entered it. Forgotten: tiletally pin --remove"
