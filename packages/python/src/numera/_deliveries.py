"""One delivery, to ask what became of it."""

from collections.abc import Callable
from itertools import chain, repeat

from ._answers import DeliveryReport
from ._transport import Clock
from .errors import NotParsedYet, UnreadableDelivery

_PAUSES = (0.2, 0.5, 1, 2, 4, 8)
_LONGEST_PAUSE = 15


class Delivery:
    def __init__(self, clock: Clock, read: Callable[[], DeliveryReport]) -> None:
        self._clock = clock
        self._read = read

    def report(self) -> DeliveryReport:
        return self._read()

    def parsed(self, *, timeout: float = 60) -> DeliveryReport:
        """Waits until it is parsed. Refused rows are in `refusals`, and do not raise.

        Raises:
            UnreadableDelivery: if its content has no rows.
            NotParsedYet: after `timeout` seconds.
        """
        end = self._clock.now() + timeout
        for pause in chain(_PAUSES, repeat(_LONGEST_PAUSE)):
            report = self._read()
            if report.state == "parsed":
                return report
            if report.state == "unreadable":
                raise UnreadableDelivery(report.reason or "The content of the delivery cannot be read.")
            left = end - self._clock.now()
            if left <= 0:
                break
            self._clock.sleep(min(pause, left))
        raise NotParsedYet(f"The delivery was not parsed within {timeout} s.")
