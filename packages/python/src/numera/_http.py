"""One attempt over `http.client`: connections that are kept, and a deadline for the whole of it."""

import http.client
import io
import json
import selectors
import socket
import ssl
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from email.message import Message
from typing import Any
from urllib.parse import SplitResult, urlsplit

_SLICE_BYTES = 65_536
_IDLE_MAX = 8
# Of those of a platform, these need no descriptor of their own.
_Selector: type[selectors.BaseSelector] = getattr(selectors, "PollSelector", selectors.SelectSelector)


@dataclass(frozen=True, slots=True)
class Request:
    method: str
    path: str
    """Behind the address of the service, with its query."""
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    status: int | None
    """None if there was no answer, or only part of one."""
    headers: Message = field(default_factory=Message)
    json: dict[str, Any] | None = None
    cause: Exception | None = None


class Connections:
    """Connections to one address, kept for the next attempt. Threads may share it."""

    def __init__(self, url: str, timeout: float, ssl_context: ssl.SSLContext | None) -> None:
        parts = require_address(url)
        self._host = parts.hostname or ""
        self._port = parts.port
        self._prefix = parts.path.rstrip("/")
        self._timeout = timeout
        self._ssl = (ssl_context or ssl.create_default_context()) if parts.scheme == "https" else None
        self._idle: list[http.client.HTTPConnection] = []

    def attempt(self, request: Request) -> Answer:
        """Sends a request once. A redirect is not followed: it may turn a POST into a GET, or take the credential elsewhere."""
        deadline = time.monotonic() + self._timeout
        connection = self._take()
        try:
            answer = self._exchange(connection, request, deadline)
        except (OSError, http.client.HTTPException) as cause:
            connection.close()
            return Answer(None, cause=cause)
        except BaseException:
            connection.close()
            raise
        if connection.sock is not None and len(self._idle) < _IDLE_MAX:
            self._idle.append(connection)
        else:
            connection.close()
        return answer

    def close(self) -> None:
        while self._idle:
            self._idle.pop().close()

    def __del__(self) -> None:
        for connection in getattr(self, "_idle", ()):
            connection.close()

    def _take(self) -> http.client.HTTPConnection:
        """A connection that the service has not closed in the meantime."""
        while True:
            try:
                connection = self._idle.pop()
            except IndexError:
                return self._open()
            if not _has_ended(connection.sock):
                return connection
            connection.close()

    def _open(self) -> http.client.HTTPConnection:
        if self._ssl is None:
            return http.client.HTTPConnection(self._host, self._port, timeout=self._timeout)
        return http.client.HTTPSConnection(self._host, self._port, timeout=self._timeout, context=self._ssl)

    def _exchange(self, connection: http.client.HTTPConnection, request: Request, deadline: float) -> Answer:
        if connection.sock is None:
            connection.connect()
        sock = connection.sock
        assert sock is not None
        headers = dict(request.headers)
        body = None
        if request.body is not None:
            headers["content-length"] = str(len(request.body))
            body = _slices(request.body, sock, deadline)
        is_whole = True
        sock.settimeout(_left(deadline))
        try:
            connection.request(request.method, self._prefix + request.path, body, headers)
        except (BrokenPipeError, ConnectionResetError):
            # The answer may have come before all of the body was taken.
            is_whole = False
        connection.response_class = _response_class(deadline)
        response = connection.getresponse()
        with response:
            text = response.read()
        if not is_whole:
            connection.close()
        return Answer(response.status, response.headers, parse_object(text))


def require_address(url: str) -> SplitResult:
    parts = urlsplit(url)
    if (
        parts.scheme not in ("http", "https")
        or not parts.hostname
        or not all("!" <= character <= "~" for character in url)
        or any(character in url for character in "@?#")
    ):
        raise ValueError("the address must be one of http or https, without user, query or fragment")
    return parts


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError("the attempt took too long")
    return left


def _slices(body: bytes, sock: socket.socket, deadline: float) -> Iterator[memoryview]:
    view = memoryview(body)
    for at in range(0, len(view), _SLICE_BYTES):
        sock.settimeout(_left(deadline))
        yield view[at : at + _SLICE_BYTES]


class _Received(io.RawIOBase):
    """What a socket receives until a deadline; the time-out of a socket is that of one read."""

    def __init__(self, sock: socket.socket, deadline: float) -> None:
        self._sock = sock
        # Keeps the socket open until the answer is read, where the connection ends with it.
        self._raw = sock.makefile("rb", buffering=0)
        self._deadline = deadline

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(self)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._sock.settimeout(_left(self._deadline))
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


def _response_class(deadline: float) -> Any:
    def create(sock: socket.socket, *args: Any, **options: Any) -> http.client.HTTPResponse:
        received: Any = _Received(sock, deadline)
        return http.client.HTTPResponse(received, *args, **options)

    return create


def _has_ended(sock: socket.socket) -> bool:
    """Nothing is expected on an idle connection, so what can be read is its end."""
    with _Selector() as selector:
        selector.register(sock, selectors.EVENT_READ)
        return bool(selector.select(0))


def parse_object(text: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
