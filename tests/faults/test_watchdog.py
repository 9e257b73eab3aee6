"""A camera that hangs, dies or stumbles is noticed and replaced; the game goes on by hand."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from scorer.errors import BusyError
from scorer.events import TurnPlayed
from tests.faults.hanging import Hang, Trouble, TroubledCamera, WatchedTable
from tests.faults.running import wait_until
from tests.webui.conftest import tiles
from tiletally import live_beat, systemd, table_keeper, watchdog, writer
from tiletally.process_budget import FILE_NAME, MOST, ProcessBudget
from tiletally.restart_budget import RestartBudget
from tiletally.session import Session, Ticket
from tiletally.session_guest import DismissedError, Guest
from tiletally.session_wishes import placed_of
from vision.cameras.base import LongWork

MOVE = {"placed": tiles("Ro@0,0 Rs@1,0")}
MakeTable = Callable[..., WatchedTable]


@pytest.fixture
def hang() -> Iterator[Hang]:
    found = Hang()
    yield found
    found.is_released.set()


@pytest.fixture
def watch(tmp_path: Path) -> Iterator[MakeTable]:
    made: list[WatchedTable] = []

    def make(prepare: Callable[[TroubledCamera, int], None], **more: object) -> WatchedTable:
        made.append(WatchedTable(tmp_path / "data", prepare, **more))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for each in made:
        each.session.close()


def only_the_first(where: str, trouble: Trouble) -> Callable[[TroubledCamera, int], None]:
    return lambda camera, number: setattr(camera, where, trouble if number == 1 else None)


def every(where: str, trouble: Trouble) -> Callable[[TroubledCamera, int], None]:
    return lambda camera, number: setattr(camera, where, trouble)


def play_by_hand(session: Session, placed: Mapping[str, object]) -> int:
    session.command("place", placed, Ticket())
    state = session.command("done", {}, Ticket())
    return sum(player["score"] for player in state["players"])


def raise_error() -> None:
    raise RuntimeError("a bug")


def end_thread() -> None:
    raise SystemExit


def test_what_hangs_is_noticed_within_ten_seconds() -> None:
    assert live_beat.HUNG_S + systemd.PACE_S <= 10
    assert writer.HUNG_S + systemd.PACE_S <= 10
    ordinary = {"glancing", "taking", "reading", "following"}
    assert not ordinary & set(live_beat.LIMITS_S)
    assert max(*live_beat.LIMITS_S.values(), table_keeper.ARRIVES_WITHIN_S) <= 60


@pytest.mark.parametrize("where", ["in_glance", "in_picture", "in_read"])
def test_what_hangs_is_replaced_and_never_heard_again(
    where: str, hang: Hang, watch: MakeTable
) -> None:
    table = watch(only_the_first(where, hang))
    wait_until(hang.is_reached.is_set, "it hangs")
    table.look_until(lambda: len(table.cameras) == 2 and table.works(), "a second camera works")
    assert table.hints == ["restarted"]
    assert table.worker["restarts"] == 1
    assert table.worker["state"] == "ok"
    hang.is_released.set()
    old = table.tables[0].beat.thread
    assert old is not None
    old.join(30)
    assert not old.is_alive()
    assert table.works()
    assert table.cameras[0].is_closed


def test_meanwhile_the_game_goes_on_by_hand_and_people_are_told(
    hang: Hang, watch: MakeTable
) -> None:
    table = watch(every("in_read", hang), budget=RestartBudget(pause_s=60))
    wait_until(hang.is_reached.is_set, "it hangs")
    table.look_until(lambda: table.hints == ["restarting"], "people are told")
    assert play_by_hand(table.session, MOVE) == 2
    assert table.session.state()["camera"]["state"] == "lost"
    assert table.worker["state"] == "waiting"


def test_a_tap_into_a_look_that_hangs_is_answered(
    hang: Hang, watch: MakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tiletally.live.TAP_WAIT_S", 0.1)
    monkeypatch.setattr("tiletally.live.PREVIEW_WAIT_S", 0.1)
    table = watch(every("in_read", hang))
    wait_until(hang.is_reached.is_set, "it hangs")
    live = table.session.live
    assert live is not None
    with pytest.raises(BusyError, match="tap again"):
        table.session.command("done", {}, Ticket())
    with pytest.raises(BusyError):
        live.preview(False)
    table.session.command("points", {"points": 2, "tiles": 2}, Ticket())
    table.session.change_settings({"close_turn_after_s": 9})
    assert len(table.session.state()["turns"]) == 1


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize("trouble", [raise_error, end_thread])
def test_a_thread_that_dies_is_replaced(trouble: Trouble, watch: MakeTable) -> None:
    table = watch(only_the_first("in_glance", trouble))
    table.look_until(lambda: len(table.cameras) == 2 and table.works(), "a second camera works")
    assert table.cameras[0].is_closed
    assert table.worker["restarts"] == 1


def test_stumbling_is_told_at_once(watch: MakeTable) -> None:
    stumbled = threading.Event()

    def stumble() -> None:
        if not stumbled.is_set():
            wait_until(lambda: table.hints == [], "nothing is told yet")
            stumbled.set()
            raise RuntimeError("a bug")
        wait_until(lambda: table.hints == ["internal"], "it is told")
        camera.in_glance = None

    table = watch(only_the_first("in_glance", stumble))
    wait_until(lambda: table.cameras, "a camera")
    camera = table.cameras[0]
    table.look_until(lambda: table.works() and table.hints == [], "it works again")
    assert table.worker["restarts"] == 0


def test_a_camera_that_always_fails_is_tried_ever_more_rarely_and_comes_back(
    watch: MakeTable,
) -> None:
    budget = RestartBudget(most=2, pause_s=0.01, rest_s=0.3, longest_s=0.5)
    table = watch(
        lambda camera, number: setattr(camera, "in_glance", raise_error if number <= 4 else None),
        budget=budget,
    )
    table.look_until(lambda: table.hints == ["resting"], "it rests")
    assert len(table.cameras) == 3, "two restarts come at once, the third has to wait"
    assert table.session.state()["camera"]["hints"][0]["params"] == {"minutes": 1}
    threads = threading.active_count()
    assert play_by_hand(table.session, MOVE) == 2
    table.look_until(lambda: len(table.cameras) == 5 and table.works(), "it works again")
    assert table.worker["restarts"] == 4
    assert threading.active_count() <= threads + 1


def test_the_budget_is_five_in_ten_minutes_and_then_waits_longer() -> None:
    budget = RestartBudget()
    assert [budget.spend(float(second)) for second in range(5)] == [1.0] * 5
    assert not budget.is_used_up
    assert [budget.spend(10.0 + n) for n in range(5)] == [60.0, 120.0, 240.0, 480.0, 600.0]
    assert budget.is_used_up
    assert budget.spend(1000.0) == 1.0, "ten quiet minutes later all is forgotten"
    assert not budget.is_used_up
    assert budget.count == 11


def test_threads_that_hang_do_not_become_ever_more(
    hang: Hang, watch: MakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_keeper, "MOST_LEFT_BEHIND", 3)
    table = watch(every("in_glance", hang), budget=RestartBudget(most=99, pause_s=0.01), hung_s=0.3)
    table.look_until(lambda: table.hints == ["stuck"], "no more are made")
    made, threads = len(table.cameras), threading.active_count()
    assert made <= 3
    for _ in range(20):
        assert not table.keeper.look(), "only a new process helps"
    assert (len(table.cameras), threading.active_count()) == (made, threads)
    assert play_by_hand(table.session, MOVE) == 2
    table._prepare = lambda camera, number: None
    hang.is_released.set()
    table.look_until(table.works, "it works again once the threads are gone")


@pytest.mark.parametrize("where", ["in_glance", "in_close"])
def test_a_device_that_is_held_needs_a_new_process_unless_it_is_let_go(
    where: str, hang: Hang, watch: MakeTable
) -> None:
    def prepare(camera: TroubledCamera, number: int) -> None:
        camera.holds_device = True
        camera.in_read = raise_error if number == 1 else None
        setattr(camera, where, hang if number == 1 else None)

    table = watch(prepare)
    wait_until(hang.is_reached.is_set, "it hangs")
    table.look_until(lambda: table.hints == ["stuck"], "it is told")
    assert not table.keeper.look()
    assert len(table.cameras) == 1
    assert play_by_hand(table.session, MOVE) == 2
    hang.is_released.set()
    table.look_until(lambda: len(table.cameras) == 2 and table.works(), "it works again")
    assert table.keeper.look()


def test_new_processes_for_a_camera_have_a_budget_too(tmp_path: Path) -> None:
    def a_process_asks() -> bool:
        budget = ProcessBudget(tmp_path, most=2)
        return budget.may_restart() and budget.may_restart()

    assert [a_process_asks() for _ in range(4)] == [True, True, False, False]
    (tmp_path / FILE_NAME).write_text("[1.0, 2.0, 3.0]")
    assert a_process_asks(), "what was long ago is forgotten"
    (tmp_path / FILE_NAME).write_text("{")
    assert a_process_asks()


def test_a_camera_that_no_new_process_brings_back_is_borne(
    hang: Hang, watch: MakeTable, tmp_path: Path
) -> None:
    table = watch(lambda camera, _: setattr(camera, "holds_device", True))
    wait_until(table.works, "it works")
    dog = watchdog.Watchdog(table.session, table.keeper)
    assert dog.look()
    table.cameras[0].in_glance = hang
    wait_until(lambda: not dog.look(), "a new process is wanted")
    assert json.loads((tmp_path / "data" / FILE_NAME).read_text())
    for _ in range(MOST):
        ProcessBudget(tmp_path / "data").may_restart()
    assert watchdog.Watchdog(table.session, table.keeper).look(), "no more of them"
    assert table.hints == ["stuck"]


def test_a_camera_that_never_arrives_is_tried_again_and_comes_too_late(
    hang: Hang, watch: MakeTable
) -> None:
    def prepare(camera: TroubledCamera, number: int) -> None:
        if number == 1:
            hang()

    table = watch(prepare, arrives_within_s=3.0)
    table.look_until(lambda: len(table.cameras) == 2 and table.works(), "the second one is there")
    hang.is_released.set()
    wait_until(lambda: table.cameras[0].is_closed, "the first one is sent away")
    assert table.works()


def test_who_was_dismissed_changes_nothing_even_from_the_queue(tmp_path: Path) -> None:
    session, hang = Session.open(tmp_path / "data"), Hang()
    session.new_game({"rules": "classic", "players": ["Anna", "Ben"]})
    guest, refused = Guest(session), threading.Event()

    def play() -> None:
        with pytest.raises(DismissedError):
            guest.play([TurnPlayed(placed_of(MOVE["placed"]))])
        refused.set()

    slow = threading.Thread(target=session.writer.do, args=(hang,))
    slow.start()
    wait_until(hang.is_reached.is_set, "something is being written")
    late = threading.Thread(target=play)
    late.start()
    guest.dismiss()
    hang.is_released.set()
    late.join(30)
    slow.join(30)
    assert refused.is_set()
    with pytest.raises(DismissedError):
        guest.show({"camera": None})
    assert session.state()["turns"] == []
    session.close()


def test_opening_and_focusing_may_take_longer_than_an_ordinary_step() -> None:
    work = LongWork()
    beat = live_beat.Beat({"opening": 60.0}, hung_s=0.0, long_work=work)
    beat.begin("glancing")
    assert beat.is_hung
    with work:
        assert beat.doing.what == "opening"
        assert not beat.is_hung
    assert beat.doing.since_s == work.ended_s


def test_a_watchdog_that_stumbles_asks_for_a_new_process(tmp_path: Path) -> None:
    session = Session.open(tmp_path / "data")
    keeper = table_keeper.TableKeeper(session, "", lambda guest, is_restart: None)
    dog = watchdog.Watchdog(session, keeper)
    assert dog.look()
    keeper._state, keeper._table = "here", object()  # type: ignore[assignment]
    assert not dog.look()
    session.close()
