import unittest
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from importlib.util import find_spec
from urllib.parse import parse_qsl, urlsplit

from numera import Conflict, NotParsedYet, NumeraError, UnreadableDelivery

from .scripted_service import Received, Reply, ScriptedService, fault, stored

# Every day from 2020 to 2025, newest first, three samples each.
DAYS = [((date(2025, 12, 31) - timedelta(days=at // 3)).isoformat(), f"{at}.5") for at in range(3 * 2192)]


def query_of(request: Received) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(request.path).query))


def reader(most: int) -> Callable[[Received], Reply]:
    """Reads as the service does, with windows of 731 days and at most `most` samples."""

    def answer(request: Received) -> Reply:
        query = query_of(request)
        to = query.get("to", "2026-01-01")
        least = (date.fromisoformat(to) - timedelta(days=731)).isoformat()
        wanted = query.get("from", least)
        found = [one for one in DAYS if max(wanted, least) <= one[0] < to]
        samples = [
            {
                "metric": "revenue",
                "period_start": day,
                "value": value,
                "labels": {"delivery_country": "SE"},
                "sandbox": False,
                "artifact_id": "a",
            }
            for day, value in found[:most]
        ]
        window = {"from": max(wanted, least), "to": to, "max_days": 731, "narrowed": wanted < least}
        return Reply(200, {"source_id": "s", "window": window, "samples": samples, "truncated": len(found) > most})

    return answer


def page(value: str, cursor: str | None) -> Reply:
    window = {"from": "2025-01-01", "to": "2025-02-01", "max_days": 731, "narrowed": False}
    sample = {"metric": "revenue", "period_start": "2025-01-01", "value": value, "labels": {}, "sandbox": False}
    body = {"source_id": "s", "window": window, "samples": [sample], "truncated": cursor is not None, "next": cursor}
    return Reply(200, body)


class Reading(unittest.TestCase):
    def test_samples_of_six_years_are_read_whole_however_many_an_answer_holds(self) -> None:
        for most in (5000, 700):
            with self.subTest(most), ScriptedService(reader(most)) as service:
                samples = list(service.client().samples(from_=date(2020, 1, 1)))
                self.assertEqual([(one.period_start, str(one.value)) for one in samples], DAYS)
                self.assertEqual((samples[0].labels, samples[0].artifact_id), ({"delivery_country": "SE"}, "a"))

    def test_a_day_that_is_more_than_an_answer_holds_is_said_not_left_out(self) -> None:
        with ScriptedService(reader(2)) as service, self.assertRaisesRegex(NumeraError, "2025-12-31 alone"):
            list(service.client().samples(from_="2025-12-01"))

    def test_a_cursor_leads_on_and_a_change_in_between_is_a_conflict(self) -> None:
        with ScriptedService(page("1", "c1"), page("2", None), page("1", "c1"), fault(409, "conflict")) as service:
            client = service.client()
            self.assertEqual([one.value for one in client.samples()], [1, 2])
            self.assertEqual(service.received[1].path, "/v1/samples?cursor=c1")
            with self.assertRaises(Conflict):
                list(client.samples(metric="revenue"))

    def test_an_answer_that_has_not_changed_is_not_sent_again(self) -> None:
        def answer(request: Received) -> Reply:
            if request.headers.get("if-none-match") == '"1"':
                return Reply(304, headers={"etag": '"1"'})
            return Reply(200, reader(5000)(request).body, {"etag": '"1"'})

        with ScriptedService(answer) as service:
            client = service.client()
            first, second, third = (list(client.samples(from_="2025-12-30")) for _ in range(3))
            self.assertEqual((first, second), (second, third))
            self.assertEqual([one.headers.get("if-none-match") for one in service.received], [None, '"1"', '"1"'])

    def test_filters_company_and_source_are_named_as_the_service_names_them(self) -> None:
        with ScriptedService(reader(5000)) as service:
            samples = service.client().samples(
                metric="revenue",
                from_="2025-12-31",
                to=date(2026, 1, 1),
                as_of=datetime(2026, 1, 15, 12, tzinfo=UTC),
                labels={"country": "SE & NO"},
                source_id="s",
                orgnr="556036-0793",
            )
            list(samples)
            self.assertEqual(
                query_of(service.received[0]),
                {
                    "metric": "revenue",
                    "from": "2025-12-31",
                    "to": "2026-01-01",
                    "as_of": "2026-01-15T12:00:00+00:00",
                    "source_id": "s",
                    "orgnr": "556036-0793",
                    "label.country": "SE & NO",
                },
            )

    def test_rows_are_dictionaries_with_exact_values(self) -> None:
        with ScriptedService(reader(5000)) as service:
            row = next(service.client().samples(from_="2025-12-31").rows())
            self.assertEqual((row["value"], row["label.delivery_country"]), (Decimal("0.5"), "SE"))

    def test_csv_has_exact_digits_and_a_column_for_each_label(self) -> None:
        def sample(value: str, **labels: str) -> dict[str, object]:
            return {
                "metric": "revenue",
                "period_start": "2026-03-01",
                "value": value,
                "labels": labels,
                "sandbox": False,
                "artifact_id": "a",
            }

        samples = [sample("99999999999999999999.000000000000000001", shop="b"), sample("0.0000001", country='a "b",\r\nc')]
        window = {"from": "2025-01-01", "to": "2026-04-01", "max_days": 731, "narrowed": False}
        body = {"source_id": "s", "window": window, "samples": samples, "truncated": False}
        with ScriptedService(Reply(200, body)) as service:
            self.assertEqual(
                service.client().samples().csv(),
                "metric,period_start,value,sandbox,artifact_id,label.country,label.shop\r\n"
                "revenue,2026-03-01,99999999999999999999.000000000000000001,false,a,,b\r\n"
                'revenue,2026-03-01,0.0000001,false,a,"a ""b"",\r\nc",\r\n',
            )

    def test_a_source_says_what_it_declares(self) -> None:
        body = {"source_id": "s", "event_time": "at", "fields": [{"name": "at", "type": "timestamp", "personal": False}]}
        with ScriptedService(Reply(200, body)) as service:
            source = service.client().source("s/1")
            self.assertEqual((source.event_time, source.fields[0].type), ("at", "timestamp"))
            self.assertEqual(service.received[0].path, "/v1/sources/s%2F1")

    @unittest.skipUnless(find_spec("pandas"), "pandas is not installed")
    def test_a_frame_has_decimals_and_floats_only_by_request(self) -> None:
        with ScriptedService(reader(5000)) as service:
            client = service.client()
            frame = client.samples(from_="2025-12-31").to_pandas()
            self.assertEqual((frame["value"].dtype.name, frame["value"].sum()), ("object", Decimal("4.5")))
            frame = client.samples(from_="2025-12-31").to_pandas(floats=True)
            self.assertEqual((frame["value"].dtype.name, frame["value"].sum()), ("float64", 4.5))
            self.assertEqual(len(client.samples(from_="2026-01-01", to="2026-01-01").to_pandas(floats=True)), 0)

    def test_a_trace_has_exact_values(self) -> None:
        delivery = {"artifact_id": "a", "value": "0.10", "rows": 1, "step": None, "running": "99999999999999999999.1"}
        body = {"metric": "revenue", "labels": {"country": "SE"}, "value": "0.10", "deliveries": [delivery]}
        with ScriptedService(Reply(200, body)) as service:
            trace = service.client().trace(metric="revenue", period_start=date(2025, 1, 1), labels={"country": "SE"})
            self.assertEqual((trace.value, trace.next_cursor), (Decimal("0.1"), None))
            (traced,) = trace.deliveries
            self.assertEqual((traced.step, traced.running), (None, Decimal("99999999999999999999.1")))
            expected = {"metric": "revenue", "period_start": "2025-01-01", "label.country": "SE"}
            self.assertEqual(query_of(service.received[0]), expected)

    def test_a_delivery_is_awaited_until_it_is_parsed_or_the_time_is_over(self) -> None:
        def report(state: str, reason: str | None = None) -> Reply:
            refusal = {"row": 1, "field": "at", "code": "event_time_missing", "reason": "…"}
            return Reply(200, {"state": state, "reason": reason, "refusals": [refusal]})

        with ScriptedService(report("queued"), report("queued"), report("parsed")) as service:
            delivery = service.client().delivery("a/b")
            parsed = delivery.parsed()
            self.assertEqual((parsed.state, parsed.refusals[0].code), ("parsed", "event_time_missing"))
            self.assertEqual(service.received[0].path, "/v1/deliveries/a%2Fb")
            self.assertEqual(service.clock.sleeps, [0.2, 0.5])
            service.replies = [report("queued")]
            with self.assertRaises(NotParsedYet):
                delivery.parsed(timeout=5)
            service.replies = [report("unreadable", "Not rows.")]
            with self.assertRaisesRegex(UnreadableDelivery, "Not rows."):
                delivery.parsed()

    def test_deliveries_are_listed_a_page_at_a_time_and_a_check_stores_nothing(self) -> None:
        listed = {"deliveries": [{"artifact_id": "a", "state": "parsed", "rows_accepted": 1}], "cursor": "c", "more": False}
        checked = {"outcome": "accepted", "rows_accepted": 0, "rows_refused": 1, "refusals": [], "would_get": "later"}
        with ScriptedService(Reply(200, listed), Reply(200, checked)) as service:
            client = service.client()
            found = client.deliveries(after="b", state="parsed", limit=10, wait=20)
            self.assertEqual((found.deliveries[0].rows_accepted, found.cursor), (1, "c"))
            self.assertEqual(service.received[0].path, "/v1/deliveries?after=b&state=parsed&limit=10&wait=20")
            for report in (
                client.check({"amount": "1"}, shape_version=1),
                client.check(b"amount\n1\n", shape_version=1),
            ):
                self.assertEqual((report.rows_refused, report.answer["would_get"]), (1, "later"))
            kinds = [(one.method, one.path, one.headers["content-type"]) for one in service.received[1:]]
            self.assertEqual(kinds[0], ("POST", "/v1/ingest/check", "application/json"))
            self.assertEqual(kinds[1], ("POST", "/v1/ingest/check", "application/octet-stream"))

    def test_a_replay_is_marked_and_a_base_address_with_a_credential_is_refused(self) -> None:
        with ScriptedService(stored(**{"idempotent-replayed": "true"})) as service:
            self.assertTrue(service.client().push({"a": "1"}, key="k", shape_version=1).replayed)
            for url in ("https://user:secret@numera.example", "https://numera.example?token=x", "ftp://numera.example"):
                with self.assertRaises(ValueError):
                    service.client(base_url=url)
            with self.assertRaises(ValueError):
                service.client(credential="nsk_x", client_id="a", client_secret="b")
