"""Numbers without loss. Source: specification, "Delivery": at most 38 digits, 18 of them decimals."""

import math
import re
from decimal import MAX_EMAX, MIN_EMIN, Clamped, Context, Decimal, Inexact, InvalidOperation, Rounded

_ROW_DIGITS_MAX = 38
_ROW_PLACES_MAX = 18
_FLOAT_DIGITS_MAX = 15
_DIGITS_MAX = 1000

_NOTATION = re.compile(r"[+-]?([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{1,9}))?")

EXACT = Context(
    prec=10 * _DIGITS_MAX,
    Emin=MIN_EMIN,
    Emax=MAX_EMAX,
    traps=[Clamped, Inexact, InvalidOperation, Rounded],
)
"""For arithmetic that raises instead of rounding: the default context keeps 28 digits of a sum, and says nothing."""


def parse_decimal(text: str) -> Decimal:
    """Reads digits with an optional sign, point and exponent, as the service does.

    Raises:
        ValueError: for any other text, and for more than 1000 digits.
    """
    match = _NOTATION.fullmatch(text)
    whole, places, exponent = match.groups() if match else (None, None, None)
    if not (whole or places):
        raise ValueError(f"{text[:50]!r} is not an exact decimal")
    digits = f"{whole or ''}{places or ''}".lstrip("0")
    if not digits:
        return Decimal(0)
    if len(digits) > _DIGITS_MAX or abs(len(places or "") - int(exponent or 0)) > _DIGITS_MAX:
        raise ValueError(f"{text[:50]} has too many digits")
    return Decimal(text)


def _significant(value: Decimal) -> tuple[int, int]:
    """How many digits a finite number has without zeros at its end, and the exponent of the last one."""
    _, digits, exponent = value.as_tuple()
    assert isinstance(exponent, int)
    count = len(digits)
    while count > 1 and digits[count - 1] == 0:
        count -= 1
    return count, exponent + len(digits) - count


def show_decimal(value: Decimal) -> str:
    """Without exponent, without zeros at the end of the decimals, never `-0`."""
    if not value:
        return "0"
    text = format(value, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def fits_row(value: Decimal) -> bool:
    """Whether a row may have it: 38 digits, 18 of them decimals."""
    if not value.is_finite():
        return False
    if not value:
        return True
    count, exponent = _significant(value)
    places = max(-exponent, 0)
    return places <= _ROW_PLACES_MAX and max(count + max(exponent, 0), places) <= _ROW_DIGITS_MAX


def decimal_of_float(number: float) -> Decimal | None:
    """The shortest decimal of a float if it has at most 15 digits, which every float holds exactly; else None."""
    if not math.isfinite(number):
        return None
    # Subclasses, such as those of numpy, may be shown in other ways.
    value = Decimal(float.__repr__(number))
    return value if _significant(value)[0] <= _FLOAT_DIGITS_MAX else None


def exact_float(value: Decimal) -> float:
    """The float whose shortest text has exactly the digits of a number.

    Raises:
        ValueError: where no float has them.
    """
    number = float(value)
    if not math.isfinite(number) or Decimal(repr(number)) != value:
        raise ValueError(f"no float has exactly the digits of {value}")
    return number
