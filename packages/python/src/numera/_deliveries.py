"""One delivery, to ask what became of it."""

from collections.abc import Awaitable, Callable
from itertools import chain, repeat

from ._answers import DeliveryReport
from ._blocking import Blocking, blocking
from ._transport import Wire
from .errors import NotParsedYet, UnreadableDelivery

_PAUSES = (0.2, 0.5, 1, 2, 4, 8)
_LONGEST_PAUSE = 15


class AsyncDelivery:
    def __init__(self, wire: Wire, read: Callable[[], Awaitable[DeliveryReport]]) -> None:
        self._wire = wire
        self._read = read

    async def report(self) -> DeliveryReport:
        return await self._read()

    async def parsed(self, *, timeout: float = 60) -> DeliveryReport:
        """Waits until it is parsed. Refused rows are in `refusals`, and do not raise.

        Raises:
            UnreadableDelivery: if its content has no rows.
            NotParsedYet: after `timeout` seconds.
        """
        clock = self._wire.clock
        end = clock.now() + timeout
        for pause in chain(_PAUSES, repeat(_LONGEST_PAUSE)):
            report = await self._read()
            if report.state == "parsed":
                return report
            if report.state == "unreadable":
                raise UnreadableDelivery(report.reason or "The content of the delivery cannot be read.")
            left = end - clock.now()
            if left <= 0:
                break
            await self._wire.sleep(min(pause, left), None)
        raise NotParsedYet(f"The delivery was not parsed within {timeout} s.")


class Delivery(Blocking[AsyncDelivery]):
    report = blocking(AsyncDelivery.report)
    parsed = blocking(AsyncDelivery.parsed)
