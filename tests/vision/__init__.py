"""Tests of finding, reading and following tiles."""
