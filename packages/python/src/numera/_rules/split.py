"""Cuts a document into parts on the borders of its records. A document is read once, in chunks; a part and the chunk that follows it
are all that is held.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from .records import BrokenFile, Records


@dataclass(frozen=True, slots=True)
class Part:
    data: bytes
    rows: int
    """The header row of CSV not counted; 1 for a document that is never cut."""


def split(chunks: Iterable[bytes], records: Records, bytes_max: int) -> Iterator[Part]:
    """The parts of a document, each of at most `bytes_max` bytes and a document of its own: CSV with its header row again, JSON
    lines, or a JSON list.

    Raises:
        BrokenFile: where the document is broken; the parts before have been given by then.
    """
    builder = _PartBuilder(records, bytes_max)
    data = bytearray()
    base = 0
    for chunk in chain(chunks, (None,)):
        is_last = chunk is None
        data += chunk or b""
        at = 0
        while (at := records.begin(data, at, base)) < len(data):
            end = records.end(data, at, base, is_last)
            size = (len(data) if end is None else end) - at
            if not builder.has_space(size):
                if builder.rows:
                    yield builder.take()
                if not builder.has_space(size):
                    raise BrokenFile(
                        f"A record is larger than the {bytes_max} bytes that one delivery may have", base + at
                    )
            if end is None:
                break
            builder.add(bytes(data[at:end]), base + at, is_last and end == len(data))
            at = end
        base += at
        del data[:at]
    records.finish(base)
    yield builder.take()


class _PartBuilder:
    """Collects records into a part: the header row, what opens a part, records with what is between them, what closes it."""

    def __init__(self, records: Records, bytes_max: int) -> None:
        self._records = records
        self._bytes_max = bytes_max
        self._head = b""
        self._body = bytearray()
        self.rows = 0

    def has_space(self, size: int) -> bool:
        """Whether a record of this size fits behind those of the part."""
        frame = self._records.frame
        between = len(frame.between) if self.rows else len(frame.open)
        return len(self._head) + len(self._body) + between + size + len(frame.close) <= self._bytes_max

    def add(self, record: bytes, first_byte: int, is_last: bool) -> None:
        kind = self._records.check(record, first_byte, is_last)
        if kind == "head":
            self._head += record
        elif kind == "row":
            frame = self._records.frame
            self._body += frame.between if self.rows else frame.open
            self._body += record
            self.rows += 1

    def take(self) -> Part:
        """The part of all records so far; the next one begins empty."""
        frame = self._records.frame
        body = self._body if self.rows else frame.open
        part = Part(b"".join((self._head, body, frame.close)), self.rows)
        self._body = bytearray()
        self.rows = 0
        return part
