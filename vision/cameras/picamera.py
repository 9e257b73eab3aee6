"""The Raspberry Pi's camera modules through picamera2.

One running camera gives both streams: every request holds a small grey frame for watching and the
full picture of the very same exposure. The request of the last glance is held until the next one,
so that the full picture costs its copy only when somebody reads it, and is never another moment's.
"""

from __future__ import annotations

import contextlib
import gc
import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError
from typing import Any

from vision.cameras.base import CameraError, Frame, Glance, LongWork, check_frame
from vision.cameras.picamera_focus import REFOCUS_S, can_focus, focus
from vision.cameras.picamera_library import (
    CameraBusyError,
    Library,
    load_library,
    modules_of,
    no_camera,
    no_first_picture,
    opening_error,
)
from vision.cameras.picamera_light import (
    LightWatch,
    Settling,
    automatic_controls,
    grey_of,
    held_controls,
    light_of,
)
from vision.cameras.picamera_modes import SETTLING_US, WATCHING_US, pace_controls, start

logger = logging.getLogger(__name__)

FRAME_WAIT_S = 2.0
"""Twenty frames; without a limit a pulled ribbon would block for ever."""
STALE_S = 0.5
"""After a longer pause the next frame must have been exposed after the question for it."""
RETRY_S = 1.0
BUSY_RETRY_S = 5.0
MOST_FAILURES = 300
"""Every failed opening leaks a file, so they are rare, and end before no file is left."""
CLOSE_WAIT_S = 1.0
"""A camera whose ribbon was pulled may never stop; nobody waits for that."""


class PiCamera:
    """A camera module on the ribbon. When it fails it is looked for again every second."""

    holds_device = True

    def __init__(
        self,
        index: int = 0,
        loader: Callable[[], Library] = load_library,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Remember the number of the camera; it is opened at the first glance."""
        self._index = index
        self._loader = loader
        self._clock = clock
        self._sleep = sleep
        self._title = f"Raspberry Pi camera {index}"
        self._camera: Any = None
        self._controls: Any = None
        self._request: Any = None
        self._settling: Settling | None = None
        self._watch: LightWatch | None = None
        self._glanced_s: float | None = None
        self._focused_s: float | None = None
        self._is_focus_wanted = False
        self._failures = 0
        self._lock = threading.Lock()
        self._is_closed = False
        self.long_work = LongWork()
        self.is_stuck = False
        """Whether the camera could not even be closed: only a new process can have it again."""

    @property
    def name(self) -> str:
        """What the people at the table call it."""
        return self._title

    @property
    def is_settling(self) -> bool:
        """Whether light and focus are being found: it sees nothing that can be trusted."""
        return self._settling is not None

    def glance(self) -> Glance | None:
        """The next frame of the light stream, or None while the light is being settled."""
        try:
            with self._lock:
                return self._next()
        except CameraError as error:
            self._let_go()
            self._sleep(BUSY_RETRY_S if isinstance(error, CameraBusyError) else RETRY_S)
            raise

    def _next(self) -> Glance | None:
        if self._is_closed or self.is_stuck:
            raise CameraError("the camera hangs: tiletally has to be started again")
        if self._camera is None:
            with self.long_work:
                self._open()
        self._release()
        self._request = self._captured()
        now_s = self._glanced_s = self._clock()
        yuv = self._request.make_array("lores")
        if self._settling is not None:
            self._settle(self._request.get_metadata(), light_of(yuv))
            return None
        if self._wants_settling(light_of(yuv), now_s):
            self._begin_settling()
            return None
        return Glance(now_s, grey_of(yuv))

    def picture(self) -> Frame:
        """The full picture of the exposure that the last glance showed."""
        # Said before the lock is asked for, because focusing holds it for seconds.
        if self.is_settling:
            raise CameraError("the camera is getting used to the light: ask again in a moment")
        with self._lock:
            if self._request is None:
                raise CameraError(f"{self.name} has not sent a picture yet")
            return check_frame(self._request.make_array("main"))

    def refocus(self) -> None:
        """Find light and focus again, if the lens can move and was not moved just now."""
        focused_s = self._focused_s
        if focused_s is not None and self._clock() - focused_s >= REFOCUS_S:
            self._is_focus_wanted = True

    def close(self) -> None:
        """Let go of the device, also while another thread waits for its next frame."""
        self._is_closed = True
        camera = self._camera
        if camera is not None:
            camera.cancel_all_and_flush()
        self._let_go()

    # --- opening and capturing

    def _open(self) -> None:
        library = self._loader()
        # Asked first, because every failed opening leaks a file.
        found = modules_of(library)
        if self._index >= len(found):
            raise no_camera()
        try:
            self._start(library, str(found[self._index].get("Model", "")))
            return
        # The library and the compiled ones below it throw errors of every kind while opening, and
        # people have to be told each of them; `opening_error` logs those that it does not know.
        except Exception as error:  # noqa: BLE001
            problem = opening_error(error)
        # Raised only here, where nothing holds the half-made object any more. It is a part of
        # cycles, and while it lives the camera sends no frames to the next one.
        gc.collect()
        self._failures += 1
        self.is_stuck = self._failures >= MOST_FAILURES
        raise problem

    def _start(self, library: Library, model: str) -> None:
        # Made first: without the right to its memory, picamera2 would fail when it has the camera,
        # and never let go of it. Kept at once, so that what fails later is closed.
        memory = library.allocator()
        self._camera = library.picamera2(self._index, allocator=memory)
        self._controls = library.controls
        self._title = start(self._camera, model)
        self._glanced_s = None
        self._begin_settling()

    def _captured(self) -> Any:  # noqa: ANN401 - a request of picamera2
        is_first = self._glanced_s is None
        is_late = is_first or self._clock() - (self._glanced_s or 0.0) > STALE_S
        try:
            return self._camera.capture_request(wait=FRAME_WAIT_S, flush=True if is_late else None)
        except CancelledError:
            raise CameraError("the camera was closed") from None
        except TimeoutError as error:
            self._camera.cancel_all_and_flush()
            if is_first:
                raise no_first_picture() from error
            raise CameraError("the camera stopped sending pictures; is its ribbon in?") from error

    # --- light and focus

    def _wants_settling(self, light: tuple[float, float, float], now_s: float) -> bool:
        has_changed = self._watch is not None and self._watch.has_changed(light, now_s)
        if has_changed:
            logger.info("the light has changed: settling the camera again")
        return has_changed or self._is_focus_wanted

    def _begin_settling(self) -> None:
        known = self._camera.camera_controls
        self._camera.set_controls(automatic_controls(known) | pace_controls(SETTLING_US, known))
        self._settling, self._watch = Settling(), None
        self._is_focus_wanted = False

    def _settle(self, metadata: dict[str, Any], light: tuple[float, float, float]) -> None:
        assert self._settling is not None
        if not self._settling.is_settled(metadata):
            return
        known = self._camera.camera_controls
        self._camera.set_controls(held_controls(metadata, known))
        if can_focus(self._camera):
            # A held request would starve the focusing, which looks at frame after frame.
            self._release()
            with self.long_work:
                focus(self._camera, self._controls)
            self._focused_s = self._clock()
        self._camera.set_controls(pace_controls(WATCHING_US, known))
        self._settling, self._watch = None, LightWatch(light)

    # --- letting go

    def _release(self) -> None:
        request, self._request = self._request, None
        if request is not None:
            request.release()

    def _let_go(self) -> None:
        """Close the camera, but not for longer than a moment."""
        with self._lock:
            self._release()
            camera, self._camera = self._camera, None
            self._settling = self._watch = None
            if camera is None:
                return
            closing = threading.Thread(target=_close, args=(camera,), daemon=True)
            closing.start()
            closing.join(CLOSE_WAIT_S)
            self.is_stuck = self.is_stuck or closing.is_alive()
            del camera, closing
            gc.collect()  # cycles in the closed camera would hold on to three files


def _close(camera: Any) -> None:  # noqa: ANN401 - has no types of its own
    with contextlib.suppress(RuntimeError, OSError):
        camera.close()
