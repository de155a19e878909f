"""Samples of a window, however wide it is and however many there are."""

from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime, timedelta
from importlib import import_module
from typing import Any

from ._answers import Sample, to_sample
from ._calls import Query
from .errors import NumeraError

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


class Samples(Iterator[Sample]):
    """Samples, newest first. They are read as one goes through them, once."""

    def __init__(self, samples: Iterator[Sample]) -> None:
        self._samples = samples

    def __next__(self) -> Sample:
        return next(self._samples)

    def rows(self) -> Iterator[dict[str, object]]:
        """Dictionaries for frames of any library; the label `country` is `label.country`."""
        for sample in self:
            row: dict[str, object] = {name: getattr(sample, name) for name in _COLUMNS}
            yield row | {f"label.{name}": value for name, value in sample.labels.items()}

    def to_pandas(self, *, floats: bool = False) -> Any:
        """A `pandas.DataFrame`, with exact values: a column of `Decimal` objects.

        Args:
            floats: Makes it a `float64` column, of the nearest floats.
        """
        pandas = import_module("pandas")

        rows = list(self.rows())
        frame = pandas.DataFrame(rows) if rows else pandas.DataFrame(columns=list(_COLUMNS), dtype="object")
        if floats:
            frame["value"] = frame["value"].astype("float64")
        return frame


def read_samples(
    read: Callable[[Query], Mapping[str, Any]], query: Query, from_: str | None, to: str | None
) -> Iterator[Sample]:
    """Every sample of a window.

    Raises:
        Conflict: where the samples changed between two reads that belong together: begin again.
    """
    cursor = None
    while True:
        page = read(query | {"from": from_, "to": to, "cursor": cursor})
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
        yield from samples
        if not page["truncated"] and to is None:
            return
