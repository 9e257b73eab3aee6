"""Requests that leave no doubt where they end.

Waitress takes one with two lengths by the one of its chunks. Another program in front of it may
take it by the other, and then a request hidden in a body is carried out.
"""

from __future__ import annotations

from waitress.parser import HTTPRequestParser, ParsingError


class OneLengthParser(HTTPRequestParser):
    """Takes only requests with one length."""

    def parse_header(self, header_plus: bytes) -> None:
        """Read the head of a request."""
        super().parse_header(header_plus)
        lengths = self.chunked + ("CONTENT_LENGTH" in self.headers)
        if lengths > 1 or "TRANSFER_ENCODING" in self.headers:
            raise ParsingError("a request has one length")
