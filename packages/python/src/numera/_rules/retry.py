"""When an attempt is repeated. Source: specification, "Errors" (retry rules) and "Events" (sender retry contract).

Times are in seconds.
"""

import re
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Literal


@dataclass(frozen=True, slots=True)
class Backoff:
    """How long to wait between attempts."""

    first: float
    longest: float
    """It doubles up to this."""
    jitter: float
    """Part of the pause that is random: added where positive, taken off where negative."""
    exact_retry_after: bool
    """A 429 with `Retry-After` waits for exactly that, and does not lengthen the next pause."""
    give_up_after: float
    """No attempt begins later than this after the first one."""


CALL_BACKOFF = Backoff(first=1, longest=60, jitter=0.25, exact_retry_after=False, give_up_after=15 * 60)
"""Calls of `/v1`: 1, 2, 4, 8 … 60 s."""

WEBHOOK_BACKOFF = Backoff(first=30, longest=3600, jitter=-0.2, exact_retry_after=True, give_up_after=3 * 86_400)
"""Webhooks: 30 s doubling to an hour, for three days."""


@dataclass(frozen=True, slots=True)
class Step:
    do: Literal["accept", "refuse", "wait", "give_up"]
    """`refuse`: the same request would get the same answer. `give_up`: waiting would take too long."""
    seconds: float | None = None
    counts: bool = False
    """The next pause is longer."""


def next_step(
    backoff: Backoff,
    *,
    status: int | None,
    readable: bool,
    retry_after: float | None,
    pauses: int,
    elapsed: float,
    random: float,
) -> Step:
    """What follows an attempt.

    Args:
        status: None if there was no answer, or only part of one.
        readable: Whether the body is what an answer of this status has: a receipt, the JSON of a read, an error in JSON.
            Anything else comes from something on the way, and says nothing about the delivery.
        retry_after: From `Retry-After`.
        pauses: So far, those that count.
        elapsed: Since the first attempt.
        random: 0 to 1, without 1.
    """
    if status is not None and readable:
        if 200 <= status < 300 or status == 304:
            return Step("accept")
        if 400 <= status < 500 and status not in (408, 429):
            return Step("refuse")
    least = retry_after or 0.0
    is_exact = backoff.exact_retry_after and status == 429 and retry_after is not None
    # Beyond 32 doublings every pause is the longest.
    pause = min(backoff.first * 2.0 ** min(pauses, 32), backoff.longest)
    seconds = least if is_exact else max(max(least, pause) + pause * backoff.jitter * random, least)
    if elapsed + seconds > backoff.give_up_after:
        return Step("give_up", seconds)
    return Step("wait", seconds, counts=not is_exact)


def read_retry_after(header: str | None, now: float) -> float | None:
    """`Retry-After` (RFC 9110 section 10.2.3): seconds, or a date, counted from `now`. None where it is missing or neither."""
    text = (header or "").strip()
    if re.fullmatch(r"[0-9]{1,9}", text):
        return float(text)
    if not re.match(r"[A-Za-z]{3}, ", text):
        return None
    at = read_date(text)
    return None if at is None else max(at - now, 0.0)


def read_date(header: str | None) -> float | None:
    """A date of HTTP in seconds since 1970; None where it is missing or malformed."""
    try:
        return parsedate_to_datetime(header or "").timestamp()
    except (ValueError, OverflowError):
        return None
