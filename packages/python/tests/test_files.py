import io
import json
import os
import tempfile
import unittest
from pathlib import Path
from typing import Any

from numera import BrokenFile, InvalidKey, InvalidRow, NumeraError, PartReceipt, Receipt
from numera._push_file import push_parts

from .scripted_service import RECEIPT, Reply, ScriptedService, fault, stored


def lines(count: int) -> bytes:
    return b"at,amount\n" + b"".join(b"2026-11-22,%d\n" % at for at in range(count))


def sources(delivers: str) -> Reply:
    source = {"source_id": "s", "name": "S", "delivers": delivers, "shape_version": 1, "paused": False}
    return Reply(200, {"sources": [source], "next_cursor": None})


class Files(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "orders.csv"
        self.sent: list[tuple[str, bytes]] = []

    def send(self, data: bytes, key: str) -> Receipt:
        self.sent.append((key, data))
        return Receipt(**RECEIPT, replayed=False)  # type: ignore[arg-type]

    def push(self, file: Any, **options: Any) -> list[PartReceipt]:
        given: dict[str, Any] = {"key": "orders", "part_bytes_max": 500, "send": self.send} | options
        return list(push_parts(file, format=None, allow_split=False, find_delivers=lambda: "events", **given))

    def test_a_file_comes_as_a_path_bytes_or_something_to_read_in_the_same_parts(self) -> None:
        content = lines(100)
        self.path.write_bytes(content)
        for file in (self.path, str(self.path), content, io.BytesIO(content)):
            self.sent.clear()
            parts = self.push(file)
            self.assertEqual(sum(part.rows or 0 for part in parts), 100)
            self.assertEqual((parts[-1].bytes_sent, parts[-1].bytes_total), (len(content), len(content)))
            sha256 = self.sent[0][0][-12:]
            self.assertEqual([key for key, _ in self.sent], [f"orders#{at + 1}/{sha256}" for at in range(len(parts))])
            head = b"at,amount\n"
            self.assertTrue(all(data.startswith(head) and len(data) <= 500 for _, data in self.sent))
            self.assertEqual(head + b"".join(data.removeprefix(head) for _, data in self.sent), content)

    def test_what_is_broken_in_the_middle_is_said_with_its_byte_and_what_went_before_stands(self) -> None:
        content = lines(60) + b'2026-11-22,"never closed\n'
        with self.assertRaises(BrokenFile) as caught:
            self.push(content)
        self.assertEqual(caught.exception.byte, content.index(b'"'))
        self.assertGreater(len(self.sent), 0)

    def test_a_file_that_grows_while_it_is_sent_is_no_more_sent(self) -> None:
        self.path.write_bytes(lines(200_000))

        def send(data: bytes, key: str) -> Receipt:
            with open(self.path, "ab") as file:
                file.write(b"2026-11-22,1\n")
            os.utime(self.path, ns=(0, 0))
            return self.send(data, key)

        with self.assertRaisesRegex(BrokenFile, "changed"):
            self.push(self.path, send=send, part_bytes_max=1_100_000)
        self.assertEqual(len(self.sent), 1)

    def test_a_key_that_leaves_no_space_for_the_part_is_refused(self) -> None:
        with self.assertRaises(InvalidKey):
            self.push(lines(100), key="x" * 181)
        self.assertEqual(self.sent, [])

    def test_over_8388608_bytes_split_deliveries_each_with_its_own_key(self) -> None:
        line = json.dumps({"at": "2026-11-22", "note": "x" * 1_000_000}).encode() + b"\n"
        with ScriptedService(sources("events"), stored()) as service:
            parts = list(service.client().push_file(line * 10, key="lines"))
            calls = service.received[1:]
            self.assertEqual([part.rows for part in parts], [8, 2])
            self.assertEqual([call.body for call in calls], [line * 8, line * 2])
            self.assertEqual([call.headers["idempotency-key"] for call in calls], [part.key for part in parts])
            self.assertRegex(parts[1].key, "^lines#2/[0-9a-f]{12}$")
            with self.assertRaises(InvalidRow):
                service.client().push({"note": "x" * 9_000_000}, key="k", shape_version=1)

    def test_a_file_of_statements_is_not_cut_without_being_told_to(self) -> None:
        content = b"at,note\n" + (b"2026-11-22," + b"x" * 1_000_000 + b"\n") * 9
        with ScriptedService(sources("statements"), stored()) as service:
            with self.assertRaisesRegex(NumeraError, "statements"):
                list(service.client().push_file(content, key="day"))
            self.assertEqual([one.path for one in service.received], ["/v1/sources"])
            self.assertEqual(len(list(service.client().push_file(content, key="day", allow_split=True))), 2)
        with ScriptedService(fault(403, "permission_denied"), stored()) as service:
            with self.assertRaisesRegex(NumeraError, "not known"):
                list(service.client().push_file(content, key="day"))
