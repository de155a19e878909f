"""Samples of a window, however wide it is and however many there are."""

import csv
import io
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from datetime import date, datetime, timedelta
from importlib import import_module
from typing import Any

from ._answers import Sample, to_sample
from ._blocking import Blocking, blocking, iterating, run
from ._calls import Query
from .errors import NumeraError

_Row = dict[str, Any]

_COLUMNS = ("metric", "period_start", "value", "sandbox", "artifact_id")


def day_text(day: date | str | None) -> str | None:
    return day.isoformat() if isinstance(day, date) else day


def sample_query(
    *,
    metric: str | None,
    labels: Mapping[str, str] | None,
    as_of: datetime | str | None = None,
    source_id: str | None,
    orgnr: str | None,
) -> Query:
    if isinstance(as_of, datetime):
        if as_of.utcoffset() is None:
            raise ValueError("`as_of` has no offset")
        as_of = as_of.isoformat()
    query: Query = {"metric": metric, "as_of": as_of, "source_id": source_id, "orgnr": orgnr}
    return query | {f"label.{name}": value for name, value in (labels or {}).items()}


class AsyncSamples(AsyncIterator[Sample]):
    """Samples, newest first. They are read as one goes through them, once."""

    def __init__(self, samples: AsyncIterator[Sample]) -> None:
        self._samples = samples

    async def __anext__(self) -> Sample:
        return await anext(self._samples)

    async def rows(self) -> AsyncIterator[_Row]:
        """Dictionaries for frames of any library; the label `country` is `label.country`."""
        async for sample in self:
            row: _Row = {name: getattr(sample, name) for name in _COLUMNS}
            yield row | {f"label.{name}": value for name, value in sample.labels.items()}

    async def csv(self) -> str:
        """All samples as the service's own CSV has them (RFC 4180): exact digits, and a column for each label."""
        rows = [row async for row in self.rows()]
        labels = {name for row in rows for name in row}.difference(_COLUMNS)
        text = io.StringIO(newline="")
        writer = csv.DictWriter(text, [*_COLUMNS, *sorted(labels)], lineterminator="\r\n")
        writer.writeheader()
        for row in rows:
            sandbox, value = str(row["sandbox"]).lower(), f"{row['value']:f}"
            writer.writerow(row | {"sandbox": sandbox, "value": value})
        return text.getvalue()

    async def to_pandas(self, *, floats: bool = False) -> Any:
        """A `pandas.DataFrame`, with exact values: a column of `Decimal` objects.

        Args:
            floats: Makes it a `float64` column, of the nearest floats.
        """
        pandas = import_module("pandas")

        rows = [row async for row in self.rows()]
        frame = pandas.DataFrame(rows) if rows else pandas.DataFrame(columns=list(_COLUMNS), dtype="object")
        if floats:
            frame["value"] = frame["value"].astype("float64")
        return frame


class Samples(Blocking[AsyncSamples], Iterator[Sample]):
    __doc__ = AsyncSamples.__doc__

    def __next__(self) -> Sample:
        try:
            return run(anext(self._core))
        except StopAsyncIteration:
            raise StopIteration from None

    rows = iterating(AsyncSamples.rows)
    csv = blocking(AsyncSamples.csv)
    to_pandas = blocking(AsyncSamples.to_pandas)


async def read_samples(
    read: Callable[[Query], Awaitable[Mapping[str, Any]]], query: Query, from_: str | None, to: str | None
) -> AsyncIterator[Sample]:
    """Every sample of a window.

    Raises:
        Conflict: where the samples changed between two reads that belong together: begin again.
    """
    cursor = None
    while True:
        page = await read(query | {"from": from_, "to": to, "cursor": cursor})
        samples = [to_sample(sample) for sample in page["samples"]]
        cursor = page.get("next") if page["truncated"] else None
        if page["truncated"] and cursor is None:
            # The oldest day may be incomplete, so it is read again.
            oldest = samples[-1].period_start
            samples = [sample for sample in samples if sample.period_start > oldest]
            if not samples:
                raise NumeraError(f"{oldest} alone has more samples than one answer holds: read it label by label.")
            to = (date.fromisoformat(oldest) + timedelta(days=1)).isoformat()
        elif cursor is None:
            to = page["window"]["from"] if page["window"]["narrowed"] else None
        for sample in samples:
            yield sample
        if not page["truncated"] and to is None:
            return
