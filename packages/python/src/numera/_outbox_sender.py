"""Sends what an outbox has: the deliveries of a source one after the other, sources independently."""

import json
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager

from ._blocking import run, sleep_watchfully
from ._client import Numera
from ._core import JSON_HEADERS
from ._outbox_errors import OutboxFull, OutboxInUse, OutboxLocked, outbox_errors
from ._outbox_file import OutboxFile, WaitingSource, connect, create_privately
from ._rules.retry import CALL_BACKOFF
from ._transport import Clock
from .errors import CredentialRefused, NumeraError, SourcePaused, Unreachable

# How long until what another process has put is seen, in seconds.
_POLL = 1.0

FAILURE_NAMES = {
    "status": "status", "code": "code", "field": "field", "request_id": "requestId", "attempts": "attempts",
    "help": "help",
}  # fmt: skip
"""What a failure keeps of an error, and its name in the file, which every client reads."""


class _Stopped(Exception):
    pass


class OutboxSender:
    """One run. `stop` ends it; what is on its way is awaited, or sent again next time, with the same key."""

    def __init__(self, file: OutboxFile, numera: Numera, clock: Clock, stop: threading.Event) -> None:
        self._file = file
        self._numera = numera
        self._clock = clock
        self._stop = stop
        self._is_stopped = False
        self._changed = threading.Event()
        self._paused: dict[int, WaitingSource] = {}
        self._sending: dict[int, threading.Thread] = {}
        """By id of the source."""
        self._fault: BaseException | None = None

    @property
    def paused(self) -> list[WaitingSource]:
        return list(self._paused.values())

    def wake(self) -> None:
        """There may be something to do."""
        self._changed.set()

    def stop(self) -> None:
        self._is_stopped = True
        self.wake()

    def resume(self, source_id: str | None) -> None:
        for id, source in list(self._paused.items()):
            if source_id in (None, source.source_id):
                self._paused.pop(id, None)
        self.wake()

    def run(self, *, until_empty: bool) -> None:
        with self._locked():
            try:
                while self._is_active():
                    is_idle = not self._sending
                    sources = [source for source in self._file.waiting() if source.id not in self._paused]
                    if until_empty and is_idle and not sources:
                        break
                    for source in sources:
                        self._start(source)
                    self._changed.wait(_POLL)
                    self._changed.clear()
            finally:
                self.stop()
                for thread in list(self._sending.values()):
                    thread.join()
        if self._fault is not None:
            raise self._fault

    def _is_active(self) -> bool:
        return not (self._is_stopped or self._stop.is_set() or self._fault)

    def _require_active(self) -> None:
        if not self._is_active():
            raise _Stopped

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """A lock that ends with its process: SQLite's, on a file of its own beside the outbox."""
        path = f"{self._file.path}.sender"
        create_privately(path)
        with closing(connect(path, timeout=0)) as database:
            try:
                with outbox_errors(path):
                    database.execute("pragma journal_mode = memory")
                    database.execute("begin exclusive")
            except OutboxLocked:
                raise OutboxInUse(f"Another process sends from the outbox {self._file.path}.") from None
            yield

    def _start(self, source: WaitingSource) -> None:
        if source.id not in self._sending:
            thread = threading.Thread(target=self._send_all, args=(source,), daemon=True)
            self._sending[source.id] = thread
            thread.start()

    def _send_all(self, source: WaitingSource) -> None:
        try:
            while self._is_active() and (delivery := self._file.next(source.id)) is not None:
                number, body = delivery
                refusal = self._send(body, source)
                if isinstance(refusal, SourcePaused):
                    self._paused[source.id] = source
                    break
                self._settle(number, refusal)
        except _Stopped:
            pass
        except BaseException as error:
            self._fault = self._fault or error
        finally:
            del self._sending[source.id]
            self.wake()

    def _send(self, body: bytes, source: WaitingSource) -> NumeraError | None:
        """None once it is stored, or the refusal, which is final."""
        while True:
            try:
                run(
                    self._numera._core.ingest(
                        body, JSON_HEADERS, source.source_id or None, source.orgnr or None, self._require_active
                    )
                )
                return None
            except CredentialRefused:
                raise
            except NumeraError as error:
                if _is_final(error):
                    return error
                self._sleep(max(error.retry_after or 0.0, CALL_BACKOFF.longest))

    def _settle(self, number: int, refusal: NumeraError | None) -> None:
        """Writes what became of a delivery; on a full disk as soon as there is space."""
        failure = None if refusal is None else _write_failure(refusal, self._clock.now())
        while True:
            try:
                return self._file.write(lambda: self._file.settle(number, failure))
            except (OutboxFull, OutboxLocked):
                self._sleep(CALL_BACKOFF.longest)

    def _sleep(self, seconds: float) -> None:
        sleep_watchfully(self._clock, seconds, self._require_active)


def _is_final(error: NumeraError) -> bool:
    """The rule of `_rules.retry`. What the service did not write is no refusal."""
    if isinstance(error, SourcePaused):
        return True
    if error.status is None or isinstance(error, Unreachable):
        return False
    return 400 <= error.status < 500 and error.status not in (408, 429)


def _write_failure(error: NumeraError, now: float) -> str:
    """What the service said, and nothing of the request."""
    said = {written: getattr(error, name) for name, written in FAILURE_NAMES.items()}
    return json.dumps({**said, "message": str(error), "failedAt": round(now * 1000)})
