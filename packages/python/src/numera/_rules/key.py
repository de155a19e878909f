"""Idempotency keys. Source: specification, "Delivery" (at most 200 characters, `service:` reserved) and "Errors": a connector
derives its key from the input, never from a clock or a random value.
"""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime

KeyPart = str | int | date | datetime

KEY_CHARACTERS_MAX = 200


class InvalidKey(ValueError):
    """Raised before anything is sent."""


def key_for(*parts: KeyPart) -> str:
    """A key of strings, whole numbers and dates: `key_for("order", 1001)` is `order:1001`.

    Different parts never give the same key; a number is the same part as its digits. It has only letters, digits, `-`, `:` and
    `_`, so it is also a valid delivery id of a webhook: every other byte of UTF-8 is written `_` and two hexadecimal digits, `_`
    itself as `_5F`. The clients in other languages give the same keys.

    Raises:
        InvalidKey: for an empty part, a number that is not a whole one, a local time, or more than 200 characters.
    """
    key = ":".join(_escape_part(part, position) for position, part in enumerate(parts, 1))
    fault = find_key_fault(key)
    if fault is not None:
        raise InvalidKey(fault)
    return key


def part_key(key: str, part: int, sha256: str) -> str:
    """The key of one part of a file: `<key>#<part>/<first 12 digits of the SHA-256 of the whole>`."""
    return f"{key}#{part}/{sha256[:12]}"


def _escape_part(part: object, position: int) -> str:
    text = _part_text(part)
    if not text:
        what = "is empty" if text == "" else "is not a string, a whole number, a date, or a time with an offset"
        raise InvalidKey(f"Part {position} of the key {what}.")
    try:
        data = text.encode()
    except UnicodeEncodeError:
        raise InvalidKey(f"Part {position} of the key has half of a surrogate pair.") from None
    return re.sub(rb"[^A-Za-z0-9-]", lambda match: b"_%02X" % match[0][0], data).decode("ascii")


def _part_text(part: object) -> str | None:
    if isinstance(part, str):
        return str(part)
    if isinstance(part, int) and not isinstance(part, bool):
        return f"{part:d}"
    if isinstance(part, datetime):
        if part.utcoffset() is None:
            return None
        text = part.astimezone(UTC).replace(tzinfo=None).isoformat()
        return (text.rstrip("0") if "." in text else text) + "Z"
    return part.isoformat() if isinstance(part, date) else None


def find_key_fault(key: str) -> str | None:
    """What is wrong with a key, in a sentence; None if nothing is."""
    if not key:
        return "The key is empty: use the id of the event, batch or file."
    if len(key) > KEY_CHARACTERS_MAX:
        return f"The key has {len(key)} characters; at most {KEY_CHARACTERS_MAX} are accepted."
    if key.startswith("service:"):
        return "Keys that begin with `service:` are reserved."
    if re.search("[\0\ud800-\udfff]", key):
        return "The key has a NUL or half of a surrogate pair."
    return None


# A UUID of version 4 (RFC 9562), which is random.
_RANDOM_UUID = re.compile(
    r"(?<![0-9a-f])[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}(?![0-9a-f])", re.IGNORECASE
)
# In seconds, milliseconds, microseconds or nanoseconds.
_UNIX_TIME = re.compile(r"(?<![0-9])(?:[0-9]{10}|[0-9]{13}|[0-9]{16}|[0-9]{19})(?![0-9])")
_INSTANT = re.compile(
    r"(?<![0-9])([0-9]{4})-?([0-9]{2})-?([0-9]{2})[Tt ]?([0-9]{2}):?([0-9]{2}):?([0-9]{2})(?![0-9]{3,})(?:[.,][0-9]+)?"
    r"(Z|[+-][0-9]{2}:?[0-9]{2})?"
)
# Seconds from now within which an instant is taken from the clock.
_PRESENT = 2


def find_unsafe_key(key: str, now: float) -> str | None:
    """Why a key would be another one if the same delivery were sent again: it has the present instant, or a random UUID. None if it
    has neither.
    """
    if _RANDOM_UUID.search(key):
        what, event = "a random UUID", "the UUID is the id of the event itself"
    elif any(abs(at - now) <= _PRESENT for at in _read_instants(key)):
        what, event = "the present time", "the time is that of the event itself"
    else:
        return None
    return (
        f"The key has {what}: sent again after a crash, the same rows would have another key and count twice."
        f" Derive it from the content, or pass `unsafe_key=True` if {event}."
    )


def _read_instants(key: str) -> Iterator[float]:
    text = re.sub(r"_([0-9A-F]{2})", lambda match: chr(int(match[1], 16)), key)
    for digits in _UNIX_TIME.findall(text):
        yield int(digits) / 10 ** (len(digits) - 10)
    for year, month, day, hour, minute, second, offset in _INSTANT.findall(text):
        try:
            yield datetime.fromisoformat(f"{year}-{month}-{day}T{hour}:{minute}:{second}{offset or 'Z'}").timestamp()
        except ValueError:
            continue


def check_key(key: str, now: float, *, unsafe_key: bool) -> None:
    """Raises InvalidKey with a sentence that says why a key is refused."""
    fault = find_key_fault(key) or (None if unsafe_key else find_unsafe_key(key, now))
    if fault is not None:
        raise InvalidKey(fault)
