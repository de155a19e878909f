"""The client's own token bucket. It follows `RateLimit-Limit`, `-Remaining` and `-Reset`, so that a loop waits before a call
and gets no 429. Source: specification, "Limits".
"""

import math
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Bucket:
    at: float
    tokens: float = 20
    """Calls that may be made now; below 0 are those that already wait."""
    size: float = 20
    per_second: float = 1
    """A service connection's 60 a minute, burst 20, until an answer says otherwise."""


def take_token(bucket: Bucket, now: float) -> tuple[Bucket, float]:
    """Takes a token, and says for how many seconds its call has to wait. Calls get their turns in sequence."""
    refilled = min(bucket.size, bucket.tokens + max(now - bucket.at, 0) * bucket.per_second)
    tokens = refilled - 1
    # In whole milliseconds, so that the service never sees the call before its token.
    wait = math.ceil(-tokens / bucket.per_second * 1000) / 1000 if tokens < 0 else 0.0
    return replace(bucket, tokens=tokens, at=now), wait


def follow_headers(
    bucket: Bucket, *, limit: str | None, remaining: str | None, reset: str | None, outstanding: int, now: float
) -> Bucket:
    """The bucket after an answer with these headers: calls a minute, calls left, seconds until it is full.

    Args:
        outstanding: Calls that have a token and no answer yet: the service may not have counted them.
    """
    try:
        per_minute, left, full_in = (float(text) for text in (limit or "", remaining or "", reset or ""))
    except ValueError:
        return bucket
    if not all(math.isfinite(value) and value >= 0 for value in (per_minute, left, full_in)) or per_minute == 0:
        return bucket
    per_second = per_minute / 60
    size = max(1.0, left + math.floor(full_in * per_second))
    return Bucket(at=now, tokens=left - outstanding, size=size, per_second=per_second)
