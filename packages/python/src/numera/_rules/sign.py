"""Webhook signatures. Source: specification, "POST {base_url}/v1/webhooks/{source_id}"."""

import hashlib
import hmac
import re
from typing import Literal

SignatureFault = Literal["malformed", "clock", "signature"]


def is_delivery_id(delivery_id: str) -> bool:
    """Letters, digits, dashes, underscores or colons: 1 to 200, not beginning with `service:`."""
    return bool(re.fullmatch(r"[A-Za-z0-9_:-]{1,200}", delivery_id)) and not delivery_id.startswith("service:")


def sign_delivery(*, secret: str, delivery_id: str, body: str | bytes, t: int) -> str:
    """The value of `Service-Signature`.

    Args:
        secret: The signing secret exactly as shown, `nws_` included.
        body: Every byte that is sent. A string is signed as UTF-8.
        t: Whole seconds since 1970.
    """
    return f"t={t},v1={_digest(secret, str(t), delivery_id, body)}"


def verify_delivery(
    *, secret: str, delivery_id: str, body: str | bytes, signature: str, now: float
) -> SignatureFault | None:
    """Checks a signature as the service does, for tests of a sender: None if it is right, else what is wrong."""
    match = re.fullmatch(r"t=([0-9]{1,12}),v1=([0-9a-f]{64})", signature)
    if match is None or not is_delivery_id(delivery_id):
        return "malformed"
    t, given = match.groups()
    if abs(int(now) - int(t)) > 300:
        return "clock"
    return None if hmac.compare_digest(_digest(secret, t, delivery_id, body), given) else "signature"


def _digest(secret: str, t: str, delivery_id: str, body: str | bytes) -> str:
    signed = f"{t}.{delivery_id}.".encode() + (body.encode() if isinstance(body, str) else body)
    return hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
