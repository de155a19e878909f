import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

from numera import CredentialRefused, InvalidKey, InvalidRow, KeyReused, PermissionDenied
from numera._outbox_file import OutboxFile
from numera.outbox import Outbox, OutboxDamaged, OutboxError, OutboxFull, OutboxInUse, OutboxLocked, OutboxVersion

from .outbox_connector import SOURCES
from .scripted_service import Received, Reply, ScriptedService, fault, happens, stored

FIRST, SECOND = SOURCES
# Each takes a second on a busy machine; `scripts/test-python-package.sh` has more.
KILLS = int(os.environ.get("KILLS", "3"))
RATE = {"ratelimit-limit": "6000000", "ratelimit-remaining": "100000", "ratelimit-reset": "0"}


def key(call: Received) -> str:
    return str(json.loads(call.body)["idempotency_key"])


def source(call: Received) -> str:
    return call.path.partition("source_id=")[2]


class Outboxes(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.path = self.folder / "orders.outbox"

    def sending(self, service: ScriptedService, **options: Any) -> Outbox:
        return Outbox(self.path, service.client(), clock=service.clock, **options)

    def eventually(self, condition: Callable[[], bool]) -> None:
        end = time.monotonic() + 10
        while not condition():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.005)


def put(outbox: Outbox, number: int, source_id: str | None = None) -> None:
    outbox.put({"amount": number}, key=f"order:{number}", shape_version=1, source_id=source_id)


class Sending(Outboxes):
    def test_what_was_put_is_sent_by_a_later_process_in_sequence_within_a_source(self) -> None:
        with Outbox(self.path) as outbox:
            for number in range(20):
                put(outbox, number, FIRST if number % 2 else SECOND)
        with ScriptedService(stored(**RATE)) as service, self.sending(service) as outbox:
            self.assertEqual((outbox.status().pending, outbox.status().failed), (20, 0))
            outbox.run(until_empty=True)
            for one, rest in ((FIRST, 1), (SECOND, 0)):
                sent = [key(call) for call in service.received if source(call) == one]
                self.assertEqual(sent, [f"order:{number}" for number in range(rest, 20, 2)])
            self.assertEqual((outbox.status().pending, outbox.status().bytes), (0, 0))

    def test_what_is_put_while_it_runs_is_sent_and_close_or_the_event_ends_it(self) -> None:
        stop = threading.Event()
        with ScriptedService(stored(**RATE)) as service, self.sending(service) as outbox:
            for end in (stop.set, outbox.close):
                stop.clear()
                running = threading.Thread(target=outbox.run, args=(stop,))
                running.start()
                put(outbox, len(service.received))
                self.eventually(lambda: outbox.status().pending == 0)
                end()
                running.join(5)
                self.assertFalse(running.is_alive())
            self.assertEqual([key(call) for call in service.received], ["order:0", "order:1"])

    def test_the_same_rows_are_one_delivery_other_rows_are_refused_and_sources_have_keys_of_their_own(self) -> None:
        with ScriptedService(stored(**RATE)) as service, self.sending(service) as outbox:
            for source_id in (None, None, FIRST):
                put(outbox, 1, source_id)
            with self.assertRaises(KeyReused):
                outbox.put({"amount": 2}, key="order:1", shape_version=1)
            with self.assertRaises(InvalidRow):
                outbox.put({"amount": 0.1 + 0.2}, key="order:2", shape_version=1)
            with self.assertRaises(InvalidKey):
                outbox.put({"amount": 1}, key=str(uuid4()), shape_version=1)
            outbox.run(until_empty=True)
            sent = sorted((key(call), source(call)) for call in service.received)
            self.assertEqual(sent, [("order:1", ""), ("order:1", FIRST)])

    def test_a_final_refusal_is_kept_with_its_error_and_stops_nothing_else(self) -> None:
        def refuse(call: Received) -> Reply:
            return fault(403, "permission_denied", RATE) if key(call) in ("order:1", "order:3") else stored(**RATE)

        with ScriptedService(refuse) as service, self.sending(service) as outbox:
            for number in (1, 2, 3):
                put(outbox, number, FIRST)
            outbox.run(until_empty=True)
            self.assertEqual([key(call) for call in service.received], ["order:1", "order:2", "order:3"])
            failed = outbox.failed()
            self.assertEqual([(one.key, one.source_id) for one in failed], [("order:1", FIRST), ("order:3", FIRST)])
            error = failed[0].error
            self.assertIsInstance(error, PermissionDenied)
            self.assertEqual((error.status, error.request_id, error.attempts), (403, "r-1", 1))
            self.assertEqual(failed[0].failed_at, datetime.fromtimestamp(service.clock.now(), UTC))
            self.assertEqual([outbox.discard("order:3"), outbox.discard("order:2")], [True, False])
            self.assertEqual([outbox.retry("order:1", source_id=SECOND), outbox.retry("order:1")], [False, True])
            service.replies = [stored(**RATE)]
            outbox.run(until_empty=True)
            self.assertEqual([key(call) for call in service.received[3:]], ["order:1"])
            self.assertEqual(outbox.failed(), [])

    def test_a_paused_source_keeps_its_rows_until_resume_and_the_others_are_sent(self) -> None:
        is_paused = threading.Event()
        is_paused.set()

        def answer(call: Received) -> Reply:
            return fault(409, "source_paused", RATE) if is_paused.is_set() and source(call) == FIRST else stored(**RATE)

        with ScriptedService(answer) as service, self.sending(service) as outbox:
            for number in (1, 2):
                put(outbox, number, FIRST)
                put(outbox, number, SECOND)
            running = threading.Thread(target=outbox.run)
            running.start()
            self.eventually(lambda: (outbox.status().pending, outbox.status().paused) == (2, [FIRST]))
            is_paused.clear()
            outbox.resume(FIRST)
            self.eventually(lambda: (outbox.status().pending, outbox.status().paused) == (0, []))
            outbox.close()
            running.join(5)
            sent = [key(call) for call in service.received if source(call) == FIRST]
            self.assertEqual(sent, ["order:1", "order:1", "order:2"])

    def test_a_refused_credential_ends_run_everything_is_kept_and_it_is_in_no_file(self) -> None:
        with ScriptedService(fault(401, "unauthenticated")) as service:
            with Outbox(self.path, service.client(credential="nsk_secret"), clock=service.clock) as outbox:
                put(outbox, 1)
                with self.assertRaises(CredentialRefused):
                    outbox.run()
                self.assertEqual((outbox.status().pending, outbox.status().failed), (1, 0))
                for file in self.folder.iterdir():
                    self.assertNotIn(b"nsk_secret", file.read_bytes())

    def test_without_a_network_for_months_it_sends_the_same_bytes_again(self) -> None:
        calls = 0

        def answer(call: Received) -> Reply:
            nonlocal calls
            calls += 1
            service.clock.at += 3 * 86_400
            if calls > 40:
                return stored()
            return fault(429, "rate_limited", {"retry-after": "7200"}) if calls % 3 else happens("cut")

        with ScriptedService(answer) as service, self.sending(service) as outbox:
            put(outbox, 1)
            outbox.run(until_empty=True)
            self.assertEqual(len({call.body for call in service.received}), 1)
            self.assertEqual((outbox.status().pending, outbox.status().failed), (0, 0))

    def test_one_process_sends_from_a_file(self) -> None:
        with ScriptedService(stored(**RATE)) as service, self.sending(service) as outbox:
            running = threading.Thread(target=outbox.run)
            running.start()
            put(outbox, 1)
            self.eventually(lambda: outbox.status().pending == 0)
            with self.sending(service) as other, self.assertRaises(OutboxInUse):
                other.run()
            with self.assertRaises(OutboxInUse):
                outbox.run()
            names = sorted(file.name for file in self.folder.iterdir())
            self.assertEqual(names, [f"orders.outbox{end}" for end in ("", "-shm", "-wal", ".sender")])
            self.assertEqual({file.stat().st_mode & 0o777 for file in self.folder.iterdir()}, {0o600})
            outbox.close()
            running.join(5)

    def test_a_connector_that_is_killed_loses_nothing_and_nothing_counts_twice(self) -> None:
        bodies: dict[tuple[str, str], bytes] = {}
        conflicts: list[tuple[str, str]] = []
        calls = 0

        def answer(call: Received) -> Reply:
            """Stores by source and key, as the service does, and fails in every fashion."""
            nonlocal calls
            calls += 1
            if calls % 11 == 0:
                return happens("cut")
            if calls % 13 == 0:
                return fault(503, "internal", RATE)
            id = (source(call), key(call))
            if bodies.setdefault(id, call.body) != call.body:
                conflicts.append(id)
            # Stored, but the sender does not learn it.
            return happens("cut within") if calls % 7 == 0 else stored(**RATE)

        log = self.folder / "put.log"
        log.touch()
        with ScriptedService(answer) as service:
            for kill in range(KILLS):
                size = log.stat().st_size
                words = [sys.executable, "-m", "tests.outbox_connector", str(self.path), service.url, str(log)]
                connector = subprocess.Popen(words, stdout=subprocess.PIPE)
                with connector:
                    assert connector.stdout is not None
                    connector.stdout.readline()
                    self.eventually(lambda: log.stat().st_size > size)  # noqa: B023
                    time.sleep(0.03 * (kill % 7))
                    connector.send_signal(signal.SIGKILL)
            service.replies = [answer]
            with self.sending(service) as outbox:
                outbox.run(until_empty=True)
                self.assertEqual(outbox.failed(), [])
        put_before = {tuple(line.split()) for line in log.read_text().splitlines()}
        self.assertGreaterEqual(len(put_before), KILLS)
        self.assertLessEqual(put_before, bodies.keys())
        self.assertEqual(conflicts, [])
        for one in SOURCES:
            orders = [int(key.removeprefix("order:")) for source, key in bodies if source == one]
            # Each once, none left out, in sequence: so the sum is that of the orders, three times.
            self.assertEqual(orders, list(range(1, len(orders) + 1)))
            total = sum(
                int(row["amount"])
                for id, body in bodies.items()
                if id[0] == one
                for row in json.loads(body)["payload"]
            )
            self.assertEqual(total, 3 * len(orders) * (len(orders) + 1) // 2)


class Keeping(Outboxes):
    def test_puts_of_several_threads_share_commits(self) -> None:
        file = OutboxFile(str(self.path))
        self.addCleanup(file.close)
        log = Path(f"{self.path}-wal")
        statements: list[str] = []
        file.database.set_trace_callback(statements.append)

        def store(number: int) -> None:
            file.write(lambda: file.add("", "", f"order:{number}", b"{}", 100))

        with file._lock:
            threads = [threading.Thread(target=store, args=(number,)) for number in range(20)]
            for thread in threads:
                thread.start()
            self.eventually(lambda: len(file._writes) == 20)
        for thread in threads:
            thread.join()
        self.assertEqual(statements.count("commit"), 1)
        self.assertEqual(file.totals(), (20, 40))
        self.assertLess(log.stat().st_size, 20 * 4096)

    def test_at_the_bound_put_raises_and_there_is_space_again_for_what_was_sent(self) -> None:
        with ScriptedService(stored(**RATE)) as service, self.sending(service, bytes_max=200) as outbox:
            put(outbox, 1)
            put(outbox, 2)
            with self.assertRaises(OutboxFull):
                put(outbox, 3)
            put(outbox, 2)
            outbox.run(until_empty=True)
            put(outbox, 3)
            self.assertEqual([key(call) for call in service.received], ["order:1", "order:2"])

    def test_on_a_full_disk_put_raises_and_what_was_put_before_is_kept(self) -> None:
        # SQLite's own limit of pages gives the same error as a disk without space.
        file = OutboxFile(str(self.path))
        kept = 0
        file.database.execute("pragma max_page_count = 60")
        for number in range(40):
            try:
                file.write(lambda: file.add("", "", f"order:{number}", bytes(10_000), 10**9))  # noqa: B023
                kept += 1
            except OutboxFull:
                pass
        self.assertTrue(5 < kept < 30, kept)
        file.close()
        with Outbox(self.path) as outbox:
            self.assertEqual(outbox.status().pending, kept)

    def prepare(self) -> None:
        if self.path.exists():
            self.path.unlink()
        file = OutboxFile(str(self.path))

        def fill() -> None:
            for number in range(100):
                file.add("", "", f"order:{number}", b"x" * 3000, 10**9)

        file.write(fill)
        file.close()

    def change(self, sql: str) -> None:
        with closing(sqlite3.connect(self.path)) as database:
            database.execute(sql)

    def overwrite(self, at: int, data: bytes) -> None:
        with self.path.open("r+b") as file:
            file.seek(at)
            file.write(data)

    def test_a_file_that_cannot_be_used_is_said_and_stays_as_it_is(self) -> None:
        def remove() -> None:
            self.path.unlink()
            Path(f"{self.path}-wal").touch()

        cases: list[tuple[str, type[OutboxError], Callable[[], object]]] = [
            ("another version", OutboxVersion, lambda: self.change("pragma user_version = 2")),
            ("the database of another program", OutboxVersion, lambda: self.change("pragma application_id = 7")),
            ("no database", OutboxDamaged, lambda: self.path.write_text("orders" * 1000)),
            ("empty", OutboxDamaged, lambda: os.truncate(self.path, 0)),
            ("truncated within a page", OutboxDamaged, lambda: os.truncate(self.path, 100_000)),
            ("truncated by a page", OutboxDamaged, lambda: os.truncate(self.path, self.path.stat().st_size - 4096)),
            ("overwritten in places", OutboxDamaged, lambda: self.overwrite(24_576, b"\xff" * 20_000)),
            ("missing beside its log", OutboxDamaged, remove),
        ]
        for name, error, damage in cases:
            with self.subTest(name):
                self.prepare()
                damage()
                before = self.path.read_bytes() if self.path.exists() else None
                with self.assertRaises(error):
                    Outbox(self.path)
                self.assertEqual(self.path.read_bytes() if self.path.exists() else None, before)

    def test_rows_that_changed_on_the_disk_are_not_sent(self) -> None:
        self.prepare()
        self.overwrite(self.path.read_bytes().index(b"xxxxx"), b"Q")
        with ScriptedService(stored(**RATE)) as service, self.sending(service) as outbox:
            with self.assertRaises(OutboxDamaged):
                outbox.run()
            self.assertFalse(any(b"Q" in call.body for call in service.received))

    def test_a_file_that_another_process_keeps_locked_is_said(self) -> None:
        file = OutboxFile(str(self.path))
        self.addCleanup(file.close)
        file.database.execute("pragma busy_timeout = 50")
        with closing(sqlite3.connect(self.path, isolation_level=None)) as other:
            other.execute("begin immediate")
            with self.assertRaises(OutboxLocked):
                file.write(lambda: None)
        file.write(lambda: None)
