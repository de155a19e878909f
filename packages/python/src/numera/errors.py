"""What calls end with: a class for each code of the service (docs/errors.md)."""

import re
from collections.abc import Mapping
from email.message import Message
from typing import Any, Final


class NumeraError(Exception):
    """Anything that a call ended with, as far as the service said it."""

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        code: str | None = None,
        field: str | None = None,
        request_id: str | None = None,
        attempts: int = 0,
        help: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.status: Final = status
        """None if there was no answer."""
        self.code: Final = code
        self.field: Final = field
        """The parameter, header or member concerned."""
        self.request_id: Final = request_id
        """The call's name in the service's log."""
        self.attempts: Final = attempts
        """How many times the request was sent."""
        self.help: Final = help
        """The address of the page about the code."""
        self.retry_after: Final = retry_after
        """From `Retry-After`, in seconds."""


class InvalidArgument(NumeraError):
    """400, or 413 for a push of more than 8,388,608 bytes; `field` names what to fix."""


class CredentialInUrl(NumeraError):
    """400: rotate the credential, which is in logs by now."""


class CredentialRefused(NumeraError):
    """401, for good: every later call of this client ends with it and sends nothing."""


class PermissionDenied(NumeraError):
    """403: the connection lacks the permission."""


class SignInAgain(NumeraError):
    """403: only on the company's pages."""


class DocsOriginNeedsSandbox(NumeraError):
    """403: a production connection, used from the interactive reference."""


class WebhookOnly(NumeraError):
    """403: the source accepts signed webhooks only."""


class NotFound(NumeraError):
    """404"""


class MethodNotAllowed(NumeraError):
    """405"""


class SourcePaused(NumeraError):
    """409: nothing was stored. The client sends nothing more to this source until `resume`."""


class KeyReused(NumeraError):
    """409: the key belongs to another body, whose delivery stays."""


class Conflict(NumeraError):
    """409: what was read changed in between."""


class TooLarge(NumeraError):
    """413 of a webhook."""


class UnsupportedMediaType(NumeraError):
    """415"""


class RateLimited(NumeraError):
    """429, after the last attempt; `retry_after` says when to try again."""


class Internal(NumeraError):
    """500, 503 or 408, after the last attempt. The delivery may have been stored: send it again with the same key."""


class Unreachable(NumeraError):
    """No answer that the service would give, after the last attempt: no connection, a time-out, a redirect, something that is not
    JSON. The delivery may have been stored: send it again with the same key.
    """


class UnreadableDelivery(NumeraError):
    """The delivery was stored, but its content cannot be read as rows."""


class NotParsedYet(NumeraError):
    """The delivery was not parsed in the time allowed. It is stored."""


def _code(error: type[NumeraError]) -> str:
    return re.sub("(?<=.)(?=[A-Z])", "_", error.__name__).lower()


_OF_CODE: Mapping[str, type[NumeraError]] = {_code(error): error for error in NumeraError.__subclasses__()}
_OF_STATUS: Mapping[int | None, type[NumeraError]] = {401: CredentialRefused, 429: RateLimited}


def error_of_code(code: str | None) -> type[NumeraError]:
    return _OF_CODE.get(code or "", NumeraError)


def to_error(
    status: int | None,
    headers: Message,
    json: Mapping[str, Any] | None,
    *,
    attempts: int,
    retry_after: float | None,
    cause: Exception | None,
) -> NumeraError:
    """The error of an answer, or of none. OAuth answers have `error` and `error_description` instead of `code` and `message`."""

    def text(*names: str) -> str | None:
        values = ((json or {}).get(name) for name in names)
        return next((value for value in values if isinstance(value, str)), None)

    link = re.search(r'<([^>]*)>\s*;[^,]*rel="?help"?', headers.get("link") or "")
    code = text("code", "error")
    if json is None and status != 429:
        error: type[NumeraError] = Unreachable
        what = "There was no whole answer" if status is None else f"The answer {status} is not one of the service"
        message = f"{what}: {cause}." if cause else f"{what}."
    else:
        error = _OF_STATUS.get(status) or error_of_code(code)
        message = text("message", "error_description") or code or f"The answer is {status}."
    return error(
        message,
        status=status,
        code=code,
        field=text("field"),
        request_id=text("request_id") or headers.get("x-request-id"),
        attempts=attempts,
        help=text("help") or (link[1] if link else None),
        retry_after=retry_after,
    )
