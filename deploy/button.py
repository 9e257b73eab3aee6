"""A push button for "done", between a GPIO pin and ground.

It taps as a tablet would, over the page's own interface, and needs no rights but the pin.
"""

from __future__ import annotations

import argparse
import json
import logging
import signal
import urllib.error
import urllib.request
import uuid
from collections.abc import Sequence

logger = logging.getLogger("tiletally.button")

BOUNCE_S = 0.05
"""Contacts chatter for a few milliseconds; people cannot press twice in fifty."""
ANSWER_WITHIN_S = 5.0


def say_done(address: str) -> bool:
    """Tell the scorekeeper that the turn is done, and return whether it was understood."""
    # One id for each press: a resend by the network would count once.
    body = json.dumps({"command": f"button-{uuid.uuid4().hex}"}).encode()
    request = urllib.request.Request(
        f"{address}/api/turn/done", body, {"Content-Type": "application/json"}
    )
    try:
        with urllib.request.urlopen(request, timeout=ANSWER_WITHIN_S):
            return True
    except urllib.error.HTTPError as error:
        logger.info("done was refused: %s", error.read(300).decode(errors="replace"))
    except OSError as error:
        logger.warning("the scorekeeper cannot be reached: %s", error)
    return False


def main(argv: Sequence[str] | None = None) -> None:
    """Wait for the button until told to end."""
    from gpiozero import Button

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pin", type=int, default=17, help="GPIO number (default: 17)")
    parser.add_argument("--address", default="http://localhost")
    args = parser.parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    button = Button(args.pin, bounce_time=BOUNCE_S)
    button.when_pressed = lambda: say_done(args.address)
    logger.info("the button is on GPIO %d", args.pin)
    signal.pause()


if __name__ == "__main__":
    main()
