"""The views, one module for each part of the page."""
