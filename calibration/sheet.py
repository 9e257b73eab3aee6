"""The printable ChArUco sheet: a PDF with exact millimetres, written by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

COLUMNS, ROWS = 7, 10
SQUARE_MM, MARKER_MM = 24.0, 18.0
DICTIONARY = cv2.aruco.DICT_4X4_50
"""Markers of 4 by 4 fields: the coarsest there are, so that small pictures of them still read."""

PAPERS_MM = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
POINTS_PER_MM = 72 / 25.4
RULER_MM = 100.0

_WORDS = (
    "tiletally: sheet for the lens. Print at 100 % (no fitting to the page), lay it flat.",
    "Check: this bar is exactly 100 mm long.",
)

Rectangle = tuple[float, float, float, float]
"""Left, bottom, width and height in millimetres from the page's lower left."""


@dataclass(frozen=True, slots=True)
class Page:
    """What is printed: black rectangles, and words (left, bottom, text), in millimetres."""

    size_mm: tuple[float, float]
    rectangles: tuple[Rectangle, ...]
    words: tuple[tuple[float, float, str], ...]


def board() -> cv2.aruco.CharucoBoard:
    """The board that is on the sheet, in millimetres."""
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    return cv2.aruco.CharucoBoard((COLUMNS, ROWS), SQUARE_MM, MARKER_MM, dictionary)


def page(paper: str) -> Page:
    """The sheet for a paper of `PAPERS_MM`: the board above, the check ruler and words below."""
    width, height = PAPERS_MM[paper]
    left, top = (width - COLUMNS * SQUARE_MM) / 2, height - 10.0
    placed = [
        (left + x, top - y - high, wide, high) for x, y, wide, high in [*_squares(), *_markers()]
    ]
    low = top - ROWS * SQUARE_MM
    ruler = (left, low - 18.0, RULER_MM, 2.0)
    ticks = [(left + at - 0.1, low - 16.0, 0.2, 3.0) for at in (0.1, RULER_MM / 2, RULER_MM - 0.1)]
    words = ((left, low - 8.0, _WORDS[0]), (left, low - 24.0, _WORDS[1]))
    return Page((width, height), (*placed, ruler, *ticks), words)


def _marker_places() -> list[tuple[int, npt.NDArray[np.float64]]]:
    """Number and top left corner (2,) of every marker, in millimetres from the board's."""
    made = board()
    numbers = np.asarray(made.getIds()).ravel()
    corners = [np.asarray(each, float).reshape(-1, 3)[:, :2] for each in made.getObjPoints()]
    return [(int(n), each.min(0)) for n, each in zip(numbers, corners, strict=True)]


def _squares() -> list[Rectangle]:
    """Black squares from the top left: those without a marker."""
    white = {tuple((place // SQUARE_MM).astype(int)) for _, place in _marker_places()}
    return [
        (column * SQUARE_MM, row * SQUARE_MM, SQUARE_MM, SQUARE_MM)
        for row in range(ROWS)
        for column in range(COLUMNS)
        if (column, row) not in white
    ]


def _markers() -> list[Rectangle]:
    """The black fields of all markers, joined along each row so that no hairlines show."""
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    fields = dictionary.markerSize + 2
    edge = MARKER_MM / fields
    rectangles: list[Rectangle] = []
    for number, (x, y) in _marker_places():
        picture = np.asarray(cv2.aruco.generateImageMarker(dictionary, number, fields))
        for row in range(fields):
            for start, length in _black_runs(picture[row]):
                rectangles.append((x + start * edge, y + row * edge, length * edge, edge))
    return rectangles


def _black_runs(levels: npt.NDArray[Any]) -> list[tuple[int, int]]:
    """Start and length of each run of black fields."""
    black = np.concatenate([[0], (levels < 128).astype(int), [0]])
    starts, ends = np.flatnonzero(np.diff(black) == 1), np.flatnonzero(np.diff(black) == -1)
    return [(int(a), int(b - a)) for a, b in zip(starts, ends, strict=True)]


def pdf(paper: str) -> bytes:
    """The sheet as a PDF file of one page."""
    shown = page(paper)
    width, height = (value * POINTS_PER_MM for value in shown.size_mm)
    content = _content(shown)
    return _file(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width:.4f} {height:.4f}] "
            "/Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>".encode(),
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        ]
    )


def _content(shown: Page) -> bytes:
    lines = ["0 g"]
    for rectangle in shown.rectangles:
        x, y, wide, high = (value * POINTS_PER_MM for value in rectangle)
        lines.append(f"{x:.4f} {y:.4f} {wide:.4f} {high:.4f} re f")
    for left, low, text in shown.words:
        place = f"{left * POINTS_PER_MM:.2f} {low * POINTS_PER_MM:.2f}"
        escaped = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
        lines.append(f"BT /F1 9 Tf {place} Td ({escaped}) Tj ET")
    return "\n".join(lines).encode("ascii")


def _file(objects: Sequence[bytes]) -> bytes:
    """A PDF of numbered objects, the first of which is the catalogue."""
    data, places = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", []
    for number, body in enumerate(objects, start=1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    head = b"xref\n0 %d\n0000000000 65535 f \n%s" % (size, table)
    end = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, len(data))
    return data + head + end
