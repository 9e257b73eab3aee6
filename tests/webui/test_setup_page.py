"""A family sets up its camera on the page, with taps alone and real pictures behind it."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from calibration.arrangement import suggested
from calibration.profile_file import profile_path
from scorer.tiles import Tile
from tests.calibration.test_lens import VIEWS as SHEETS
from tests.calibration.test_lens import sheet_photo
from tests.webui.conftest import PHONE, TABLET, TV, UPRIGHT, DescribedClient, OpenPage
from tests.webui.family import Person
from tests.webui.family_camera import CANDLE, FamilyCamera, jpeg_of, picture_of, until
from tests.webui.test_setup import EMPTY, OPENING
from tests.webui.test_views import MEASURE, violations
from tiletally.calibrating import CameraSetup
from tiletally.session import Session
from webui import create_app

SIZES = {"phone": PHONE, "tablet": TABLET, "upright": UPRIGHT, "tv": TV}
PATIENCE_MS = 30_000


@pytest.fixture
def camera(session: Session, tmp_path: Path) -> FamilyCamera:
    return FamilyCamera.watching(session, tmp_path)


@pytest.fixture
def app(session: Session, camera: FamilyCamera) -> Flask:
    app = create_app(session, camera_setup=camera.setup)
    app.test_client_class = DescribedClient
    return app


def seen(page: Page, text: str) -> None:
    expect(page.locator(".setup-view")).to_contain_text(text, timeout=PATIENCE_MS)


def test_from_the_camera_view_to_tiles_that_are_read_right(
    open_page: OpenPage, camera: FamilyCamera, session: Session
) -> None:
    session.new_game({"rules": "flex", "players": ["Ada", "Ben"]})
    camera.shows(EMPTY)
    page = open_page("camera")
    person = Person(page)
    page.get_by_role("link", name="Set up the camera").tap()
    seen(page, "No tiles are seen.")
    camera.shows(picture_of(suggested("flex"), CANDLE))
    person.tap("Look now")
    seen(page, "Two colours look much alike")
    expect(page.locator(".aim img")).to_have_js_property("complete", True)
    assert page.locator(".lay-out .tile-picture").count() == 12
    person.tap("I have laid them out")
    seen(page, "Of 12 tiles, 11 had the right colour before and 12 have it now.")
    person.tap("Look now")
    seen(page, "The colours are easy to tell apart.")
    seen(page, "Light and tiles: learned from 12 tiles")
    person.tap("Remember this place")
    seen(page, "a bumped camera will be noticed")
    person.go("Score")
    until(lambda: "being_set_up" not in camera.hints())
    camera.shows(picture_of(OPENING, CANDLE))
    expect(page.locator(".panel.pending .tile-picture")).to_have_count(3, timeout=PATIENCE_MS)


def test_what_is_refused_says_how_to_mend_it(open_page: OpenPage, camera: FamilyCamera) -> None:
    camera.shows(picture_of(OPENING))
    page = open_page("setup", PHONE, "de")
    seen(page, "Das Bild ist scharf.")
    Person(page).tap("Qwirkle Flex")
    Person(page).tap("Sie liegen bereit")
    seen(page, "Legt genau diese Steine Kante an Kante")
    Person(page).tap("Standort merken")
    seen(page, "Steine, die beisammenliegen: 3; es braucht 6 oder mehr.")


def test_a_tile_laid_wrong_is_named_and_nothing_better_is_claimed(
    open_page: OpenPage, camera: FamilyCamera
) -> None:
    wrong = {(2, 0): Tile("circle", "green", "black")}
    camera.shows(picture_of(suggested("flex") | wrong))
    page = open_page("setup")
    Person(page).tap("Qwirkle Flex")
    Person(page).tap("I have laid them out")
    seen(page, "One tile lies wrong")
    seen(page, "Of 12 tiles, 11 have the right colour and 11 the right shape, as before.")


def test_another_box_is_chosen_and_learned_and_forgotten(
    open_page: OpenPage, camera: FamilyCamera
) -> None:
    white = ("red", "orange", "yellow", "green", "blue", "white")
    camera.shows(picture_of(suggested("classic", white)))
    page = open_page("setup")
    person = Person(page)
    person.tap("Qwirkle with white")
    person.tap("I have laid them out")
    seen(page, "Light and tiles: learned from 12 tiles")
    person.tap("Forget it")
    seen(page, "Light and tiles: not shown yet")
    assert camera.setup.known()["tiles"] is None


def test_the_lens_is_measured_by_taps(open_page: OpenPage, camera: FamilyCamera) -> None:
    camera.shows(EMPTY)
    page = open_page("setup")
    person = Person(page)
    page.locator(".lens summary").tap()
    with page.expect_download() as download:
        page.get_by_role("link", name="Sheet for A4").tap()
    assert download.value.path().read_bytes().startswith(b"%PDF-")
    person.tap("Take a photo of the sheet")
    seen(page, "so this photo does not count")
    for number in range(len(SHEETS)):
        camera.shows(sheet_photo(number))
        person.tap("Take a photo of the sheet")
        seen(page, f"{number + 1} photo{'' if number == 0 else 's'} so far")
    person.tap("Measure the lens")
    seen(page, f"the lens is known from {len(SHEETS)} photos")


def test_other_light_is_said_at_the_score_and_leads_to_the_set_up(
    open_page: OpenPage, camera: FamilyCamera, session: Session
) -> None:
    camera.shows(picture_of(suggested("flex")))
    camera.setup.step("tiles", "flex", None)
    camera.setup.leave()
    session.new_game({"rules": "flex", "players": ["Ada", "Ben"]})
    camera.shows(picture_of(OPENING, CANDLE))
    page = open_page("score", PHONE, "fr")
    hint = page.get_by_role("link", name="La lumière est plus chaude")
    expect(hint).to_be_visible(timeout=PATIENCE_MS)
    assert page.evaluate(MEASURE) == []
    hint.tap()
    page.wait_for_selector(".setup-view")


def test_a_phone_takes_the_photo_of_each_step(
    open_page: OpenPage, app: Flask, session: Session, tmp_path: Path
) -> None:
    (tmp_path / "phone").mkdir()
    phone = FamilyCamera.watching(session, tmp_path / "phone", by_phone=True)
    app.extensions["tiletally_setup"] = phone.setup
    photo = tmp_path / "photo.jpg"
    photo.write_bytes(jpeg_of(picture_of(suggested("classic"), CANDLE)))
    page = open_page("setup", PHONE)
    page.wait_for_selector(".my-tiles input[type=file]", state="attached")
    page.locator(".aim input[type=file]").set_input_files(photo)
    seen(page, "The picture is sharp.")
    page.locator(".my-tiles input[type=file]").set_input_files(photo)
    seen(page, "Light and tiles: learned from 12 tiles")
    assert violations(page) + page.evaluate(MEASURE) == []


def test_what_was_damaged_is_said_and_learned_again(
    open_page: OpenPage, app: Flask, session: Session, tmp_path: Path
) -> None:
    path = profile_path(tmp_path / "other", "folder:pictures", "table")
    path.parent.mkdir(parents=True)
    path.write_bytes(b"damaged")
    camera = FamilyCamera.watching(session, tmp_path / "other")
    app.extensions["tiletally_setup"] = camera.setup
    camera.shows(picture_of(suggested("classic")))
    page = open_page("setup")
    seen(page, "is damaged and is not used")
    Person(page).tap("I have laid them out")
    seen(page, "has been set aside as folder-pictures@table-set-aside")
    seen(page, "Light and tiles: learned from 12 tiles")


@pytest.mark.parametrize("absent", ["none", "demo", "starting"])
def test_where_there_is_nothing_to_set_up_it_is_said(
    open_page: OpenPage, app: Flask, absent: str
) -> None:
    app.extensions["tiletally_setup"] = CameraSetup(absent)
    page = open_page("setup")
    words = {"none": "no camera to set up", "demo": "only simulated", "starting": "is starting"}
    seen(page, words[absent])


@pytest.mark.parametrize("language", ["de", "fr"])
def test_nothing_is_cut_off_or_too_small(
    open_page: OpenPage, camera: FamilyCamera, language: str
) -> None:
    shown(camera)
    page = open_page("setup", PHONE, language)
    page.locator(".lens summary").tap()
    page.wait_for_selector(".aim .findings li")
    found = {}
    for name, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(150)
        found[name] = page.evaluate(MEASURE)
    assert {name: problems for name, problems in found.items() if problems} == {}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(open_page: OpenPage, camera: FamilyCamera, theme: str) -> None:
    shown(camera)
    page = open_page("setup", TABLET, "en", theme)
    page.locator(".lens summary").tap()
    page.wait_for_selector(".aim .findings li")
    Person(page).tap("Remember this place")
    seen(page, "a bumped camera will be noticed")
    assert violations(page) == []


def shown(camera: FamilyCamera) -> None:
    """A camera that knows something and sees its tiles in other light."""
    camera.shows(picture_of(suggested("classic")))
    camera.setup.step("tiles", "classic", None)
    camera.shows(picture_of(suggested("classic"), CANDLE))
