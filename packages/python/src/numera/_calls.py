"""Calls of one service, with its credential."""

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from ._credentials import Credentials
from ._http import Answer, Request
from ._rules.retry import Backoff
from ._transport import Transport
from .errors import CredentialRefused

# Answers with an `ETag` that are kept, to be read again only when they have changed.
_KEPT_ANSWERS_MAX = 16

Query = dict[str, str | None]


class Calls:
    def __init__(self, transport: Transport, credentials: Credentials, backoff: Backoff) -> None:
        self._transport = transport
        self._credentials = credentials
        self._backoff = backoff
        self._kept: dict[str, tuple[str, dict[str, Any]]] = {}
        self._lock = threading.Lock()

    async def get(self, path: str, query: Query) -> dict[str, Any]:
        """Reads JSON; an answer with an `ETag` that was read before is read again only if it has changed."""
        path = with_query(path, query)
        with self._lock:
            kept = self._kept.pop(path, None)
        headers = {"if-none-match": kept[0]} if kept else {}
        answer = await self.send(Request("GET", path, headers), lambda json: True)
        if answer.status == 304 and kept is not None:
            etag, json = kept
        else:
            etag, json = answer.headers.get("etag") or "", answer.json or {}
        if etag:
            with self._lock:
                self._kept[path] = (etag, json)
                if len(self._kept) > _KEPT_ANSWERS_MAX:
                    del self._kept[next(iter(self._kept))]
        return json

    async def send(
        self,
        request: Request,
        is_expected: Callable[[dict[str, Any]], bool],
        require_active: Callable[[], None] = lambda: None,
        watch: Callable[[], None] | None = None,
    ) -> Answer:
        refusals = 0
        bearer = ""

        async def prepare() -> Request:
            nonlocal bearer
            require_active()
            bearer = await self._credentials.bearer()
            return replace(request, headers={**request.headers, "authorization": f"Bearer {bearer}"})

        async def on_unauthenticated() -> bool:
            nonlocal refusals
            refusals += 1
            return await self._credentials.after_unauthenticated(bearer, refusals)

        try:
            return await self._transport.send(
                prepare,
                backoff=self._backoff,
                is_expected=is_expected,
                is_rated=True,
                on_unauthenticated=on_unauthenticated,
                watch=watch,
            )
        except CredentialRefused as error:
            self._credentials.refuse(error)
            raise


def with_query(path: str, query: Query) -> str:
    text = urlencode({name: value for name, value in query.items() if value is not None})
    return f"{path}?{text}" if text else path
