"""What the service answers, by its names. Members that this version does not know are left out; missing ones are None."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from decimal import Decimal
from typing import Any, Literal, TypeVar

from ._rules.decimals import parse_decimal

T = TypeVar("T")

Delivers = Literal["events", "statements"]
State = Literal["queued", "parsed", "unreadable"]


def build(of: type[T], json: Mapping[str, Any], **made: object) -> T:
    """An instance of a dataclass from the members of an answer, some of them made from these."""
    names = (field.name for field in fields(of))
    return of(**{name: made.get(name, json.get(name)) for name in names})


def to_decimal(text: str | None) -> Decimal | None:
    return None if text is None else parse_decimal(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What was stored: the answer to a push or a webhook."""

    artifact_id: str
    status: Literal["queued"]
    shape_version: int
    sandbox: bool
    dropped_keys: list[str]
    delivers: Delivers
    replayed: bool
    """The delivery was already stored; this is its first receipt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartReceipt(Receipt):
    """The receipt of a part of a file, and how far the file is sent."""

    key: str
    part: int
    """From 1."""
    rows: int | None
    """Rows of this part; None for SIE."""
    bytes_sent: int
    bytes_total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    metric: str
    period_start: str
    value: Decimal
    labels: dict[str, str]
    sandbox: bool
    artifact_id: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedDelivery:
    artifact_id: str
    received_at: str
    value: Decimal
    rows: int
    added: int | None
    event_at: str | None
    superseded: bool
    step: Decimal | None
    running: Decimal | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """The deliveries behind one sample, latest first, a page of them."""

    source_id: str
    metric: str
    period_start: str
    labels: dict[str, str]
    sandbox: bool
    value: Decimal | None
    restated: bool
    owner_artifact_id: str | None
    deliveries: list[TracedDelivery]
    next_cursor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    source_id: str
    name: str
    delivers: Delivers
    shape_version: int
    paused: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    name: str
    type: Literal["number", "text", "timestamp", "bool"]
    personal: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredSource(Source):
    """What a source declares: its fields, how they are read, what is counted."""

    channel: Literal["push", "webhook"]
    format: Literal["json", "json_lines", "csv", "sie"] | None
    fields: list[Field]
    event_time: str
    metrics: list[Mapping[str, Any]]
    """By the names of the service."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Company:
    orgnr: str
    name: str
    time_zone: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    row: int
    line: int | None
    field: str | None
    code: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingValue:
    metric: str
    field: str
    rows: int
    similar_dropped_key: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FarAheadRow:
    row: int
    line: int | None
    day: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryReport:
    artifact_id: str
    source_id: str
    state: State
    reason: str | None
    received_at: str
    shape_version: int
    delivers: Delivers
    sandbox: bool
    dropped_keys: list[str]
    rows_accepted: int | None
    rows_refused: int | None
    rows_date_alone: int | None
    missing_values: list[MissingValue] | None
    rows_far_ahead: int | None
    far_ahead: list[FarAheadRow]
    refusals: list[Refusal]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryPage:
    """Deliveries, those whose state has changed once more, and where to read on; `more`: without a wait."""

    deliveries: list[DeliveryReport]
    cursor: str
    more: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckReport:
    """What a push would do."""

    outcome: Literal["accepted", "replayed", "refused"]
    rows_accepted: int | None
    rows_refused: int | None
    rows_date_alone: int | None
    dropped_keys: list[str] | None
    refusals: list[Refusal]
    answer: Mapping[str, Any]
    """All that the service said."""


def is_receipt(json: Mapping[str, Any]) -> bool:
    """Only this answer means that a delivery was stored: a 202 of something on the way does not."""
    return (
        isinstance(json.get("artifact_id"), str)
        and json.get("status") == "queued"
        and isinstance(json.get("shape_version"), int)
        and isinstance(json.get("sandbox"), bool)
        and isinstance(json.get("dropped_keys"), list)
        and isinstance(json.get("delivers"), str)
    )


def to_sample(json: Mapping[str, Any]) -> Sample:
    return build(Sample, json, value=parse_decimal(json["value"]), labels=dict(json["labels"]))


def to_trace(json: Mapping[str, Any]) -> Trace:
    deliveries = [
        build(
            TracedDelivery,
            one,
            value=parse_decimal(one["value"]),
            step=to_decimal(one["step"]),
            running=to_decimal(one["running"]),
        )
        for one in json["deliveries"]
    ]
    return build(Trace, json, value=to_decimal(json["value"]), labels=dict(json["labels"]), deliveries=deliveries)


def to_report(json: Mapping[str, Any]) -> DeliveryReport:
    missing = json.get("missing_values")
    return build(
        DeliveryReport,
        json,
        missing_values=None if missing is None else [build(MissingValue, one) for one in missing],
        far_ahead=[build(FarAheadRow, one) for one in json.get("far_ahead") or ()],
        refusals=to_refusals(json),
    )


def to_refusals(json: Mapping[str, Any]) -> list[Refusal]:
    return [build(Refusal, one) for one in json.get("refusals") or ()]
