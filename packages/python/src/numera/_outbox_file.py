"""The file of an outbox: SQLite, in the format of `numera-client/outbox`, which reads it too."""

import os
import shutil
import sqlite3
import threading
import uuid
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import closing, suppress
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, TypeVar

from ._outbox_errors import OutboxDamaged, OutboxError, OutboxFull, OutboxVersion, outbox_errors
from .errors import KeyReused, NumeraError

T = TypeVar("T")

_APPLICATION_ID = 0x4E754F62
"""`NuOb`"""
_VERSION = 1
_PAGE_BYTES = 4096

_SCHEMA = f"""
  pragma page_size = {_PAGE_BYTES};
  pragma journal_mode = wal;
  pragma synchronous = full;
  begin;
  create table sources (
    id integer primary key,
    source_id text not null,
    orgnr text not null,
    unique (source_id, orgnr)
  ) strict;
  create table deliveries (
    number integer primary key,
    source integer not null references sources,
    key text not null,
    sha256 blob not null,
    body blob not null,
    failure text,
    unique (source, key)
  ) strict;
  create index pending on deliveries (source, number) where failure is null;
  create index failed on deliveries (key) where failure is not null;
  create table totals (deliveries integer not null, bytes integer not null) strict;
  insert into totals values (0, 0);
  create trigger stored after insert on deliveries begin
    update totals set deliveries = deliveries + 1, bytes = bytes + length(new.body);
  end;
  create trigger deleted after delete on deliveries begin
    update totals set deliveries = deliveries - 1, bytes = bytes - length(old.body);
  end;
  pragma application_id = {_APPLICATION_ID};
  pragma user_version = {_VERSION};
  commit;"""

_WAITING = """select id, source_id, orgnr from sources
  where exists (select 1 from deliveries where source = sources.id and failure is null)"""
_NEXT = """select number, key, sha256, body from deliveries
  where source = ? and failure is null order by number limit 1"""
_FAILED = """select key, source_id, orgnr, failure
  from deliveries join sources on sources.id = source where failure is not null order by number"""
_FIND_FAILED = """select number from deliveries join sources on sources.id = source
  where failure is not null and key = ?1 and (?2 is null or source_id = ?2) and (?3 is null or orgnr = ?3)"""

# Writes that share one commit at most.
_WRITES_MAX = 1000
# Of the disk, left for the log and what it leads to: to delete what was sent takes space first.
_RESERVE_BYTES = 16 * 2**20
_LOCKED_SECONDS = 10


@dataclass(frozen=True, slots=True)
class WaitingSource:
    """A source with something to send, as the query of a push names it: empty where the connection says it."""

    id: int
    source_id: str
    orgnr: str


class OutboxFile:
    """The file of an outbox. Every process may have it open, and all threads may use it; SQLite locks it for one write at a time.

    Raises:
        OutboxVersion, OutboxDamaged, OutboxLocked: and OutboxError where it cannot be opened.
    """

    def __init__(self, path: str) -> None:
        # In this sequence: a process that has just created the file may write its log at any time.
        has_log = os.path.exists(f"{path}-wal")
        if not os.path.exists(path):
            if has_log:
                raise OutboxDamaged(f"{path}-wal is there, but the outbox {path} is missing.")
            with outbox_errors(path):
                _create(path)
        # Without symbolic links, so that all processes mean the same files beside it.
        self.path = os.path.realpath(path)
        if os.path.getsize(self.path) < _PAGE_BYTES:
            raise OutboxDamaged(f"The outbox {path} is truncated.")
        self._lock = threading.Lock()
        self._writes: deque[tuple[Callable[[], Any], Future[Any]]] = deque()
        self._added_bytes = 0
        """Of the bodies in the transaction that runs."""
        with outbox_errors(path):
            self.database = connect(self.path, timeout=_LOCKED_SECONDS)
            try:
                _check(self.database, path)
            except BaseException:
                self.database.close()
                raise

    def write(self, work: Callable[[], T]) -> T:
        """Runs `work` in a transaction, and returns when it is on disk. Writes of other threads that come while one is committed
        share the next commit. An error that `work` raises before it has stored a delivery fails this write alone.
        """
        future: Future[T] = Future()
        self._writes.append((work, future))
        with self._lock:
            while not future.done():
                self._flush()
        return future.result()

    def _flush(self) -> None:
        batch: list[tuple[Callable[[], Any], Future[Any]]] = []
        self._added_bytes = 0
        try:
            while self._writes and len(batch) < _WRITES_MAX:
                batch.append(self._writes.popleft())
            with outbox_errors(self.path):
                self.database.execute("begin immediate")
                ends = [_run(work) for work, _ in batch]
                self.database.execute("commit")
            for (_, future), (value, error) in zip(batch, ends, strict=True):
                if error is None:
                    future.set_result(value)
                else:
                    future.set_exception(error)
        except OutboxError as fault:
            self._roll_back()
            for _, future in batch:
                future.set_exception(type(fault)(*fault.args))
        except BaseException:
            # Such as `KeyboardInterrupt`: threads that wait flush what is theirs.
            self._roll_back()
            self._writes.extendleft(one for one in reversed(batch) if not one[1].done())
            raise

    def _roll_back(self) -> None:
        # SQLite may have done so already, and the file may be closed.
        with suppress(sqlite3.Error):
            if self.database.in_transaction:
                self.database.execute("rollback")

    def add(self, source_id: str, orgnr: str, key: str, body: bytes, bytes_max: int) -> None:
        """Within a write.

        Raises:
            KeyReused, OutboxFull: and nothing is stored.
        """
        execute = self.database.execute
        execute("insert into sources (source_id, orgnr) values (?, ?) on conflict do nothing", (source_id, orgnr))
        (source,) = execute("select id from sources where source_id = ? and orgnr = ?", (source_id, orgnr)).fetchone()
        hash = sha256(body).digest()
        kept = execute("select sha256 from deliveries where source = ? and key = ?", (source, key)).fetchone()
        if kept is not None:
            if kept[0] == hash:
                return
            raise KeyReused("The outbox has this key with other rows.", code="key_reused")
        if self._totals()[1] + len(body) > bytes_max:
            raise OutboxFull(f"The outbox {self.path} has reached its bound of {bytes_max} bytes.")
        self._require_space(len(body))
        execute("insert into deliveries (source, key, sha256, body) values (?, ?, ?, ?)", (source, key, hash, body))

    def _require_space(self, body_bytes: int) -> None:
        """Of the disk, or of what the file had for deliveries that were sent. The log has what is added once more."""
        self._added_bytes += body_bytes
        (free_pages,) = self.database.execute("pragma freelist_count").fetchone()
        free = shutil.disk_usage(self.path).free + free_pages * _PAGE_BYTES
        if free < _RESERVE_BYTES + 2 * self._added_bytes:
            raise OutboxFull(f"The outbox {self.path} cannot grow: the disk is full.")

    def settle(self, number: int, failure: str | None) -> None:
        """Within a write: a delivery was stored, or refused for good with `failure`."""
        if failure is None:
            self.database.execute("delete from deliveries where number = ?", (number,))
        else:
            self.database.execute("update deliveries set failure = ? where number = ?", (failure, number))

    def settle_failed(self, key: str, source_id: str | None, orgnr: str | None, *, retry: bool) -> int:
        """Within a write: sends failed ones again, or deletes them. Returns how many there were."""
        found = self.database.execute(_FIND_FAILED, (key, source_id, orgnr)).fetchall()
        step = "update deliveries set failure = null" if retry else "delete from deliveries"
        for number in found:
            self.database.execute(f"{step} where number = ?", number)
        return len(found)

    def failed(self) -> list[tuple[str, str, str, str]]:
        """Key, source, organisation number and failure of each."""
        return self._read(_FAILED)

    def totals(self) -> tuple[int, int]:
        """Deliveries and their bytes."""
        with self._lock, outbox_errors(self.path):
            return self._totals()

    def _totals(self) -> tuple[int, int]:
        deliveries, bytes = self.database.execute("select deliveries, bytes from totals").fetchone()
        return deliveries, bytes

    def waiting(self) -> list[WaitingSource]:
        return [WaitingSource(*row) for row in self._read(_WAITING)]

    def next(self, source: int) -> tuple[int, bytes] | None:
        """Number and body of the first delivery of a source. Raises OutboxDamaged if it is not what was stored."""
        for number, key, hash, body in self._read(_NEXT, source):
            if sha256(body).digest() != hash:
                raise OutboxDamaged(f"The outbox {self.path} is damaged: the rows of {key} have changed.")
            return number, body
        return None

    def _read(self, sql: str, *parameters: object) -> list[Any]:
        with self._lock, outbox_errors(self.path):
            return self.database.execute(sql, parameters).fetchall()

    def close(self) -> None:
        with self._lock:
            self.database.close()


def _run(work: Callable[[], Any]) -> tuple[Any, NumeraError | None]:
    try:
        return work(), None
    except NumeraError as error:
        return None, error


def connect(path: str, timeout: float) -> sqlite3.Connection:
    """Transactions begin where they are begun, and any thread may use it, one at a time."""
    return sqlite3.connect(path, timeout=timeout, isolation_level=None, check_same_thread=False)


def create_privately(path: str) -> None:
    """Creates an empty file for its owner alone, unless there is one."""
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def _create(path: str) -> None:
    """Creates the file whole, or not at all. Where another process was first, its file stays. Its name is on disk with the first
    commit: that creates the log in the same folder, which SQLite syncs.
    """
    draft = f"{path}.{uuid.uuid4()}"
    try:
        create_privately(draft)
        with closing(connect(draft, timeout=0)) as database:
            database.executescript(_SCHEMA)
        with suppress(FileExistsError):
            os.link(draft, path)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(draft)


def _check(database: sqlite3.Connection, path: str) -> None:
    def read(pragma: str) -> Any:
        return database.execute(f"pragma {pragma}").fetchone()[0]

    if read("application_id") != _APPLICATION_ID:
        raise OutboxVersion(f"The file {path} is not an outbox.")
    version = read("user_version")
    if version != _VERSION:
        raise OutboxVersion(f"The outbox {path} has version {version}; this package reads version {_VERSION}.")
    fault = read("quick_check(1)")
    if fault != "ok":
        raise OutboxDamaged(f"The outbox {path} is damaged: {fault}.")
    # The log is synced at each commit; `fullfsync` is for macOS. After a long batch the log is cut to 32 MiB.
    for pragma in ("synchronous = full", "fullfsync = on", "journal_size_limit = 33554432"):
        database.execute(f"pragma {pragma}")
