"""What an outbox ends with."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from .errors import NumeraError


class OutboxError(NumeraError):
    """What an outbox itself ended with."""


class OutboxFull(OutboxError):
    """The bound or the disk is full, so this delivery was not stored. Those before it are kept."""


class OutboxVersion(OutboxError):
    """The file is no outbox, or one that another version of this package wrote. It was not changed."""


class OutboxDamaged(OutboxError):
    """The file is truncated or damaged. It was not changed."""


class OutboxLocked(OutboxError):
    """Another process kept the file locked for ten seconds."""


class OutboxInUse(OutboxError):
    """Another process, or another `run`, sends from this file."""


# The low byte of SQLite's result codes (https://sqlite.org/rescode.html).
_OF_CODE: dict[int, tuple[type[OutboxError], str]] = {
    sqlite3.SQLITE_BUSY: (OutboxLocked, "is locked by another process"),
    sqlite3.SQLITE_LOCKED: (OutboxLocked, "is locked by another process"),
    sqlite3.SQLITE_CORRUPT: (OutboxDamaged, "is damaged"),
    sqlite3.SQLITE_FULL: (OutboxFull, "cannot grow: the disk is full"),
    sqlite3.SQLITE_NOTADB: (OutboxDamaged, "is damaged, or not an outbox"),
}


@contextmanager
def outbox_errors(path: str) -> Iterator[None]:
    """Raises errors of SQLite as those of the outbox."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        of, what = _OF_CODE.get(code, (OutboxError, f"cannot be used: {error}"))
        raise of(f"The outbox {path} {what}.") from error
