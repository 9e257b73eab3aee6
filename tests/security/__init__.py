"""Attacks that were tried, and what came of them."""
