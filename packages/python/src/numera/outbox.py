"""A file of deliveries to send: what was put in is stored by the service, once."""

import json
import os
import threading
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Self

from ._client import Numera
from ._outbox_errors import (
    OutboxDamaged as OutboxDamaged,
    OutboxError as OutboxError,
    OutboxFull as OutboxFull,
    OutboxInUse as OutboxInUse,
    OutboxLocked as OutboxLocked,
    OutboxVersion as OutboxVersion,
)
from ._outbox_file import OutboxFile
from ._outbox_sender import FAILURE_NAMES, OutboxSender
from ._rows import Rows, write_push
from ._rules.key import check_key
from ._transport import Clock, SystemClock
from .errors import NumeraError, error_of_code


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedDelivery:
    key: str
    source_id: str | None
    orgnr: str | None
    error: NumeraError
    """The service's refusal, which is final."""
    failed_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboxStatus:
    pending: int
    """Deliveries that are to be sent."""
    failed: int
    bytes: int
    """Of both."""
    paused: list[str | None]
    """Sources that wait for `resume`; None is the one of the connection."""


class Outbox:
    """A file of deliveries to send. What was put in survives the end of the process and a loss of power, and is stored by the service
    once. Threads may share it; the file is that of `numera-client/outbox`, which may use it too.

    Args:
        numera: Sends. A process that only puts needs none.
        bytes_max: Bytes of deliveries that the file keeps, failed ones included.

    Raises:
        OutboxVersion, OutboxDamaged, OutboxLocked: the file stays as it is.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        numera: Numera | None = None,
        *,
        bytes_max: int = 2**30,
        clock: Clock | None = None,
    ) -> None:
        self._file = OutboxFile(os.fspath(path))
        self._numera = numera
        self._bytes_max = bytes_max
        self._clock = clock or SystemClock()
        self._running = threading.Lock()
        self._sender: OutboxSender | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def put(
        self,
        rows: Rows,
        *,
        key: str,
        shape_version: int,
        source_id: str | None = None,
        orgnr: str | None = None,
        unsafe_key: bool = False,
    ) -> None:
        """Returns when the delivery is on disk. The same key with the same rows is one delivery. The parameters are those of `push`.

        Raises:
            InvalidRow, InvalidKey: and nothing is stored.
            KeyReused: if the outbox has the key with other rows.
            OutboxFull, OutboxLocked: and this delivery is not stored.
        """
        check_key(key, self._clock.now(), unsafe_key=unsafe_key)
        body = write_push(key, shape_version, rows)
        self._file.write(lambda: self._file.add(source_id or "", orgnr or "", key, body, self._bytes_max))
        self._wake()

    def run(self, stop: threading.Event | None = None, *, until_empty: bool = False) -> None:
        """Sends until `stop` is set, or `close`. One process at a time sends from a file.

        Args:
            stop: Looked at each second and before each attempt; an attempt on its way ends first.
            until_empty: Returns when nothing is left but failed deliveries and those of paused sources.

        Raises:
            CredentialRefused, OutboxInUse, OutboxDamaged: and everything is kept.
        """
        if self._numera is None:
            raise TypeError("an outbox that sends needs `numera`")
        if not self._running.acquire(blocking=False):
            raise OutboxInUse("This outbox is sending.")
        try:
            self._sender = OutboxSender(self._file, self._numera, self._clock, stop or threading.Event())
            self._sender.run(until_empty=until_empty)
        finally:
            self._sender = None
            self._running.release()

    def resume(self, source_id: str | None = None) -> None:
        """Sends to a source again that was paused; without an id to all of them."""
        if self._numera is not None:
            self._numera.resume(source_id)
        if (sender := self._sender) is not None:
            sender.resume(source_id)

    def failed(self) -> list[FailedDelivery]:
        """The deliveries that the service refused, first ones first. They stay until `retry` or `discard`."""
        return [_to_failed(*row) for row in self._file.failed()]

    def retry(self, key: str, *, source_id: str | None = None, orgnr: str | None = None) -> bool:
        """Sends a failed delivery again, in its place. False if there is none.

        Args:
            source_id: Where the key is in several sources.
        """
        found = self._file.write(lambda: self._file.settle_failed(key, source_id, orgnr, retry=True))
        self._wake()
        return found > 0

    def discard(self, key: str, *, source_id: str | None = None, orgnr: str | None = None) -> bool:
        """Deletes a failed delivery. False if there is none."""
        return self._file.write(lambda: self._file.settle_failed(key, source_id, orgnr, retry=False)) > 0

    def status(self) -> OutboxStatus:
        deliveries, bytes = self._file.totals()
        failed = len(self._file.failed())
        paused = self._sender.paused if self._sender else []
        return OutboxStatus(
            pending=deliveries - failed, failed=failed, bytes=bytes, paused=[one.source_id or None for one in paused]
        )

    def close(self) -> None:
        """Ends a `run` of another thread, and closes the file. A signal handler sets `stop` instead."""
        if (sender := self._sender) is not None:
            sender.stop()
        with self._running:
            self._file.close()

    def _wake(self) -> None:
        if (sender := self._sender) is not None:
            sender.wake()


def _to_failed(key: str, source_id: str, orgnr: str, failure: str) -> FailedDelivery:
    said = json.loads(failure)
    details = {name: said.get(written) for name, written in FAILURE_NAMES.items()}
    error = error_of_code(said.get("code"))(said["message"], **details)
    failed_at = datetime.fromtimestamp(said["failedAt"] / 1000, UTC)
    return FailedDelivery(key=key, source_id=source_id or None, orgnr=orgnr or None, error=error, failed_at=failed_at)
