"""A connection to one service."""

import ssl
from collections.abc import Iterator
from typing import Self

from ._answers import PartReceipt
from ._blocking import Blocking, BlockingWire, blocking, giving, iterating, run
from ._core import Core
from ._credentials import Credential, TokenProvider
from ._deliveries import Delivery
from ._files import DeclaredFormat, FileInput
from ._http import Connections
from ._push_file import check_file_key, push_parts
from ._rules.key import check_key
from ._rules.retry import CALL_BACKOFF
from ._samples import Samples
from ._transport import Clock, SystemClock


class Numera(Blocking[Core]):
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
        connections = Connections(base_url, timeout, ssl_context)
        wire = BlockingWire(connections, clock or SystemClock())
        options = Credential(credential=credential, client_id=client_id, client_secret=client_secret, token=token)
        super().__init__(Core(wire, options, give_up_after))
        self._wire = wire

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes connections that wait for the next call."""
        self._wire.connections.close()

    push = blocking(Core.push)
    check = blocking(Core.check)
    samples = giving(Samples, Core.samples)
    trace = blocking(Core.trace)
    sources = iterating(Core.sources)
    source = blocking(Core.source)
    companies = blocking(Core.companies)
    delivery = giving(Delivery, Core.delivery)
    deliveries = blocking(Core.deliveries)

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
        check_key(key, self._wire.clock.now(), unsafe_key=unsafe_key)
        check_file_key(key)
        headers = {"content-type": "application/octet-stream"}
        if shape_version is not None:
            headers["x-service-shape-version"] = str(shape_version)
        return push_parts(
            file,
            key=key,
            format=format,
            allow_split=allow_split,
            send=lambda data, own: run(
                self._core.ingest(data, headers | {"idempotency-key": own}, source_id, orgnr)
            ),
            find_delivers=lambda: run(self._core.find_delivers(source_id, orgnr)),
        )

    def resume(self, source_id: str | None = None) -> None:
        """Sends to a source again that was paused; without an id to all of them."""
        self._core.resume(source_id)
