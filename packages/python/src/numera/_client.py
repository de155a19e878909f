"""A connection to one service."""

import ssl
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import date, datetime
from functools import partial
from typing import Self
from urllib.parse import quote

from ._answers import (
    CheckReport,
    Company,
    Delivers,
    DeliveryPage,
    DeliveryReport,
    PartReceipt,
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
from ._credentials import Credentials, TokenProvider
from ._deliveries import Delivery
from ._files import DeclaredFormat, FileInput
from ._http import Connections, Request
from ._push_file import check_file_key, push_parts
from ._rows import Rows, write_push
from ._rules.key import check_key
from ._rules.retry import CALL_BACKOFF
from ._samples import Samples, day_text, read_samples, sample_query
from ._transport import Clock, SystemClock, Transport
from .errors import CredentialRefused, NumeraError, SourcePaused

JSON_HEADERS = {"content-type": "application/json"}


class Numera:
    """A connection to one service. It keeps the sender's rules: what is sent again, for how long and with which key, and when it
    stops. Threads may share it. Every method raises a `NumeraError` for a refusal, and when it gives up.

    Args:
        base_url: The address of the service, such as `https://numera.example`.
        credential: Of a static connection (`nsk_…`).
        client_id: Of a connection whose token is renewed, with `client_secret`.
        token: A function that gives an app's access token, and a new one where `renew` is true.
        timeout: Seconds that one attempt may take; as long as the service lets a body take.
        give_up_after: No attempt of a call begins later than this after its first, in seconds. `math.inf` tries for ever.
    """

    def __init__(
        self,
        base_url: str,
        *,
        credential: str | None = None,
        client_id: str | None = None,
        client_secret: str | None = None,
        token: TokenProvider | None = None,
        timeout: float = 120,
        give_up_after: float = CALL_BACKOFF.give_up_after,
        ssl_context: ssl.SSLContext | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._clock = clock or SystemClock()
        self._transport = Transport(Connections(base_url, timeout, ssl_context), self._clock)
        credentials = Credentials(
            self._transport, credential=credential, client_id=client_id, client_secret=client_secret, token=token
        )
        self._calls = Calls(self._transport, credentials, replace(CALL_BACKOFF, give_up_after=give_up_after))
        self._paused: set[str | None] = set()
        """Ids of paused sources; None for the one that the connection is bound to."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes connections that wait for the next call."""
        self._transport.close()

    def push(
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
        check_key(key, self._clock.now(), unsafe_key=unsafe_key)
        return self._ingest(write_push(key, shape_version, rows), JSON_HEADERS, source_id, orgnr)

    def push_file(
        self,
        file: FileInput,
        *,
        key: str,
        shape_version: int | None = None,
        format: DeclaredFormat | None = None,
        allow_split: bool = False,
        source_id: str | None = None,
        orgnr: str | None = None,
        unsafe_key: bool = False,
    ) -> Iterator[PartReceipt]:
        """Stores a file as one delivery, or cut on the borders of its records into several. Gives the receipt of each part as it is
        stored; nothing is sent before one goes through them. Interrupted and called again with the same key and file, what was
        stored gets its first receipt.

        Args:
            key: Names the file: a file of one delivery has this key, a part of a larger one `<key>#<part>/<12 digits of the SHA-256
                of the file>`. At most 200 printable ASCII characters, 180 for a file that is cut.
            shape_version: The source's current version by default.
            format: That the source declares; by default found from the first bytes, as the service does.
            allow_split: Lets a file of statements be cut. A later part replaces what an earlier one said about the same period.

        Raises:
            BrokenFile: where the file is broken; parts before that are stored.
        """
        check_key(key, self._clock.now(), unsafe_key=unsafe_key)
        check_file_key(key)
        headers = {"content-type": "application/octet-stream"}
        if shape_version is not None:
            headers["x-service-shape-version"] = str(shape_version)
        return push_parts(
            file,
            key=key,
            format=format,
            allow_split=allow_split,
            send=lambda data, own: self._ingest(data, headers | {"idempotency-key": own}, source_id, orgnr),
            find_delivers=lambda: self._find_delivers(source_id, orgnr),
        )

    def check(
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
        answer = self._calls.send(Request("POST", path, headers, body), lambda json: "rows_accepted" in json)
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
    ) -> Samples:
        """Every sample of a window, newest first, with its exact value.

        Args:
            from_: First day; as far back as it says, in as many reads as it takes. None: the latest 731 days.
            to: The day after the last; tomorrow by default.
            as_of: Samples as they were read at this instant.
        """
        query = sample_query(metric=metric, labels=labels, as_of=as_of, source_id=source_id, orgnr=orgnr)
        read = partial(self._calls.get, "/v1/samples")
        return Samples(read_samples(read, query, day_text(from_), day_text(to)))

    def trace(
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
        return to_trace(self._calls.get("/v1/samples/trace", query | own))

    def sources(self, *, orgnr: str | None = None) -> Iterator[Source]:
        """The sources that the connection may name."""
        cursor = None
        while True:
            page = self._calls.get("/v1/sources", {"orgnr": orgnr, "cursor": cursor})
            yield from (build(Source, source) for source in page["sources"])
            cursor = page.get("next_cursor")
            if cursor is None:
                return

    def companies(self) -> list[Company]:
        """The companies that the connection or the app may read."""
        return [build(Company, company) for company in self._calls.get("/v1/companies", {})["companies"]]

    def delivery(self, artifact_id: str, *, orgnr: str | None = None) -> Delivery:
        """A delivery, by the `artifact_id` of its receipt."""
        path = f"/v1/deliveries/{quote(artifact_id, safe='')}"
        return Delivery(self._clock, lambda: to_report(self._calls.get(path, {"orgnr": orgnr})))

    def deliveries(
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
        page = self._calls.get("/v1/deliveries", query | numbers)
        reports: list[DeliveryReport] = [to_report(one) for one in page["deliveries"]]
        return build(DeliveryPage, page, deliveries=reports)

    def _ingest(
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
            answer = self._calls.send(Request("POST", path, headers, body), is_receipt, require_active, watch)
        except SourcePaused:
            self._paused.add(source_id)
            raise
        return build(Receipt, answer.json or {}, replayed=answer.headers.get("idempotent-replayed") == "true")

    def _find_delivers(self, source_id: str | None, orgnr: str | None) -> Delivers | None:
        try:
            named = [source for source in self.sources(orgnr=orgnr) if source_id in (None, source.source_id)]
        except CredentialRefused:
            raise
        except NumeraError:
            # The connection may not be allowed to read.
            return None
        return named[0].delivers if len(named) == 1 else None
