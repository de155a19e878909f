"""How a client proves who it is."""

import base64
import re
from collections.abc import Awaitable
from typing import Protocol, TypedDict
from urllib.parse import quote_plus

from ._http import Request
from ._rules.renewal import after_unauthenticated, renew_at
from ._rules.retry import CALL_BACKOFF
from ._transport import Transport
from .errors import CredentialRefused


class TokenProvider(Protocol):
    """Gives an app's access token, and a new one where `renew` is true."""

    def __call__(self, *, renew: bool) -> str: ...


class AsyncTokenProvider(Protocol):
    """The same for `AsyncNumera`: what it returns may be awaited."""

    def __call__(self, *, renew: bool) -> str | Awaitable[str]: ...


class Credential(TypedDict, total=False):
    """As it is given to a client, by one of its parameters."""

    credential: str | None
    client_id: str | None
    client_secret: str | None
    token: AsyncTokenProvider | None


class Credentials:
    """The bearer of calls. The secret goes to the token endpoint alone."""

    def __init__(
        self,
        transport: Transport,
        *,
        credential: str | None = None,
        client_id: str | None = None,
        client_secret: str | None = None,
        token: AsyncTokenProvider | None = None,
    ) -> None:
        has_pair = bool(client_id and client_secret)
        if (credential is not None) + has_pair + (token is not None) != 1:
            raise ValueError("give one of `credential`, `client_id` and `client_secret`, or `token`")
        if credential is not None and credential.startswith("ncs_"):
            raise ValueError("`ncs_…` is a client secret: give it as `client_secret`, with `client_id`")
        if credential is not None and not re.fullmatch("[!-~]+", credential):
            raise ValueError("a credential has printable ASCII characters only")
        self._transport = transport
        self._credential = credential
        self._pair = f"{quote_plus(client_id or '')}:{quote_plus(client_secret or '')}"
        self._provider = token
        self._token: str | None = None
        self._renew_at = 0.0
        self._lock = transport.wire.lock()
        self._refused: CredentialRefused | None = None

    async def bearer(self) -> str:
        """Raises CredentialRefused once the credential was refused for good."""
        if self._refused is not None:
            raise CredentialRefused(*self._refused.args, **vars(self._refused))
        if self._credential is not None:
            return self._credential
        if self._provider is not None:
            return await self._provide(self._provider, renew=False)
        # One exchange serves all calls that wait for it.
        async with self._lock:
            if self._token is None or self._transport.clock.now() >= self._renew_at:
                return await self._obtain()
            return self._token

    async def after_unauthenticated(self, bearer: str, refusals: int) -> bool:
        """Called on a 401: whether there is another token to try.

        Args:
            bearer: The one that was refused.
            refusals: Of this call so far, this one included.
        """
        if after_unauthenticated(is_renewable=self._credential is None, refusals=refusals) == "stop":
            return False
        if self._provider is not None:
            # Another call may have renewed it in the meantime.
            if await self._provide(self._provider, renew=False) == bearer:
                await self._provide(self._provider, renew=True)
            return True
        async with self._lock:
            if self._token == bearer:
                await self._obtain()
        return True

    def refuse(self, error: CredentialRefused) -> None:
        """Ends the client for good."""
        self._refused = self._refused or error

    async def _provide(self, provider: AsyncTokenProvider, *, renew: bool) -> str:
        token = provider(renew=renew)
        return token if isinstance(token, str) else await token

    async def _obtain(self) -> str:
        async def prepare() -> Request:
            headers = {
                "authorization": f"Basic {base64.b64encode(self._pair.encode()).decode()}",
                "content-type": "application/x-www-form-urlencoded",
            }
            return Request("POST", "/oauth/token", headers, b"grant_type=client_credentials")

        issued_at = self._transport.clock.now()
        try:
            answer = await self._transport.send(
                prepare,
                backoff=CALL_BACKOFF,
                is_expected=lambda json: (
                    isinstance(json.get("access_token"), str) and isinstance(json.get("expires_in"), (int, float))
                ),
            )
        except CredentialRefused as error:
            self.refuse(error)
            raise
        json = answer.json or {}
        token = str(json["access_token"])
        self._renew_at = renew_at(issued_at, json["expires_in"])
        self._token = token
        return token
