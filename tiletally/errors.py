"""Errors that are meant for the person at the keyboard."""

from __future__ import annotations


class UserError(Exception):
    """A problem that the user can mend, said in one clear sentence."""
