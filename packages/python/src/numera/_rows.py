"""The body of a push."""

import json
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

from ._rules.decimals import decimal_of_float, fits_row, show_decimal

Value = str | int | float | bool | Decimal | datetime | date | None
"""A value of a row. A float has at most 15 digits, which it holds exactly; for more, use a string or a Decimal. A datetime has an
offset. None is a missing value.
"""
Row = Mapping[str, Value]
Rows = Row | Iterable[Row]

DELIVERY_BYTES_MAX = 8_388_608
"""Bytes that one delivery may have."""

# RFC 3339 without its offset.
_LOCAL_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]*)?)?")


class InvalidRow(ValueError):
    """A value that would not arrive as it is. Raised before anything is sent. `row` is from 1."""

    def __init__(self, message: str, row: int, field: str | None = None) -> None:
        super().__init__(message, row, field)
        self.row = row
        self.field = field

    def __str__(self) -> str:
        field = "" if self.field is None else f", field {json.dumps(self.field, ensure_ascii=False)}"
        return f"Row {self.row}{field}: {self.args[0]}"


def write_push(key: str, shape_version: int, rows: Rows) -> bytes:
    """The body of a push, in UTF-8. The same bytes are sent in every attempt.

    Raises:
        InvalidRow: for a value that cannot be sent exactly, and for rows that are more than one delivery may have.
    """
    if isinstance(shape_version, bool) or not isinstance(shape_version, int) or shape_version < 1:
        raise ValueError("`shape_version` must be a whole number from 1")
    head = f'{{"idempotency_key":{json.dumps(key, ensure_ascii=False)},"shape_version":{shape_version},"payload":'.encode()
    if isinstance(rows, Mapping):
        return _within(head + _write_row(rows, 1) + b"}", 1)
    written: list[bytes] = []
    size = len(head)
    for number, row in enumerate(rows, 1):
        written.append(_write_row(row, number))
        size += len(written[-1]) + 1
        if size > DELIVERY_BYTES_MAX:
            raise _too_many(number)
    return _within(b"".join((head, b"[", b",".join(written), b"]}")), len(written))


def _within(body: bytes, rows: int) -> bytes:
    if len(body) > DELIVERY_BYTES_MAX:
        raise _too_many(rows)
    return body


def _too_many(row: int) -> InvalidRow:
    return InvalidRow(
        f"the rows exceed the {DELIVERY_BYTES_MAX} bytes of one delivery: push them in parts, each with its key", row
    )


def _write_row(row: object, number: int) -> bytes:
    if not isinstance(row, Mapping):
        raise InvalidRow("it is not a mapping of fields to values", number)
    texts: dict[str, str | None] = {}
    for field, value in row.items():
        if not isinstance(field, str):
            raise InvalidRow(f"{field!r} is not the name of a field", number)
        texts[field] = None if value is None else _write_value(value, number, field)
    try:
        return json.dumps(texts, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        raise InvalidRow("a text has half of a surrogate pair", number) from None


def _write_value(value: object, row: int, field: str) -> str:
    if isinstance(value, str):
        if _LOCAL_TIME.fullmatch(value):
            raise InvalidRow("the time has no offset", row, field)
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, Decimal)):
        return _write_decimal(Decimal(value), row, field)
    if isinstance(value, float):
        number = decimal_of_float(value)
        if number is None:
            text = float.__repr__(value)
            raise InvalidRow(f"the float {text} is not exact to 15 digits: send a string or a Decimal", row, field)
        return _write_decimal(number, row, field)
    if isinstance(value, datetime):
        return _write_time(value, row, field)
    if isinstance(value, date):
        return value.isoformat()
    raise InvalidRow(f"a {type(value).__name__} cannot be sent", row, field)


def _write_decimal(value: Decimal, row: int, field: str) -> str:
    if not fits_row(value):
        raise InvalidRow("the number has more than 38 digits, or more than 18 decimals", row, field)
    return show_decimal(value)


def _write_time(value: datetime, row: int, field: str) -> str:
    offset = value.utcoffset()
    if offset is None:
        raise InvalidRow("the time has no offset", row, field)
    # RFC 3339 has no seconds in an offset, which those of the 19th century have.
    return (value.astimezone(UTC) if offset % timedelta(minutes=1) else value).isoformat()
