"""How `Numera` runs the coroutines that `AsyncNumera` awaits: with a wire that waits in the thread they never suspend."""

from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from functools import wraps
from threading import Lock
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from ._http import Answer, Connections, Request
from ._transport import Clock

P = ParamSpec("P")
T = TypeVar("T")
C = TypeVar("C")


class BlockingWire:
    def __init__(self, connections: Connections, clock: Clock) -> None:
        self.clock = clock
        self.connections = connections

    async def attempt(self, request: Request) -> Answer:
        return self.connections.attempt(request)

    async def sleep(self, seconds: float, watch: Callable[[], None] | None) -> None:
        sleep_watchfully(self.clock, seconds, watch)

    def lock(self) -> "_Lock":
        return _Lock()


class _Lock:
    def __init__(self) -> None:
        self._lock = Lock()

    async def __aenter__(self) -> None:
        self._lock.acquire()

    async def __aexit__(self, *_: object) -> None:
        self._lock.release()


def sleep_watchfully(clock: Clock, seconds: float, watch: Callable[[], None] | None) -> None:
    """Sleeps, and calls `watch` each second: what it raises ends the sleep."""
    if watch is None:
        return clock.sleep(seconds)
    while seconds > 0:
        clock.sleep(min(seconds, 1))
        seconds -= 1
        watch()


def run(awaitable: Awaitable[T]) -> T:
    """Its result."""
    steps = awaitable.__await__()
    try:
        next(steps)
    except StopIteration as end:
        result: T = end.value
        return result
    raise RuntimeError("a wire that blocks has suspended")


class Blocking(Generic[C]):
    """Has the methods of `C` without `await`."""

    def __init__(self, core: C) -> None:
        self._core = core


def blocking(method: Callable[Concatenate[C, P], Coroutine[Any, Any, T]]) -> Callable[Concatenate[Blocking[C], P], T]:
    """A method of `C` as one that returns when it is done."""

    @wraps(method)
    def call(self: Blocking[C], /, *args: P.args, **options: P.kwargs) -> T:
        return run(method(self._core, *args, **options))

    return call


def giving(
    make: Callable[[Any], T], method: Callable[Concatenate[C, P], Any]
) -> Callable[Concatenate[Blocking[C], P], T]:
    """A method of `C` whose result is to be wrapped, since it has coroutines of its own."""

    @wraps(method)
    def call(self: Blocking[C], /, *args: P.args, **options: P.kwargs) -> T:
        return make(method(self._core, *args, **options))

    return call


def iterating(
    method: Callable[Concatenate[C, P], AsyncIterator[T]],
) -> Callable[Concatenate[Blocking[C], P], Iterator[T]]:
    """A method of `C` that gives one value after the other."""

    def iterate(values: AsyncIterator[T]) -> Iterator[T]:
        try:
            while True:
                yield run(anext(values))
        except StopAsyncIteration:
            return

    return giving(iterate, method)
