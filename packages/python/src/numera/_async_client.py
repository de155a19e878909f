"""The same connection for `asyncio`, over `httpx`."""

import asyncio
import ssl
from collections.abc import Awaitable, Callable
from email.message import Message
from importlib import import_module
from typing import Any, Self

from ._core import Core
from ._credentials import AsyncTokenProvider, Credential
from ._http import Answer, Request, parse_object, require_address
from ._rules.retry import CALL_BACKOFF
from ._transport import Clock, SystemClock


class _HttpxWire:
    def __init__(self, url: str, timeout: float, ssl_context: ssl.SSLContext | None) -> None:
        require_address(url)
        self._url = url.rstrip("/")
        self._timeout = timeout
        self.clock: Clock = SystemClock()
        self._httpx: Any = import_module("httpx")
        # Nothing from the environment, as `http.client` has it; the deadline is that of the attempt.
        verify = ssl_context or ssl.create_default_context()
        self.client = self._httpx.AsyncClient(verify=verify, trust_env=False, timeout=None)

    async def attempt(self, request: Request) -> Answer:
        """A redirect is not followed: it may turn a POST into a GET, or take the credential elsewhere."""
        try:
            url, headers = self._url + request.path, dict(request.headers)
            exchange = self.client.request(request.method, url, headers=headers, content=request.body)
            response = await asyncio.wait_for(exchange, self._timeout)
        except (self._httpx.HTTPError, OSError) as cause:
            return Answer(None, cause=cause)
        received = Message()
        for name, value in response.headers.items():
            received[name] = value
        return Answer(response.status_code, received, parse_object(response.content))

    async def sleep(self, seconds: float, watch: Callable[[], None] | None) -> None:
        await asyncio.sleep(seconds)

    def lock(self) -> asyncio.Lock:
        return asyncio.Lock()


class AsyncNumera(Core):
    """`Numera` for `asyncio`: the same methods but `push_file`, to be awaited or gone through with `async for`. It needs `httpx`:
    `pip install numera[async]`. The tasks of one event loop may share it.

    Args:
        token: A function that gives an app's access token, and a new one where `renew` is true. It may return something to await.

    The others are those of `Numera`.
    """

    def __init__(
        self,
        base_url: str,
        *,
        credential: str | None = None,
        client_id: str | None = None,
        client_secret: str | None = None,
        token: AsyncTokenProvider | None = None,
        timeout: float = 120,
        give_up_after: float = CALL_BACKOFF.give_up_after,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        wire = _HttpxWire(base_url, timeout, ssl_context)
        options = Credential(credential=credential, client_id=client_id, client_secret=client_secret, token=token)
        super().__init__(wire, options, give_up_after)
        self.aclose: Callable[[], Awaitable[None]] = wire.client.aclose
        """Closes connections that wait for the next call."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()
