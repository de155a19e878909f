"""Sends requests by the rules of `_rules.retry` and `_rules.rate`."""

import random
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol

from ._http import Answer, Request
from ._rules.rate import Bucket, follow_headers, take_token
from ._rules.retry import Backoff, next_step, read_date, read_retry_after
from .errors import to_error


class Clock(Protocol):
    def now(self) -> float:
        """Seconds since 1970."""

    def sleep(self, seconds: float) -> None: ...

    def random(self) -> float:
        """0 to 1, without 1."""


class SystemClock:
    def now(self) -> float:
        return time.time()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)

    def random(self) -> float:
        return random.random()


class Wire(Protocol):
    """How requests leave, and how a call waits."""

    clock: Clock

    async def attempt(self, request: Request) -> Answer:
        """Sends a request once. What goes wrong on the way is an answer without status."""

    async def sleep(self, seconds: float, watch: Callable[[], None] | None) -> None:
        """`watch` is called each second; what it raises ends the sleep."""

    def lock(self) -> AbstractAsyncContextManager[None]: ...


class Transport:
    """Sends requests to one address. Threads or tasks may share it: they have one bucket."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self.clock = wire.clock
        self._lock = threading.Lock()
        self._bucket = Bucket(at=wire.clock.now())
        self._outstanding = 0
        """Calls with a token of the bucket and no answer yet."""

    async def send(
        self,
        prepare: Callable[[], Awaitable[Request]],
        *,
        backoff: Backoff,
        is_expected: Callable[[dict[str, Any]], bool],
        is_rated: bool = False,
        on_unauthenticated: Callable[[], Awaitable[bool]] | None = None,
        watch: Callable[[], None] | None = None,
    ) -> Answer:
        """Sends a request until there is an answer that stays the same.

        Args:
            prepare: Gives the request of each attempt.
            is_expected: Whether the JSON of a 2xx is what it should be.
            is_rated: Waits for the client's own bucket before each attempt.
            on_unauthenticated: What follows a 401: whether it is sent again immediately.
            watch: Called each second of a pause: what it raises ends the call.

        Raises:
            NumeraError: for a refusal, and when the client gives up.
        """
        started = self.clock.now()
        pauses = attempts = 0
        while True:
            attempts += 1
            request = await prepare()
            answer = await (self._attempt_rated(request, watch) if is_rated else self.wire.attempt(request))
            now = self.clock.now()
            readable = _is_readable(answer, is_expected)
            if answer.status == 401 and readable and on_unauthenticated and await on_unauthenticated():
                continue
            retry_after = _retry_after(answer, now)
            step = next_step(
                backoff,
                status=answer.status,
                readable=readable,
                retry_after=retry_after,
                pauses=pauses,
                elapsed=now - started,
                random=self.clock.random(),
            )
            if step.do == "accept":
                return answer
            if step.do != "wait" or step.seconds is None:
                is_service = readable or (answer.status is not None and answer.status >= 400)
                raise to_error(
                    answer.status,
                    answer.headers,
                    answer.json if is_service else None,
                    attempts=attempts,
                    retry_after=retry_after,
                    cause=answer.cause,
                ) from answer.cause
            pauses += step.counts
            await self.wire.sleep(step.seconds, watch)

    async def _attempt_rated(self, request: Request, watch: Callable[[], None] | None) -> Answer:
        with self._lock:
            self._bucket, wait = take_token(self._bucket, self.clock.now())
            self._outstanding += 1
        try:
            if wait > 0:
                await self.wire.sleep(wait, watch)
            answer = await self.wire.attempt(request)
        except BaseException:
            with self._lock:
                self._outstanding -= 1
            raise
        with self._lock:
            self._outstanding -= 1
            self._bucket = follow_headers(
                self._bucket,
                limit=answer.headers.get("ratelimit-limit"),
                remaining=answer.headers.get("ratelimit-remaining"),
                reset=answer.headers.get("ratelimit-reset"),
                outstanding=self._outstanding,
                now=self.clock.now(),
            )
        return answer


def _retry_after(answer: Answer, now: float) -> float | None:
    header = answer.headers.get("retry-after")
    if header is None:
        return None
    service_now = read_date(answer.headers.get("date"))
    return read_retry_after(header, now if service_now is None else service_now)


def _is_readable(answer: Answer, is_expected: Callable[[dict[str, Any]], bool]) -> bool:
    if answer.status == 304:
        return True
    if answer.status is None or answer.json is None:
        return False
    return not 200 <= answer.status < 300 or is_expected(answer.json)
