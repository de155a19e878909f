"""The records of each format, as the service finds them. Source: [push.document], RFC 4180 and RFC 8259."""

import json
import re
from dataclasses import dataclass
from typing import Literal, Protocol

DocumentFormat = Literal["csv", "json", "json_lines", "sie", "object"]
"""`object` is a single JSON object; it and SIE are never cut."""


class BrokenFile(ValueError):
    """A document that is half written, broken or cannot be cut. `byte` is where, from 0."""

    def __init__(self, message: str, byte: int) -> None:
        super().__init__(message, byte)
        self.byte = byte

    def __str__(self) -> str:
        return f"{self.args[0]} (byte {self.byte})"


@dataclass(frozen=True, slots=True)
class Frame:
    """What opens a part, comes between its records, and closes it."""

    open: bytes = b""
    between: bytes = b""
    close: bytes = b""


class Records(Protocol):
    """Finds where records begin and end. `base` is where `data` begins in the document; more of it may follow."""

    frame: Frame

    def begin(self, data: bytearray, at: int, base: int) -> int:
        """Where the next record begins, from `at` on; the length of the data if not in it."""

    def end(self, data: bytearray, at: int, base: int, is_last: bool) -> int | None:
        """Where the record at `at` ends; None if it does not in this data. `is_last`: nothing follows."""

    def check(self, record: bytes, first_byte: int, is_last: bool) -> Literal["row", "head", "blank"]:
        """Checks a whole record, which begins at `first_byte` of the document."""

    def finish(self, size: int) -> None:
        """Raises if the document cannot end here."""


_MARK = b"\xef\xbb\xbf"
_SPACE = b" \t\n\r"


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is not JSON")


def is_json_object(record: bytes) -> bool:
    try:
        # Numbers stay text: they are of any length.
        value = json.loads(
            record.decode("utf-8-sig"), parse_int=str, parse_float=str, parse_constant=_refuse_constant
        )
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict)


def _skip_space(data: bytes | bytearray, at: int, base: int) -> int:
    while at < len(data) and (data[at] in _SPACE or data[at : at + 1] == _MARK[base + at : base + at + 1]):
        at += 1
    return at


def find_format(start: bytes, is_whole: bool) -> DocumentFormat | None:
    """The format of a document, from its beginning; None if more of it is needed to tell. What begins like no other format is CSV.

    Args:
        is_whole: Whether `start` is the whole document.
    """
    at = _skip_space(start, 0, 0)
    if len(start) < at + 7 and not is_whole:
        return None
    if start.startswith(b"[", at):
        return "json"
    if not start.startswith(b"{", at):
        return "sie" if start.startswith(b"#FLAGGA", at) else "csv"
    line_end = start.find(b"\n", at)
    if line_end < 0:
        return "object" if is_whole else None
    if not is_json_object(start[at:line_end]):
        return "object"
    if start[line_end:].strip(_SPACE):
        return "json_lines"
    return "object" if is_whole else None


def records_of(format: DocumentFormat) -> Records:
    if format == "csv":
        return _CsvRecords()
    if format == "json":
        return _ListRecords()
    if format == "json_lines":
        return _LineRecords()
    return _OneRecord(format)


class _OneRecord:
    """A document that is never cut."""

    frame = Frame()

    def __init__(self, format: DocumentFormat) -> None:
        self._format = format

    def begin(self, data: bytearray, at: int, base: int) -> int:
        return at

    def end(self, data: bytearray, at: int, base: int, is_last: bool) -> int | None:
        return len(data) if is_last else None

    def check(self, record: bytes, first_byte: int, is_last: bool) -> Literal["row"]:
        if self._format == "object" and not is_json_object(record):
            raise BrokenFile("The JSON is broken, or ends too early", first_byte + len(record))
        return "row"

    def finish(self, size: int) -> None:
        pass


class _LineRecords:
    """Lines that are not blank, each a JSON object."""

    frame = Frame(between=b"\n", close=b"\n")

    def begin(self, data: bytearray, at: int, base: int) -> int:
        return _skip_space(data, at, base)

    def end(self, data: bytearray, at: int, base: int, is_last: bool) -> int | None:
        end = data.find(b"\n", at)
        return end if end >= 0 else len(data) if is_last else None

    def check(self, record: bytes, first_byte: int, is_last: bool) -> Literal["row"]:
        if is_json_object(record):
            return "row"
        raise BrokenFile("A line is not a whole JSON object", first_byte)

    def finish(self, size: int) -> None:
        pass


class _ListRecords:
    """The elements of a JSON list."""

    frame = Frame(b"[", b",", b"]")

    _TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+"|["{}\[\]]', re.DOTALL)
    # By what may come next, outside of an element, and what comes.
    _FOLLOWS = {("list", "["): "first", ("first", "]"): "nothing", ("comma", ","): "element", ("comma", "]"): "nothing"}

    def __init__(self) -> None:
        self._next = "list"

    def begin(self, data: bytearray, at: int, base: int) -> int:
        while (at := _skip_space(data, at, base)) < len(data):
            byte = chr(data[at])
            if byte == "{" and self._next in ("first", "element"):
                return at
            if (self._next, byte) not in self._FOLLOWS:
                raise BrokenFile("The JSON is broken, or is not a list of objects", base + at)
            self._next = self._FOLLOWS[self._next, byte]
            at += 1
        return at

    def end(self, data: bytearray, at: int, base: int, is_last: bool) -> int | None:
        depth = 0
        for match in self._TOKEN.finditer(data, at):
            token = match[0]
            if token == b'"':
                break
            if token in b"{[":
                depth += 1
            elif token in b"}]":
                depth -= 1
                if depth == 0:
                    self._next = "comma"
                    return match.end()
        if is_last:
            raise BrokenFile("The file ends before its list does", base + len(data))
        return None

    def check(self, record: bytes, first_byte: int, is_last: bool) -> Literal["row"]:
        if is_json_object(record):
            return "row"
        raise BrokenFile("An element of the list is broken", first_byte)

    def finish(self, size: int) -> None:
        if self._next != "nothing":
            raise BrokenFile("The file ends before its list does", size)


class _CsvRecords:
    """Records of CSV with their line breaks: CRLF, LF or CR. Both `,` and `;` count as delimiters, which finds the same borders in
    every document that either of them reads.
    """

    frame = Frame()

    _BREAK_OR_QUOTE = re.compile(rb'["\r\n]')
    _QUOTED = re.compile(rb'"(?:[^"]++|"")*+"')
    _PLAIN = re.compile(rb'[^",;\r\n]*+')

    def __init__(self) -> None:
        self._header: tuple[bytes, int] | None = None
        """Its delimiter, and how many of it."""

    def begin(self, data: bytearray, at: int, base: int) -> int:
        return at

    def end(self, data: bytearray, at: int, base: int, is_last: bool) -> int | None:
        if base + at == 0 and data.startswith(_MARK):
            at = len(_MARK)
        found = self._BREAK_OR_QUOTE.search(data, at)
        if found is None:
            return len(data) if is_last else None
        if found[0] == b'"':
            return self._quoted_end(data, at, base, is_last)
        return self._line_end(data, found.start(), is_last)

    def _quoted_end(self, data: bytearray, at: int, base: int, is_last: bool) -> int | None:
        while True:
            if data.startswith(b'"', at):
                quoted = self._QUOTED.match(data, at)
                if quoted is None and is_last:
                    raise BrokenFile("The CSV has a quote that is never closed", base + at)
                at = quoted.end() if quoted else len(data)
            else:
                plain = self._PLAIN.match(data, at)
                at = plain.end() if plain else at
            if at == len(data):
                return at if is_last else None
            if data[at] in b"\r\n":
                return self._line_end(data, at, is_last)
            if data[at] not in b",;":
                raise BrokenFile("The CSV has a quote inside a cell, or text behind one", base + at)
            at += 1

    def _line_end(self, data: bytearray, at: int, is_last: bool) -> int | None:
        if data.startswith(b"\r\n", at):
            return at + 2
        is_open = data[at] == 0x0D and at + 1 == len(data) and not is_last
        return None if is_open else at + 1

    def check(self, record: bytes, first_byte: int, is_last: bool) -> Literal["row", "head", "blank"]:
        has_line_break = record.endswith((b"\r", b"\n"))
        if record in (b"\n", b"\r", b"\r\n"):
            return "blank" if self._header else "head"
        if self._header is None:
            commas, semicolons = self._count(record, b","), self._count(record, b";")
            self._header = (b";", semicolons) if semicolons > commas else (b",", commas)
            return "head"
        if is_last and not has_line_break:
            delimiter, count = self._header
            if self._count(record, delimiter) < count:
                raise BrokenFile("The file ends in the middle of its last record", first_byte + len(record))
        return "row"

    def _count(self, record: bytes, delimiter: bytes) -> int:
        return self._QUOTED.sub(b"", record).count(delimiter)

    def finish(self, size: int) -> None:
        if size == 0:
            raise BrokenFile("The file is empty", 0)
