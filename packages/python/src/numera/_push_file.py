"""Sends a file part by part, one at a time."""

import re
from collections.abc import Callable, Iterator
from dataclasses import asdict

from ._answers import Delivers, PartReceipt, Receipt
from ._files import DeclaredFormat, Document, FileInput, open_parts
from ._rules.key import KEY_CHARACTERS_MAX, InvalidKey, part_key
from ._rows import DELIVERY_BYTES_MAX
from .errors import NumeraError

_PARTS_MAX = 999_999


def check_file_key(key: str) -> None:
    if not re.fullmatch(r"[!-~](?:[ -~]*[!-~])?", key):
        raise InvalidKey("The key of a file travels in a header: use printable ASCII, as `key_for` gives it.")


def push_parts(
    file: FileInput,
    *,
    key: str,
    format: DeclaredFormat | None,
    allow_split: bool,
    send: Callable[[bytes, str], Receipt],
    find_delivers: Callable[[], Delivers | None],
    part_bytes_max: int = DELIVERY_BYTES_MAX,
) -> Iterator[PartReceipt]:
    """Stores the parts of a file and gives their receipts.

    Args:
        find_delivers: What the source delivers; None if the connection may not know.
    """
    with Document(file) as document:
        found, parts = open_parts(document, part_bytes_max, format)
        is_cut = document.size > part_bytes_max
        if is_cut and len(part_key(key, _PARTS_MAX, document.sha256)) > KEY_CHARACTERS_MAX:
            raise InvalidKey("The key of a file that is cut into parts has at most 180 characters.")
        if is_cut and not allow_split:
            _require_events(find_delivers())
        sent = 0
        for number, part in enumerate(parts, 1):
            key_of_part = part_key(key, number, document.sha256) if is_cut else key
            receipt = send(part.data, key_of_part)
            sent = min(sent + len(part.data), document.size)
            yield PartReceipt(
                **asdict(receipt),
                key=key_of_part,
                part=number,
                rows=None if found == "sie" else part.rows,
                bytes_sent=sent,
                bytes_total=document.size,
            )


def _require_events(delivers: Delivers | None) -> None:
    if delivers == "events":
        return
    if delivers == "statements":
        why = "The source delivers statements, so a later part would replace what an earlier one said about the same period"
    else:
        why = (
            "What the source delivers is not known,"
            " and in a source of statements a later part would replace an earlier one"
        )
    raise NumeraError(
        f"The file has to be cut. {why}. Send each period in a file of its own, or pass `allow_split=True`."
    )
