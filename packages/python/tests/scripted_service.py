"""An HTTP server that answers by a script, and a clock for its clients whose sleeps take no time."""

import json
import socket
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from numera import Numera

RECEIPT = {
    "artifact_id": "0190a2b4-58cc-7372-a567-0e02b2c3d479",
    "shape_version": 1,
    "status": "queued",
    "sandbox": False,
    "dropped_keys": [],
    "delivers": "events",
}


@dataclass
class Received:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Reply:
    status: int
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    instead: str = ""
    """What happens instead of the answer: `cut` before it, `cut within` its body, `silence`, `drip`, a byte at a time,
    `early`, while the body is being sent, or `end after`, when the connection ends behind it without a word."""


def happens(instead: str) -> Reply:
    return Reply(202, RECEIPT, instead=instead)


def stored(**headers: str) -> Reply:
    return Reply(202, RECEIPT, headers)


def token(value: str, seconds: int = 3600) -> Reply:
    return Reply(200, {"access_token": value, "token_type": "Bearer", "expires_in": seconds})


def fault(status: int, code: str, headers: dict[str, str] | None = None) -> Reply:
    help = f"https://numera.example/docs/errors#{code}"
    body = {"code": code, "message": f"{code}.", "help": help, "request_id": "r-1"}
    return Reply(status, body, headers or {})


class RecordingClock:
    def __init__(self) -> None:
        self.at = 1_795_336_200.0
        """2026-11-22T08:30:00Z"""
        self.sleeps: list[float] = []

    def now(self) -> float:
        return self.at

    def sleep(self, seconds: float) -> None:
        self.sleeps.append(round(seconds, 6))
        self.at += seconds

    def random(self) -> float:
        return 0.0


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: Any, address: Any) -> None:
        """A client that is killed is no fault of a test."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, address)


class ScriptedService:
    """`replies` are its answers, in sequence; the last one from then on. A function answers by what it receives."""

    def __init__(self, *replies: Reply | Callable[[Received], Reply]) -> None:
        self.replies = list(replies)
        self.received: list[Received] = []
        self.connections = 0
        self.clock = RecordingClock()
        self.ended = threading.Event()
        self.hung_up = threading.Event()
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.ended.set()
        self._server.shutdown()
        self._server.server_close()

    def client(self, **options: Any) -> Numera:
        """With a static credential by default."""
        if not options.keys() & {"credential", "client_id", "token"}:
            options["credential"] = "nsk_test"
        given: dict[str, Any] = {"base_url": self.url, "clock": self.clock} | options
        return Numera(**given)

    def take(self, request: Received) -> Reply:
        with self._lock:
            self.received.append(request)
            reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        return reply if isinstance(reply, Reply) else reply(request)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        service = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def setup(self) -> None:
                super().setup()
                service.connections += 1

            def answer(self) -> None:
                size = int(self.headers.get("content-length") or 0)
                is_early = getattr(service.replies[0], "instead", "") == "early"
                body = self.rfile.read(0 if is_early else size)
                self.close_connection = self.close_connection or is_early
                if len(body) < size and not is_early:
                    return
                headers = {name.lower(): value for name, value in self.headers.items()}
                self.write(service.take(Received(self.command, self.path, headers, body)))

            do_GET = do_POST = answer

            def finish(self) -> None:
                super().finish()
                with suppress(OSError):
                    self.connection.shutdown(socket.SHUT_RDWR)
                service.hung_up.set()

            def write(self, reply: Reply) -> None:
                if reply.instead in ("cut", "silence"):
                    if reply.instead == "silence":
                        service.ended.wait(5)
                    self.close_connection = True
                    return
                text = "" if reply.body is None else reply.body
                data = (text if isinstance(text, str) else json.dumps(text)).encode()
                self.send_response(reply.status)
                for name, value in ({"content-type": "application/json"} | reply.headers).items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.close_connection = self.close_connection or reply.instead in ("cut within", "end after")
                if reply.instead == "cut within":
                    data = data[:20]
                if reply.instead != "drip":
                    self.wfile.write(data)
                    return
                self.close_connection = True
                for byte in data:
                    if service.ended.wait(0.03):
                        break
                    try:
                        self.wfile.write(bytes((byte,)))
                    except OSError:
                        break

            def log_message(self, *_: object) -> None:
                pass

        return Handler
