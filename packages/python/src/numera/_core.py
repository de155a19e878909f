"""The calls of a connection, for both clients."""

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import replace
from datetime import date, datetime
from functools import partial
from urllib.parse import quote

from ._answers import (
    CheckReport,
    Company,
    DeclaredSource,
    Delivers,
    DeliveryPage,
    DeliveryReport,
    Field,
    Receipt,
    Source,
    State,
    Trace,
    build,
    is_receipt,
    to_refusals,
    to_report,
    to_trace,
)
from ._calls import Calls, Query, with_query
from ._credentials import Credential, Credentials
from ._deliveries import AsyncDelivery
from ._http import Request
from ._rows import Rows, write_push
from ._rules.key import check_key
from ._rules.retry import CALL_BACKOFF
from ._samples import AsyncSamples, day_text, read_samples, sample_query
from ._transport import Transport, Wire
from .errors import CredentialRefused, NumeraError, SourcePaused

JSON_HEADERS = {"content-type": "application/json"}


class Core:
    """What both clients do. The wire says how it waits."""

    def __init__(self, wire: Wire, options: Credential, give_up_after: float) -> None:
        self._wire = wire
        transport = Transport(wire)
        credentials = Credentials(transport, **options)
        self._calls = Calls(transport, credentials, replace(CALL_BACKOFF, give_up_after=give_up_after))
        self._paused: set[str | None] = set()
        """Ids of paused sources; None for the one that the connection is bound to."""

    async def push(
        self,
        rows: Rows,
        *,
        key: str,
        shape_version: int,
        source_id: str | None = None,
        orgnr: str | None = None,
        unsafe_key: bool = False,
    ) -> Receipt:
        """Stores rows as one delivery, once, however often it is called with the same key and rows. Returns when it is on disk.

        Args:
            key: The id of the event, batch or file (`key_for`): the same key with the same rows is stored once.
            shape_version: The version of the source's fields that the rows are written for.
            unsafe_key: Accepts a key with the present time or a random UUID, where that is the event's own.

        Raises:
            InvalidRow, InvalidKey: before anything is sent.
            KeyReused, SourcePaused, InvalidArgument: and the other refusals.
        """
        check_key(key, self._wire.clock.now(), unsafe_key=unsafe_key)
        return await self.ingest(write_push(key, shape_version, rows), JSON_HEADERS, source_id, orgnr)

    async def check(
        self,
        rows: Rows | bytes,
        *,
        shape_version: int,
        key: str = "check",
        source_id: str | None = None,
        orgnr: str | None = None,
    ) -> CheckReport:
        """What a push of these rows, or of these bytes of a file, would give. Nothing is stored.

        Args:
            key: That of the push, to learn whether it is in use.
        """
        if isinstance(rows, bytes):
            body = rows
            headers = {
                "content-type": "application/octet-stream",
                "idempotency-key": key,
                "x-service-shape-version": str(shape_version),
            }
        else:
            body = write_push(key, shape_version, rows)
            headers = JSON_HEADERS
        path = with_query("/v1/ingest/check", {"source_id": source_id, "orgnr": orgnr})
        answer = await self._calls.send(Request("POST", path, headers, body), lambda json: "rows_accepted" in json)
        json = answer.json or {}
        return build(CheckReport, json, refusals=to_refusals(json), answer=json)

    def resume(self, source_id: str | None = None) -> None:
        """Sends to a source again that was paused; without an id to all of them."""
        if source_id is None:
            self._paused.clear()
        self._paused.discard(source_id)

    def samples(
        self,
        *,
        metric: str | None = None,
        from_: date | str | None = None,
        to: date | str | None = None,
        labels: Mapping[str, str] | None = None,
        as_of: datetime | str | None = None,
        source_id: str | None = None,
        orgnr: str | None = None,
    ) -> AsyncSamples:
        """Every sample of a window, newest first, with its exact value.

        Args:
            from_: First day; as far back as it says, in as many reads as it takes. None: the latest 731 days.
            to: The day after the last; tomorrow by default.
            as_of: Samples as they were read at this instant.
        """
        query = sample_query(metric=metric, labels=labels, as_of=as_of, source_id=source_id, orgnr=orgnr)
        read = partial(self._calls.get, "/v1/samples")
        return AsyncSamples(read_samples(read, query, day_text(from_), day_text(to)))

    async def trace(
        self,
        *,
        metric: str,
        period_start: date | str,
        labels: Mapping[str, str] | None = None,
        cursor: str | None = None,
        source_id: str | None = None,
        orgnr: str | None = None,
    ) -> Trace:
        """The deliveries behind one sample, latest first, a page at a time.

        Args:
            labels: All of the sample's labels.
            cursor: `next_cursor` of the page before.
        """
        query = sample_query(metric=metric, labels=labels, source_id=source_id, orgnr=orgnr)
        own = {"period_start": day_text(period_start), "cursor": cursor}
        return to_trace(await self._calls.get("/v1/samples/trace", query | own))

    async def sources(self, *, orgnr: str | None = None) -> AsyncIterator[Source]:
        """The sources that the connection may name."""
        cursor = None
        while True:
            page = await self._calls.get("/v1/sources", {"orgnr": orgnr, "cursor": cursor})
            for source in page["sources"]:
                yield build(Source, source)
            cursor = page.get("next_cursor")
            if cursor is None:
                return

    async def source(self, source_id: str, *, orgnr: str | None = None) -> DeclaredSource:
        """What one source declares: its fields, how they are read, what is counted."""
        json = await self._calls.get(f"/v1/sources/{quote(source_id, safe='')}", {"orgnr": orgnr})
        return build(DeclaredSource, json, fields=[build(Field, one) for one in json["fields"]])

    async def companies(self) -> list[Company]:
        """The companies that the connection or the app may read."""
        page = await self._calls.get("/v1/companies", {})
        return [build(Company, company) for company in page["companies"]]

    def delivery(self, artifact_id: str, *, orgnr: str | None = None) -> AsyncDelivery:
        """A delivery, by the `artifact_id` of its receipt."""

        async def read() -> DeliveryReport:
            path = f"/v1/deliveries/{quote(artifact_id, safe='')}"
            return to_report(await self._calls.get(path, {"orgnr": orgnr}))

        return AsyncDelivery(self._wire, read)

    async def deliveries(
        self,
        *,
        source_id: str | None = None,
        orgnr: str | None = None,
        after: str | None = None,
        state: State | None = None,
        limit: int | None = None,
        wait: int | None = None,
    ) -> DeliveryPage:
        """A source's deliveries in the order of receipt, a page at a time.

        Args:
            after: `cursor` of the page before, or `now`: only what happens from now on.
            wait: Up to 20 seconds, until there is a new one or a state has changed.
        """
        numbers = {name: None if number is None else str(number) for name, number in (("limit", limit), ("wait", wait))}
        query: Query = {"source_id": source_id, "orgnr": orgnr, "after": after, "state": state}
        page = await self._calls.get("/v1/deliveries", query | numbers)
        reports: list[DeliveryReport] = [to_report(one) for one in page["deliveries"]]
        return build(DeliveryPage, page, deliveries=reports)

    async def ingest(
        self,
        body: bytes,
        headers: Mapping[str, str],
        source_id: str | None,
        orgnr: str | None,
        watch: Callable[[], None] | None = None,
    ) -> Receipt:
        path = with_query("/v1/ingest", {"source_id": source_id, "orgnr": orgnr})

        def require_active() -> None:
            if source_id in self._paused:
                raise SourcePaused("The source was paused: nothing is sent to it until `resume`.", code="source_paused")

        try:
            answer = await self._calls.send(Request("POST", path, headers, body), is_receipt, require_active, watch)
        except SourcePaused:
            self._paused.add(source_id)
            raise
        return build(Receipt, answer.json or {}, replayed=answer.headers.get("idempotent-replayed") == "true")

    async def find_delivers(self, source_id: str | None, orgnr: str | None) -> Delivers | None:
        try:
            named = [source async for source in self.sources(orgnr=orgnr) if source_id in (None, source.source_id)]
        except CredentialRefused:
            raise
        except NumeraError:
            # The connection may not be allowed to read.
            return None
        return named[0].delivers if len(named) == 1 else None
