import json
import pickle
import random
import unittest
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Any

from numera import InvalidRow, NumeraError
from numera._rows import write_push
from numera._rules.decimals import parse_decimal


def write(rows: Any) -> Any:
    return json.loads(write_push("k", 1, rows))["payload"]


class Rows(unittest.TestCase):
    def test_values_are_written_exactly_as_strings(self) -> None:
        stockholm = timezone(timedelta(hours=1))
        for value, text in [
            ("1249.50", "1249.50"),
            ("Malmö", "Malmö"),
            (249.5, "249.5"),
            (-0.0, "0"),
            (1e21, "1000000000000000000000"),
            (12345678901234567890, "12345678901234567890"),
            (Decimal("0.10"), "0.1"),
            (Decimal("1E+3"), "1000"),
            (True, "true"),
            (False, "false"),
            (None, None),
            (datetime(2026, 11, 22, 8, 30, tzinfo=UTC), "2026-11-22T08:30:00+00:00"),
            (datetime(2026, 11, 22, 9, 30, 0, 120_000, stockholm), "2026-11-22T09:30:00.120000+01:00"),
            (datetime(1860, 1, 1, 12, tzinfo=timezone(timedelta(seconds=4332))), "1860-01-01T10:47:48+00:00"),
            (date(2026, 11, 22), "2026-11-22"),
            ("2026-11-22T09:30:00+01:00", "2026-11-22T09:30:00+01:00"),
        ]:
            self.assertEqual(write({"field": value}), {"field": text})

    def test_rows_come_from_a_mapping_a_list_or_anything_that_gives_them(self) -> None:
        self.assertEqual(write({"a": "1"}), {"a": "1"})
        self.assertEqual(write({"a": number} for number in (1, 2)), [{"a": "1"}, {"a": "2"}])
        self.assertEqual(write([]), [])

    def test_what_would_not_arrive_as_it_is_is_refused_with_row_and_field(self) -> None:
        for value, sentence in [
            (0.1 + 0.2, "15 digits"),
            (2.0**53, "15 digits"),
            (float("nan"), "15 digits"),
            (float("inf"), "15 digits"),
            (10**38, "38 digits"),
            (10**5000, "38 digits"),
            (Decimal("1e-19"), "18 decimals"),
            (Decimal("1e999999"), "38 digits"),
            (Decimal("NaN"), "38 digits"),
            ("2026-11-22T09:30:00", "offset"),
            ("2026-11-22 09:30", "offset"),
            (datetime(2026, 11, 22, 9, 30), "offset"),
            (time(9, 30), "a time cannot"),
            ({"nested": "1"}, "a dict cannot"),
            (["1"], "a list cannot"),
            (b"1", "a bytes cannot"),
        ]:
            with self.subTest(sentence, kind=type(value)), self.assertRaisesRegex(InvalidRow, sentence) as caught:
                write([{"amount": "1"}, {"amount": value}])
            self.assertEqual((caught.exception.row, caught.exception.field), (2, "amount"))
        for rows in (["a"], [{1: "a"}], "text", [{"a": "\ud800"}]):
            with self.assertRaises(InvalidRow, msg=repr(rows)):
                write(rows)
        for version in (0, True, 1.0):
            with self.assertRaises(ValueError):
                write_push("k", version, {})  # type: ignore[arg-type]

    def test_rows_of_more_than_8388608_bytes_are_refused(self) -> None:
        with self.assertRaisesRegex(InvalidRow, "8388608"):
            write({"note": "x" * 9_000_000})
        with self.assertRaisesRegex(InvalidRow, "Row 9:"):
            write({"note": "ö" * 500_000} for _ in range(20))

    def test_every_decimal_of_38_digits_arrives_unchanged(self) -> None:
        draw = random.Random(25)
        for _ in range(2000):
            digits = str(draw.randrange(1, 10 ** draw.randint(1, 38)))
            scale = draw.randint(0, 18)
            text = f"{draw.choice(('', '-'))}{digits.zfill(scale + 1)}"
            if scale:
                text = f"{text[:-scale]}.{text[-scale:]}".rstrip("0").rstrip(".")
            self.assertEqual(write({"amount": Decimal(text)}), {"amount": text})
            self.assertEqual(str(parse_decimal(text)), str(Decimal(text)))

    def test_errors_survive_another_process(self) -> None:
        row = pickle.loads(pickle.dumps(InvalidRow("no", 2, "at")))
        self.assertEqual((str(row), row.row, row.field), ('Row 2, field "at": no', 2, "at"))
        error = pickle.loads(pickle.dumps(NumeraError("no", status=409, attempts=2)))
        self.assertEqual((str(error), error.status, error.attempts), ("no", 409, 2))
