"""Signed webhooks."""

import ssl
from collections.abc import Callable
from typing import Literal

from ._answers import Receipt, build, is_receipt
from ._blocking import BlockingWire, run
from ._http import Connections, Request
from ._rules.retry import WEBHOOK_BACKOFF
from ._rules.sign import is_delivery_id, sign_delivery
from ._transport import Clock, SystemClock, Transport


def send_webhook(
    url: str,
    *,
    secret: str | Callable[[], str],
    delivery_id: str,
    body: str | bytes,
    content_type: Literal["application/json", "text/csv"] = "application/json",
    shape_version: int | None = None,
    timeout: float = 60,
    ssl_context: ssl.SSLContext | None = None,
    clock: Clock | None = None,
) -> Receipt:
    """Signs and sends one webhook until it is accepted: again after 429, 408, 5xx and no answer, for three days, each time with a new
    signature and the same delivery id.

    Args:
        url: The address of the source: `https://…/v1/webhooks/<source_id>`.
        secret: The signing secret, or a function that reads it for each attempt, so that a rotation needs no restart.
        delivery_id: The event's own id: 1 to 200 letters, digits, dashes, underscores or colons.
        body: Sent and signed as it is. Identical bodies are one delivery: put the event's id or time into it.
        shape_version: The source's current version by default.
        timeout: Seconds that one attempt may take.

    Raises:
        NumeraError: for a refusal, and after three days.
    """
    if not is_delivery_id(delivery_id):
        raise ValueError("a delivery id has 1 to 200 letters, digits, dashes, underscores or colons")
    connections = Connections(url, timeout, ssl_context)
    transport = Transport(BlockingWire(connections, clock or SystemClock()))
    data = body.encode() if isinstance(body, str) else body
    headers = {"content-type": content_type, "service-delivery-id": delivery_id}
    if shape_version is not None:
        headers["x-service-shape-version"] = str(shape_version)

    async def sign() -> Request:
        current = secret if isinstance(secret, str) else secret()
        signature = sign_delivery(secret=current, delivery_id=delivery_id, body=data, t=int(transport.clock.now()))
        return Request("POST", "", headers | {"service-signature": signature}, data)

    try:
        answer = run(transport.send(sign, backoff=WEBHOOK_BACKOFF, is_expected=is_receipt))
    finally:
        connections.close()
    return build(Receipt, answer.json or {}, replayed=answer.headers.get("idempotent-replayed") == "true")
