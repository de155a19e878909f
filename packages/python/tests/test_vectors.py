"""`packages/vectors`: inputs and outputs that the clients of every language share."""

import json
import unittest
from datetime import date, datetime
from decimal import localcontext
from pathlib import Path
from typing import Any

from numera._files import Document, open_parts
from numera._rules.decimals import (
    EXACT,
    decimal_of_float,
    exact_float,
    fits_row,
    parse_decimal,
    show_decimal,
)
from numera._rules.key import InvalidKey, find_key_fault, find_unsafe_key, key_for, part_key
from numera._rules.records import BrokenFile
from numera._rules.renewal import after_unauthenticated, renew_at
from numera._rules.retry import CALL_BACKOFF, WEBHOOK_BACKOFF, next_step, read_retry_after
from numera._rules.sign import sign_delivery, verify_delivery

ROOT = Path(__file__).parents[3]


def read(name: str) -> Any:
    return json.loads((ROOT / "packages/vectors" / f"{name}.json").read_text("utf-8"))


def instant(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


def milliseconds(seconds: float | None) -> int | None:
    return None if seconds is None else round(seconds * 1000)


class Decimals(unittest.TestCase):
    vectors = read("decimals")

    def test_are_shown_with_the_digits_that_they_were_written_with(self) -> None:
        for vector in self.vectors["parsed"]:
            value = parse_decimal(vector["text"])
            self.assertEqual(show_decimal(value), vector["shown"])
            self.assertEqual(show_decimal(parse_decimal(vector["shown"])), vector["shown"])
            self.assertEqual(fits_row(value), vector["fits_row"], vector["text"])
        for text in self.vectors["malformed"]:
            with self.assertRaises(ValueError, msg=repr(text)):
                parse_decimal(text)

    def test_are_added_subtracted_multiplied_and_compared_exactly(self) -> None:
        for vector in self.vectors["arithmetic"]:
            a, b = parse_decimal(vector["a"]), parse_decimal(vector["b"])
            with localcontext(EXACT):
                self.assertEqual(show_decimal(a + b), vector["add"])
                self.assertEqual(show_decimal(a - b), vector["subtract"])
                self.assertEqual(show_decimal(a * b), vector["multiply"])
                self.assertEqual((a > b) - (a < b), vector["compare"])

    def test_come_from_a_float_of_at_most_15_digits_and_become_one_only_where_it_has_the_same(self) -> None:
        for vector in self.vectors["floats"]:
            value = decimal_of_float(float(vector["float"]))
            shown = show_decimal(value) if value is not None and fits_row(value) else None
            self.assertEqual(shown, vector["text"], vector["float"])
        for vector in self.vectors["to_float"]:
            value = parse_decimal(vector["text"])
            if vector["float"] is None:
                with self.assertRaises(ValueError, msg=vector["text"]):
                    exact_float(value)
            else:
                self.assertEqual(exact_float(value), vector["float"])


class Keys(unittest.TestCase):
    vectors = read("keys")

    def key(self, parts: list[Any]) -> str:
        def to_part(part: Any) -> Any:
            if not isinstance(part, dict):
                return part
            return date.fromisoformat(part["date"]) if "date" in part else datetime.fromisoformat(part["instant"])

        return key_for(*map(to_part, parts))

    def test_of_parts(self) -> None:
        for vector in self.vectors["keys"]:
            self.assertEqual(self.key(vector["parts"]), vector["key"])
        for vector in self.vectors["refused"]:
            with self.assertRaises(InvalidKey, msg=repr(vector["parts"])):
                self.key(vector["parts"])

    def test_that_no_call_accepts(self) -> None:
        for vector in self.vectors["faults"]:
            self.assertEqual(find_key_fault(vector["key"]) is not None, vector["is_refused"], vector["key"])

    def test_that_come_from_the_clock_or_a_random_generator_are_refused_with_the_reason(self) -> None:
        for vector in self.vectors["unsafe"]:
            sentence = find_unsafe_key(vector["key"], instant(self.vectors["now"]))
            found = None if sentence is None else "random" if "random" in sentence else "time"
            self.assertEqual(found, vector["why"], vector["key"])

    def test_of_parts_of_a_file(self) -> None:
        for vector in self.vectors["parts"]:
            self.assertEqual(part_key(vector["key"], vector["part"], vector["sha256"]), vector["part_key"])


class Retries(unittest.TestCase):
    vectors = read("retries")

    def test_follow_each_answer_as_it_was_agreed(self) -> None:
        for vector in self.vectors["steps"]:
            wait = vector["retry_after_ms"]
            step = next_step(
                WEBHOOK_BACKOFF if vector["policy"] == "webhook" else CALL_BACKOFF,
                status=vector["status"],
                readable=vector["readable"],
                retry_after=None if wait is None else wait / 1000,
                pauses=vector["pauses"],
                elapsed=vector["elapsed_ms"] / 1000,
                random=vector["random"],
            )
            self.assertEqual((step.do, milliseconds(step.seconds)), (vector["then"], vector.get("ms")), vector)

    def test_wait_for_retry_after_in_seconds_or_until_a_date(self) -> None:
        for vector in self.vectors["retry_after"]:
            found = read_retry_after(vector["header"], instant(vector["now"]))
            self.assertEqual(milliseconds(found), vector["ms"], vector["header"])

    def test_renew_tokens_a_minute_before_their_end_and_once_after_a_401(self) -> None:
        for vector in self.vectors["tokens"]:
            found = renew_at(vector["issued_at_ms"] / 1000, vector["expires_in"])
            self.assertEqual(milliseconds(found), vector["renew_at_ms"])
        for vector in self.vectors["unauthenticated"]:
            found_step = after_unauthenticated(is_renewable=vector["renewable"], refusals=vector["refusals"])
            self.assertEqual(found_step, vector["then"])


class Signatures(unittest.TestCase):
    vectors = read("signatures")

    def test_are_those_of_the_guide(self) -> None:
        for vector in self.vectors["signed"]:
            body = vector["body"] if "body" in vector else bytes.fromhex(vector["body_hex"])
            signature = sign_delivery(
                secret=vector["secret"], delivery_id=vector["delivery_id"], body=body, t=vector["t"]
            )
            self.assertEqual(signature, f"t={vector['t']},v1={vector['v1']}")

    def test_are_verified_as_the_service_verifies_them(self) -> None:
        secret = self.vectors["signed"][0]["secret"]
        for vector in self.vectors["verified"]:
            found = verify_delivery(
                secret=secret, delivery_id="a", body="{}", signature=vector["signature"], now=vector["now"]
            )
            self.assertEqual(found, vector["fault"], vector["signature"])


class Splits(unittest.TestCase):
    def test_cut_on_the_borders_of_records_in_chunks_of_any_size(self) -> None:
        for vector in read("splits")["splits"]:
            data = vector["text"].encode()
            for size in (1, 2, 3, 7, 1000):
                with self.subTest(vector["name"], chunks=size):
                    parts, broken_at = self.read(data, size, vector["bytes_max"], vector.get("declared"))
                    self.assertEqual(parts, vector.get("parts", []))
                    self.assertEqual(broken_at, vector.get("broken_at"))

    def read(
        self, data: bytes, size: int, bytes_max: int, declared: Any
    ) -> tuple[list[str], int | None]:
        parts: list[str] = []
        try:
            with Document(data, chunk_bytes=size) as document:
                _, found = open_parts(document, bytes_max, declared)
                parts.extend(part.data.decode() for part in found)
        except BrokenFile as error:
            return parts, error.byte
        return parts, None


if __name__ == "__main__":
    unittest.main()
