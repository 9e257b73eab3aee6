"""A person in front of the page: only taps and keys, nothing behind it."""

from __future__ import annotations

from collections.abc import Iterable

from playwright.sync_api import Locator, Page, expect

from scorer.tiles import Cell, Placed, Tile

SHAPES = {"star4": "four-pointed star", "star8": "eight-pointed star"}


def tile_name(tile: Tile) -> str:
    """What the page calls a tile."""
    name = f"{tile.colour} {SHAPES.get(tile.shape, tile.shape)}"
    return name if tile.background == "black" else f"{name} on {tile.background}"


class Person:
    """Taps what a person would tap."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def tap(self, name: str) -> None:
        self.button(name).first.tap()

    def go(self, view: str) -> None:
        """Use the navigation."""
        self.page.get_by_role("navigation").get_by_role("link", name=view, exact=True).tap()

    def start(self, names: Iterable[str], game: str = "Qwirkle") -> None:
        """Start a game on the start page."""
        self.page.get_by_role("radio", name=game).first.check()
        for name in names:
            self.page.get_by_label("Another name").fill(name)
            self.tap("Add")
        self.tap("Start the game")
        self.page.wait_for_selector(".board-view, .glance")

    def cell(self, cell: Cell) -> Locator:
        return self.page.locator(f'[data-cell="{cell[0]},{cell[1]}"]')

    def lay(self, placed: Placed) -> None:
        """Two taps: the place, then the tile."""
        self.cell(placed.cell).tap()
        if placed.tile.background != "black":
            self.page.locator(".segments").get_by_text(placed.tile.background).tap()
        grid = self.page.locator(".tile-grid")
        grid.get_by_role("button", name=tile_name(placed.tile), exact=True).tap()
        expect(self.cell(placed.cell)).to_have_attribute("aria-label", tile_name(placed.tile))

    def play(self, move: Iterable[Placed]) -> None:
        for placed in move:
            self.lay(placed)
        self.tap("Done")
        expect(self.button("Done")).to_have_count(0)

    def scores(self) -> dict[str, int]:
        """What the score view shows."""
        self.page.wait_for_selector(".card")
        cards = self.page.locator(".card").all()
        return {
            card.locator(".name").inner_text(): int(card.locator(".number").inner_text())
            for card in cards
        }
