"""The tests; their tree mirrors the packages."""
