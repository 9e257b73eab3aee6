"""Cameras behind one small interface: a light stream for watching, a full picture for reading."""
