"""The living table: camera, watcher, reader and follower wired to the game session.

    table = CameraTable(session, open_camera(parse_source("demo")), source="demo")
    session.attach(table)
    table.start()

A `CameraTable` is the `LiveTable` of `tiletally.session`: it plays turns into the session and
tells its part of the state (`pending`, `illegal`, `questions`, `camera`, `border`; see there).
`step()` handles one frame; `start` does so in a thread of its own until `close`. Everything that
people want comes through `wish` and may come from any thread.

When a move is final: at once when somebody says done; by itself when hands have been away for the
setting `close_turn_after_s` (0: never); or when other tiles, legal as the next player's move, lie
beside a move that had been lying untouched. An illegal move waits until it is mended or accepted.
A turn that a person took back is shown as pending but held, so that it does not count again.

Question codes: `which_tile` (choices are tiles, or `no_tile`), `unread_tile`, `which_first`
(several moves at once; choices are `these_first` with the `cells` of the first move). Hint codes:
`problem` (with a `sentence`), `not_found`, `lens_covered`, `too_dark`, `never_still`,
`layout_lost`, `tile_gone` (`x`, `y`), `photos_not_saved`, `turn_not_saved`, `internal`,
`being_set_up`, and what has changed since the set-up (`live_health.DRIFT_HINTS`).
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from scorer.errors import BusyError, EventError, GameError
from scorer.tiles import COLOURS, Cell
from tiletally.live_beat import HUNG_S, LIMITS_S, WITH_THE_CAMERA, Beat
from tiletally.live_drift import CheckDrift, DriftWatch
from tiletally.live_game import Desk, FollowedGame
from tiletally.live_health import CameraHealth
from tiletally.live_part import live_part
from tiletally.live_photos import encode_jpeg, reduced
from tiletally.live_wishes import done, fulfil
from tiletally.photo_store import PhotoStore
from tiletally.replaying import Reads
from tiletally.session_guest import DismissedError, TableSession
from tiletally.session_live import AnyTicket, Current, Ticket
from vision.assign import Game as Rules
from vision.cameras.base import Camera, CameraEndedError, CameraError, Frame, Glance
from vision.cameras.demo import DemoTable
from vision.cameras.demo_play import Position
from vision.cameras.phone import PhoneCamera
from vision.overlay import draw_overlay
from vision.reading import Reading
from vision.understand import Onlooker
from vision.watch import Watched, Watcher

logger = logging.getLogger(__name__)

MOST_LOOKS = 3
"""Looks at a table that does not change; more than three add nothing (`vision.evidence`)."""
LOOK_AGAIN_S = 0.6
"""Pause between looks at an unchanged table that leaves something open."""
FRESH_WITHIN_S = 1.0
"""A picture that repeats exactly for longer, five frames of a slow camera, shows nothing new."""
LOST_S = 0.3
"""Pause before a camera that gives no picture is asked again."""

MOST_STUMBLES = 5
"""Unexpected errors in a row after which only a fresh table can help."""
TAP_WAIT_S = 4.0
"""How long a tap waits for a look to end; the longest looks take 2 s on the smallest machine."""
PREVIEW_WAIT_S = 2.0
RESTARTED_SHOWN_S = 60.0


@dataclass(frozen=True, slots=True)
class Limits:
    """How long the parts of a step may take, and the pause after an unexpected error."""

    hung_s: float = HUNG_S
    of_phase_s: Mapping[str, float] = field(default_factory=lambda: LIMITS_S)
    stumble_s: float = 1.0


DEFAULT_LIMITS = Limits()
MakeReader = Callable[[str, Sequence[str] | None], Reads]
CheckAim = Callable[[Frame, Reading], Iterable[str]]
"""Tells, as codes, what is wrong with a picture."""


class CameraTable:
    """Follows the game that the session plays through a camera."""

    def __init__(
        self,
        session: TableSession,
        camera: Camera,
        *,
        source: str = "",
        make_reader: MakeReader | None = None,
        check_aim: CheckAim | None = None,
        check_drift: CheckDrift | None = None,
        photos: Path | None = None,
        is_substitute: bool = False,
        problem: str = "",
        was_restarted: bool = False,
        limits: Limits = DEFAULT_LIMITS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take over a camera; nothing happens before `start` or `step`.

        `is_substitute` says that it only stands in for a camera that was not found, `problem` why,
        `was_restarted` that it takes the place of a table that hung.
        """
        self._session = session
        self._camera = camera
        self._make_reader = make_reader or _reader
        self._check_aim = check_aim
        self._clock = clock
        health = CameraHealth(source or camera.name, isinstance(camera, PhoneCamera))
        health.hint("not_found", is_substitute)
        health.hint("problem", bool(problem), sentence=problem)
        health.hint("restarted", was_restarted)
        self._desk = Desk(session, PhotoStore(photos), health)
        self._drift = DriftWatch(check_drift, health)
        self._away_until_s = clock()
        self._watcher = Watcher()
        self._watched: Watched | None = None
        self._followed: FollowedGame | None = None
        self._reader: Reads | None = None
        self._frame: Frame | None = None
        self._reading: Reading | None = None
        self._looks, self._looked_s = 0, -1e9
        self._was_visited = False
        """Whether a hand was there since the last look: in dim light tiles change little."""
        self._now_s, self._clock_s = 0.0, clock()
        self._lock = threading.RLock()
        self._ended = threading.Event()
        self._limits = limits
        self.beat = Beat(limits.of_phase_s, limits.hung_s, getattr(camera, "long_work", None))
        """What its thread is in the middle of."""
        self._began_s = time.monotonic()
        self.look_count = 0
        """How many full pictures have been read."""
        self.told: dict[str, Any] = {}
        """The part of the state that was told last."""

    @property
    def is_stuck(self) -> bool:
        """Whether the camera will never answer again, as after a ribbon was pulled out."""
        return bool(getattr(self._camera, "is_stuck", False))

    @property
    def holds_device(self) -> bool:
        """Whether nobody else can have its camera at the same time."""
        return bool(getattr(self._camera, "holds_device", False))

    @property
    def has_lost_device(self) -> bool:
        """Whether it hangs inside a camera that nobody else can have until it lets go."""
        return self.holds_device and self.beat.doing.what in WITH_THE_CAMERA

    @property
    def turn_count(self) -> int:
        """How many turns the game that is followed has."""
        return len(self._followed.game.turns) if self._followed else 0

    # --- the loop

    def start(self) -> None:
        """Follow the table in a thread of its own."""
        self.beat.thread = threading.Thread(target=self._run, name="camera", daemon=True)
        self.beat.thread.start()

    def _run(self) -> None:
        try:
            self._follow()
        except DismissedError:
            logger.info("a camera that hung goes on, but another one has taken over")
        finally:
            self._camera.close()

    def _follow(self) -> None:
        """Step until the end, or until nothing but stumbling comes of it."""
        stumbles = 0
        while not self._ended.is_set() and stumbles < MOST_STUMBLES:
            try:
                self.step()
                stumbles = 0
                self._desk.health.hint("internal", False)
            except DismissedError:
                raise
            except Exception:
                logger.exception("the camera loop stumbled")
                stumbles += 1
                self._desk.health.hint("internal", True)
                self._session.show({**self.told, "camera": self._desk.health.to_json()})
                self._ended.wait(self._limits.stumble_s)

    def step(self) -> None:
        """Handle the next frame of the camera."""
        self.beat.begin("following")
        with self._lock:
            self._sync()  # a simulated table shows the game as it stands, from its first frame
        self.beat.begin("glancing")
        glance = self._glance()
        self.beat.begin("following")
        with self._lock:
            self._advance(glance)
            self._sync()
            self._desk.health.hint("being_set_up", self._is_away)
            if glance is not None:
                self._watch(glance)
            self._take_taps()
            self._finish_due()
            self._tell()

    def close(self) -> None:
        """Stop following the table."""
        self._ended.set()
        self._camera.close()
        thread = self.beat.thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(timeout=1.0)

    def _glance(self) -> Glance | None:
        try:
            return self._camera.glance()
        except CameraEndedError as error:
            self._desk.health.ended(str(error))
        except CameraError as error:
            self._desk.health.lost(str(error))
        self._ended.wait(LOST_S)
        return None

    def _advance(self, glance: Glance | None) -> None:
        """The camera's clock goes on even when the camera does not."""
        clock_s = self._clock()
        self._now_s = glance.time_s if glance else self._now_s + clock_s - self._clock_s
        self._clock_s = clock_s

    # --- the game may change under our feet

    def _sync(self) -> None:
        current = self._session.current()
        if current is None and isinstance(self._camera, DemoTable):
            script = self._camera.script
            self._session.new_game({"rules": script.rules, "players": list(script.players)})
            current = self._session.current()
        if current is None:
            self._followed = None
            return
        followed = self._followed
        if followed is None or followed.game_id != current.game_id:
            followed = self._open_game(current)
        elif followed.seq != current.seq:
            followed.follow_people(current)
        if followed.is_outdated:
            followed.is_outdated = False
            self._watcher.forget()
            self._looks = 0
        followed.now_s = self._now_s
        followed.turn.close_after_s = float(self._session.settings.plain()["close_turn_after_s"])

    def _open_game(self, current: Current) -> FollowedGame:
        state = current.game.state
        self.beat.begin("loading")
        self._reader = self._reader_for(current)
        self.beat.begin("following")
        onlooker = Onlooker(Rules(state.rules, state.box, state.options))
        self._followed = FollowedGame(self._desk, current, onlooker)
        self._followed.is_outdated = True
        self._reading = None
        if isinstance(self._camera, DemoTable) and not current.game.is_over:
            board = dict(state.board)
            self._camera.begin(
                Position(state.rules, state.hands, board, state.next_player, state.box)
            )
        return self._followed

    def _reader_for(self, current: Current) -> Reads:
        state = current.game.state
        colours = [name for name in state.box.colours if name in COLOURS]
        return self._make_reader(state.rules, colours or None)

    # --- looking

    def _watch(self, glance: Glance) -> None:
        watched = self._watched = self._watcher.see(glance.grey, glance.time_s)
        self._desk.health.saw(watched, float(glance.grey.mean()), not glance.is_whole_look)
        followed = self._followed
        if followed is None or self._is_away:
            return
        if glance.is_whole_look:
            followed.turn.rest(glance.time_s)
        elif watched.is_moving or watched.has_hand:
            followed.disturb(glance.time_s)
            self._was_visited |= watched.has_hand
            self._looks = 0
        elif watched.frozen_s > FRESH_WITHIN_S:
            followed.turn.touch(glance.time_s)
        else:
            followed.turn.rest(glance.time_s)
        if self._wants_look(followed, glance, watched):
            self._look(followed, glance)
        elif watched.is_free and self._drift.is_due(self._now_s):
            with contextlib.suppress(CameraError):
                self._drift.see(self._camera.picture(), self._reading, self._now_s)

    def _wants_look(self, followed: FollowedGame, glance: Glance, watched: Watched) -> bool:
        if followed.game.is_over or self._desk.health.sees_nothing:
            return False
        if glance.is_whole_look:
            return True
        is_due = glance.time_s - self._looked_s >= LOOK_AGAIN_S
        is_more = self._was_visited or (followed.is_open and self._looks < MOST_LOOKS)
        return watched.is_free and is_due and (watched.is_changed or is_more)

    def _look(self, followed: FollowedGame, glance: Glance) -> None:
        self.beat.begin("taking")
        try:
            frame = self._camera.picture()
        except CameraError as error:
            self._desk.health.lost(str(error))
            return
        assert self._reader is not None
        # Read afresh each time: what is kept from the look before would be no second witness.
        self.beat.begin("reading")
        reading = self._reader.read(frame)
        self.beat.begin("following")
        self.look_count += 1
        self._looked_s = glance.time_s
        if followed.look(frame, reading) == "busy":
            followed.disturb(glance.time_s)
            self._desk.health.state = "busy"
            return
        self._frame, self._reading = frame, reading
        if self._check_aim is not None and reading.tiles:
            self._desk.health.aimed(self._check_aim(frame, reading))
        self._drift.see(frame, reading, self._now_s)
        self._looks += 1
        self._was_visited = False
        self._watcher.accept(glance.grey)
        if self._watched is not None:
            self._watched = replace(
                self._watched, is_changed=False, is_moving=False, has_hand=False
            )

    @property
    def _is_settled(self) -> bool:
        """Whether what was read is what lies there now."""
        watched = self._watched
        return watched is None or not (watched.is_moving or watched.has_hand or watched.is_changed)

    def _finish_due(self) -> None:
        if self._followed is None:
            return
        is_blind = self._desk.health.sees_nothing or getattr(self._camera, "is_settling", False)
        if is_blind or self._followed.is_lost:
            # Hands may be there all the same: the waiting begins anew when they would be seen.
            self._followed.turn.touch(self._now_s)
        elif self._is_settled:
            self._followed.finish_due()

    # --- what people want

    def wish(self, name: str, params: Mapping[str, Any], ticket: AnyTicket) -> bool:
        """Do what a person asked for, once; False means that there was nothing to do.

        Raises:
            BusyError: A look takes too long just now; nothing was changed.
            StaleEdit: The look that had to end first has changed the game; nothing else was.
        """
        if name == "settings":
            return True  # the next step reads them
        with self._asked(TAP_WAIT_S):
            self._sync()
            if self._followed is None:
                return False
            if self._session.was_done(ticket):
                return True
            is_done = fulfil(self._followed, name, params, ticket, self._is_settled)
            if is_done:
                self._session.remember(ticket)
            self._tell()
            return is_done

    @contextlib.contextmanager
    def _asked(self, within_s: float) -> Iterator[None]:
        """Between two looks; a look that hangs must not keep a person waiting."""
        if not self._lock.acquire(timeout=within_s):
            raise BusyError("the camera is in the middle of a picture: tap again in a moment")
        try:
            yield
        except DismissedError:
            raise BusyError("the camera was just started again: tap again in a moment") from None
        finally:
            self._lock.release()

    def _take_taps(self) -> None:
        """Do what the simulated players tap."""
        if not isinstance(self._camera, DemoTable) or self._followed is None:
            return
        for word, count in self._camera.take_taps():
            if word == "done":
                done(self._followed, self._is_settled)
                continue
            if self._followed.turn.pending is not None:
                self._followed.finish()
            params = {"count": count} if word == "exchange" else {}
            try:
                self._session.command(word, params, Ticket())
            except (GameError, EventError) as error:
                logger.info("the simulated players cannot %s: %s", word, error)
            self._sync()

    # --- setting up the camera

    @property
    def takes_photos(self) -> bool:
        """Whether pictures come from a phone's browser alone."""
        return isinstance(self._camera, PhoneCamera)

    @property
    def _is_away(self) -> bool:
        return self._clock() < self._away_until_s

    def picture(self) -> Frame:
        """The present full picture.

        Raises:
            CameraError: There is none.
        """
        with self._asked(TAP_WAIT_S):
            if self._desk.health.state == "lost":
                raise CameraError(self._desk.health.problem)
            return self._camera.picture()

    def refocus(self) -> None:
        """Have the camera focus again, if it can."""
        if (refocus := getattr(self._camera, "refocus", None)) is not None:
            refocus()

    def look_away(self, for_s: float) -> None:
        """Do not follow the game for a while: what lies there now is no move."""
        with self._asked(TAP_WAIT_S):
            self._away_until_s = self._clock() + for_s

    def renew_reader(self) -> None:
        """Read with what has been learned about the camera since the game began."""
        with self._asked(TAP_WAIT_S):
            self._drift.forget()
            current = self._session.current()
            if self._followed is not None and current is not None:
                self._reader = self._reader_for(current)
                self._followed.is_outdated = True

    # --- what people see

    def preview(self, is_marked: bool) -> bytes | None:
        """The present picture as a small JPEG."""
        with self._asked(PREVIEW_WAIT_S):
            frame, reading = self._frame, self._reading
            if not is_marked or frame is None:
                with contextlib.suppress(CameraError):
                    frame = self._camera.picture()
        if frame is None:
            return None
        shown = draw_overlay(frame, reading) if is_marked and reading else frame
        return encode_jpeg(reduced(np.asarray(shown, np.uint8)))

    def photo(self, game_id: int, cells: frozenset[Cell]) -> bytes | None:
        """The photo that proves a turn."""
        return self._desk.photos.load(game_id, cells)

    def send_photo(self, data: bytes) -> None:
        """Take a photo from a phone's browser.

        Raises:
            ValueError: It is no picture, too large, or there are too many.
        """
        if not isinstance(self._camera, PhoneCamera):
            raise ValueError("this camera takes its own pictures")
        try:
            self._camera.send(data)
        except CameraError as error:
            raise ValueError(str(error)) from error

    def _tell(self) -> None:
        part: dict[str, Any] = {}
        if self._followed is not None:
            pace = self._camera.speed or 1.0 if isinstance(self._camera, DemoTable) else 1.0
            size_wh = self._reading.size_wh if self._reading else (0, 0)
            part = live_part(self._followed, size_wh, pace)
        if time.monotonic() - self._began_s > RESTARTED_SHOWN_S:
            self._desk.health.hint("restarted", False)
        self.told = {**part, "camera": self._desk.health.to_json()}
        self._session.show(self.told)


def _reader(rules: str, colours: Sequence[str] | None) -> Reads:
    from vision.reader import Reader

    return Reader(rules, colours)
