"""Files as documents that can be read twice: once for their hash, once to send them."""

import hashlib
import os
import shutil
from collections.abc import Iterator
from io import BytesIO
from tempfile import TemporaryFile
from typing import IO, Literal, Protocol, Self

from ._rules.records import BrokenFile, DocumentFormat, find_format, records_of
from ._rules.split import Part, split

_CHUNK_BYTES = 1024 * 1024
# What `split` may add: a list's brackets, a line feed.
_FRAME_BYTES_MAX = 2


class Readable(Protocol):
    def read(self, size: int = ..., /) -> bytes: ...


FileInput = str | os.PathLike[str] | bytes | Readable
"""A path, bytes, or anything that is open for reading bytes, which is copied to a temporary file first."""

DeclaredFormat = Literal["csv", "json", "json_lines", "sie"]


class Document:
    """A file of known size and hash. Use it in a `with` statement."""

    def __init__(self, file: FileInput, *, chunk_bytes: int = _CHUNK_BYTES) -> None:
        self._chunk_bytes = chunk_bytes
        self._is_path = isinstance(file, (str, os.PathLike))
        self._file = _open(file)
        try:
            self._state = self._look()
            digest = hashlib.sha256()
            self.size = 0
            for chunk in self.read():
                digest.update(chunk)
                self.size += len(chunk)
            self.sha256 = digest.hexdigest()
        except BaseException:
            self._file.close()
            raise

    def _look(self) -> tuple[int, int] | None:
        if not self._is_path:
            return None
        stat = os.fstat(self._file.fileno())
        return stat.st_size, stat.st_mtime_ns

    def read(self) -> Iterator[bytes]:
        """Reads it from the beginning.

        Raises:
            BrokenFile: if it changed after it was hashed.
        """
        self._file.seek(0)
        while chunk := self._file.read(self._chunk_bytes):
            if self._look() != self._state:
                raise BrokenFile("The file changed while it was read", 0)
            yield chunk

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


def _open(file: FileInput) -> IO[bytes]:
    if isinstance(file, (str, os.PathLike)):
        return open(file, "rb")
    if isinstance(file, bytes):
        return BytesIO(file)
    copy = TemporaryFile(prefix="numera-")
    try:
        shutil.copyfileobj(file, copy)
        copy.seek(0)
    except BaseException:
        copy.close()
        raise
    return copy


def open_parts(
    document: Document, bytes_max: int, declared: DeclaredFormat | None = None
) -> tuple[DocumentFormat, Iterator[Part]]:
    """Finds a document's format and gives its parts: one for a document that is small enough, with its bytes as they are.

    Args:
        declared: The format that the source declares, where it does.

    Raises:
        BrokenFile: for an empty document, and for one that is too large and cannot be cut.
    """
    if document.size == 0:
        raise BrokenFile("The file is empty", 0)
    found = _read_format(document, bytes_max)
    format = declared if declared and (declared, found) != ("json", "object") else found
    if document.size <= bytes_max:
        return format, _check_whole(document, format)
    if format in ("sie", "object"):
        what = "A SIE file" if format == "sie" else "A single JSON object"
        raise BrokenFile(f"{what} cannot be cut, and has more than the {bytes_max} bytes of one delivery", bytes_max)
    return format, split(document.read(), records_of(format), bytes_max)


def _read_format(document: Document, bytes_max: int) -> DocumentFormat:
    start = b""
    for chunk in document.read():
        start += chunk
        found = find_format(start, len(start) == document.size)
        if found is not None:
            return found
        if len(start) > bytes_max:
            break
    return "object"


def _check_whole(document: Document, format: DocumentFormat) -> Iterator[Part]:
    """A document of one delivery, with its own bytes, once all of it was checked."""
    data = b"".join(document.read())
    rows = sum(part.rows for part in split((data,), records_of(format), len(data) + _FRAME_BYTES_MAX))
    yield Part(data, rows)
