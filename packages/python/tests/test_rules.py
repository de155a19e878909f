"""The specification's rules for senders, each quoted, against a service that answers by a script. The clock is the test's: nothing
waits.
"""

import base64
import json
import math
import unittest
import uuid
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numera
from numera import CredentialRefused, InvalidKey, NumeraError, SourcePaused, errors, send_webhook, verify_delivery

from .scripted_service import RECEIPT, Received, Reply, ScriptedService, fault, happens, stored, token

ROW = {"at": "2026-11-22T09:30:00+01:00", "amount": "249.50"}
HTML = "<html>Bad gateway</html>"


def push(client: numera.Numera, **options: Any) -> numera.Receipt:
    given: dict[str, Any] = {"key": "order:1001", "shape_version": 1} | options
    return client.push(given.pop("rows", [ROW]), **given)


class TestCase(unittest.TestCase):
    def error(self, client: numera.Numera, **options: Any) -> NumeraError:
        with self.assertRaises(NumeraError) as caught:
            push(client, **options)
        return caught.exception


class Retry(TestCase):
    """“Retry 429, 5xx, timeouts and dropped connections, always with the same idempotency key and body”"""

    def test_what_says_nothing_about_the_delivery_is_followed_by_the_same_again(self) -> None:
        for name, reply in {
            "429 with a wait": fault(429, "rate_limited", {"retry-after": "1"}),
            "429 without a wait": fault(429, "rate_limited"),
            "408": fault(408, "internal"),
            "500": fault(500, "internal"),
            "502 of a proxy": Reply(502, HTML, {"content-type": "text/html"}),
            "503": fault(503, "internal", {"retry-after": "1"}),
            "a connection that is cut": happens("cut"),
            "a connection that is cut within the answer": happens("cut within"),
            "a slow connection": happens("silence"),
            "an answer that comes a byte at a time": happens("drip"),
            "a redirect": Reply(307, headers={"location": "https://elsewhere.example/"}),
            "a 202 that is no receipt": Reply(202, {"ok": True}),
            "a 202 that is not JSON": Reply(202, HTML),
            "a 202 with an empty body": Reply(202),
            "a 404 that is not JSON": Reply(404, HTML),
        }.items():
            with self.subTest(name), ScriptedService(reply, stored()) as service:
                # Short only where it has to pass: on a busy machine any attempt may take long.
                receipt = push(service.client(timeout=1 if reply.instead in ("silence", "drip") else 60))
                self.assertEqual((receipt.artifact_id, receipt.replayed), (RECEIPT["artifact_id"], False))
                first, second = service.received
                self.assertEqual(first.body, second.body)
                payload = {"idempotency_key": "order:1001", "shape_version": 1, "payload": [ROW]}
                self.assertEqual(json.loads(first.body), payload)
                self.assertEqual(service.clock.sleeps, [1])

    def test_a_file_is_sent_again_with_the_same_header_and_bytes(self) -> None:
        data = b"at,amount\n2026-11-22,1\n"
        with ScriptedService(happens("cut"), fault(503, "internal"), stored()) as service:
            (part,) = service.client().push_file(data, key="day")
            self.assertEqual((part.key, part.part, part.rows), ("day", 1, 1))
            self.assertEqual((part.bytes_sent, part.bytes_total), (23, 23))
            sent = {(one.headers["idempotency-key"], one.body) for one in service.received}
            self.assertEqual((sent, len(service.received)), ({("day", data)}, 3))

    def test_for_15_minutes_or_as_long_as_one_says(self) -> None:
        with ScriptedService(fault(503, "internal")) as service:
            error = self.error(service.client())
            self.assertIsInstance(error, errors.Internal)
            self.assertEqual((error.status, error.request_id, error.attempts), (503, "r-1", len(service.received)))
            self.assertTrue(13 * 60 < sum(service.clock.sleeps) <= 15 * 60)
            self.assertEqual(self.error(service.client(give_up_after=0)).attempts, 1)

    def test_a_service_that_is_not_there_is_unreachable(self) -> None:
        with ScriptedService(stored()) as service:
            url = service.url
        error = self.error(service.client(base_url=url, give_up_after=0))
        self.assertIsInstance(error, errors.Unreachable)
        self.assertIsInstance(error.__cause__, OSError)

    def test_wait_longer_each_time_up_to_a_minute(self) -> None:
        with ScriptedService(*[fault(500, "internal")] * 8, stored()) as service:
            push(service.client())
            self.assertEqual(service.clock.sleeps, [1, 2, 4, 8, 16, 32, 60, 60])

    def test_and_at_least_retry_after_as_seconds_or_a_date(self) -> None:
        date = {"retry-after": "Sun, 22 Nov 2026 08:32:00 GMT", "date": "Sun, 22 Nov 2026 08:30:00 GMT"}
        dated = fault(429, "rate_limited", date)
        with ScriptedService(fault(429, "rate_limited", {"retry-after": "60"}), dated, stored()) as service:
            # The server of the test writes its own Date first.
            push(service.client())
            self.assertEqual(service.clock.sleeps[0], 60)
            self.assertEqual(len(service.received), 3)
            service.replies = [fault(429, "rate_limited", {"retry-after": "3600"})]
            error = self.error(service.client())
            self.assertIsInstance(error, errors.RateLimited)
            self.assertEqual((error.attempts, error.retry_after), (1, 3600))

    def test_an_answer_that_comes_before_all_of_a_body_was_taken_is_heard(self) -> None:
        with ScriptedService(Reply(413, fault(413, "invalid_argument").body, instead="early")) as service:
            error = self.error(service.client(), rows=[{"note": "x" * 8_000_000}])
            self.assertEqual((type(error), error.attempts), (errors.InvalidArgument, 1))

    def test_a_connection_serves_many_calls_and_one_that_the_service_closed_is_not_used(self) -> None:
        with ScriptedService(stored()) as service:
            client = service.client()
            for _ in range(5):
                push(client)
            self.assertEqual(service.connections, 1)
            service.replies = [happens("end after"), stored()]
            push(client)
            self.assertTrue(service.hung_up.wait(5))
            push(client)
            self.assertEqual((service.connections, service.clock.sleeps), (2, []))


class Refusals(TestCase):
    """“Do not retry other 4xx unchanged”"""

    def test_each_code_has_its_class(self) -> None:
        for status, code, of_code in [
            (400, "invalid_argument", errors.InvalidArgument),
            (400, "credential_in_url", errors.CredentialInUrl),
            (401, "unauthenticated", errors.CredentialRefused),
            (403, "permission_denied", errors.PermissionDenied),
            (403, "sign_in_again", errors.SignInAgain),
            (403, "docs_origin_needs_sandbox", errors.DocsOriginNeedsSandbox),
            (403, "webhook_only", errors.WebhookOnly),
            (404, "not_found", errors.NotFound),
            (405, "method_not_allowed", errors.MethodNotAllowed),
            (409, "key_reused", errors.KeyReused),
            (409, "source_paused", errors.SourcePaused),
            (409, "conflict", errors.Conflict),
            (413, "invalid_argument", errors.InvalidArgument),
            (413, "too_large", errors.TooLarge),
            (415, "unsupported_media_type", errors.UnsupportedMediaType),
            (422, "a_later_code", NumeraError),
        ]:
            with self.subTest(f"{status} {code}"), ScriptedService(fault(status, code)) as service:
                error = self.error(service.client())
                self.assertIs(type(error), of_code)
                self.assertEqual((error.status, error.code, error.request_id, error.attempts), (status, code, "r-1", 1))
                self.assertEqual(error.help, f"https://numera.example/docs/errors#{code}")
                self.assertEqual(len(service.received), 1)

    def test_source_paused_stop_and_resend_the_same_data_with_the_same_keys_once_resumed(self) -> None:
        with ScriptedService(fault(409, "source_paused"), stored()) as service:
            client = service.client()
            for _ in range(2):
                self.assertIsInstance(self.error(client, source_id="paused"), SourcePaused)
            self.assertEqual(len(service.received), 1)
            push(client, source_id="other")
            client.resume("paused")
            push(client, source_id="paused")
            self.assertEqual(service.received[2].body, service.received[0].body)


class Credentials(TestCase):
    """“With a refused credential, it stops”"""

    pair = {"client_id": "a:b", "client_secret": "ncs_å"}

    def test_a_static_one_on_the_first_401(self) -> None:
        with ScriptedService(fault(401, "unauthenticated"), stored()) as service:
            client = service.client()
            self.assertIsInstance(self.error(client), CredentialRefused)
            with self.assertRaises(CredentialRefused) as caught:
                client.companies()
            self.assertEqual((caught.exception.status, len(service.received)), (401, 1))

    def test_ask_for_a_new_one_a_minute_before_expires_in_runs_out(self) -> None:
        with ScriptedService(token("nat_1"), stored(), stored(), token("nat_2"), stored()) as service:
            client = service.client(**self.pair)
            push(client)
            service.clock.at += 3539
            push(client)
            service.clock.at += 1
            push(client)
            calls = [(one.path, one.headers["authorization"][:12]) for one in service.received[1:]]
            first, second = ("/v1/ingest", "Bearer nat_1"), ("/v1/ingest", "Bearer nat_2")
            self.assertEqual(calls[:2] + calls[3:], [first, first, second])
            self.assertEqual(calls[2][0], "/oauth/token")

    def test_and_once_more_on_a_401_immediately(self) -> None:
        refused = fault(401, "unauthenticated")
        with ScriptedService(token("nat_1"), refused, token("nat_2"), stored()) as service:
            push(service.client(**self.pair))
            self.assertEqual(service.received[-1].headers["authorization"], "Bearer nat_2")
            self.assertEqual(service.clock.sleeps, [])

    def test_a_second_401_is_final(self) -> None:
        refused = fault(401, "unauthenticated")
        with ScriptedService(token("nat_1"), refused, token("nat_2"), refused) as service:
            client = service.client(**self.pair)
            self.assertEqual(self.error(client).attempts, 2)
            self.assertIsInstance(self.error(client), CredentialRefused)
            self.assertEqual(len(service.received), 4)

    def test_the_secret_is_sent_only_to_the_token_endpoint_form_encoded(self) -> None:
        with ScriptedService(token("nat_1"), stored()) as service:
            push(service.client(**self.pair))
            exchange, call = service.received
            sent = (exchange.method, exchange.path, exchange.body)
            self.assertEqual(sent, ("POST", "/oauth/token", b"grant_type=client_credentials"))
            basic = exchange.headers["authorization"].removeprefix("Basic ")
            self.assertEqual(base64.b64decode(basic), b"a%3Ab:ncs_%C3%A5")
            self.assertNotRegex(repr(call), "ncs_|Basic")
            with self.assertRaises(ValueError):
                service.client(credential="ncs_secret")

    def test_a_bad_client_id_or_secret_gives_401_invalid_client(self) -> None:
        body = {"error": "invalid_client", "error_description": "Unknown."}
        with ScriptedService(Reply(401, body)) as service:
            client = service.client(**self.pair)
            error = self.error(client)
            self.assertEqual((type(error), str(error)), (CredentialRefused, "Unknown."))
            self.assertIsInstance(self.error(client), CredentialRefused)
            self.assertEqual(len(service.received), 1)

    def test_one_exchange_serves_all_threads_and_is_itself_tried_again(self) -> None:
        unavailable = Reply(503, {"error": "temporarily_unavailable", "error_description": "Later."})
        with ScriptedService(unavailable, token("nat_1"), stored()) as service:
            client = service.client(**self.pair)
            with ThreadPoolExecutor(5) as threads:
                list(threads.map(lambda _: push(client), range(5)))
            self.assertEqual([one.path for one in service.received].count("/oauth/token"), 2)

    def test_the_token_of_an_app_comes_from_its_own_function(self) -> None:
        current = "nat_old"

        def provide(*, renew: bool) -> str:
            nonlocal current
            current = "nat_new" if renew else current
            return current

        with ScriptedService(fault(401, "unauthenticated"), Reply(200, {"companies": []})) as service:
            service.client(token=provide).companies()
            sent = [one.headers["authorization"] for one in service.received]
            self.assertEqual(sent, ["Bearer nat_old", "Bearer nat_new"])


class Keys(TestCase):
    """“derives its idempotency key from the input, never from a clock or a random value”"""

    def test_a_key_that_is_random_or_of_this_instant_is_refused(self) -> None:
        with ScriptedService(stored()) as service:
            client = service.client()
            random = str(uuid.uuid4())
            for key in (random, f"sent-{int(service.clock.now())}", "", "service:1", "x" * 201):
                with self.assertRaises(InvalidKey, msg=key):
                    push(client, key=key)
                with self.assertRaises(InvalidKey, msg=key):
                    client.push_file(b"a\n1\n", key=key)
            for key in ("Malmö", " k"):
                with self.assertRaises(InvalidKey, msg=key):
                    client.push_file(b"a\n1\n", key=key)
            self.assertEqual(service.received, [])
            push(client, key=random, unsafe_key=True)


class Rate(TestCase):
    """“60 per minute per connection, burst 20”"""

    def test_a_loop_never_gets_a_429(self) -> None:
        for per_minute, burst in ((60, 20), (10, 20), (600, 200)):
            with self.subTest(per_minute=per_minute, burst=burst), ScriptedService(stored()) as service:
                statuses, tokens, at = [], float(burst), service.clock.now()

                def answer(_: Received) -> Reply:
                    nonlocal tokens, at
                    tokens = min(burst, tokens + (service.clock.now() - at) / 60 * per_minute)
                    at = service.clock.now()
                    is_taken = tokens >= 1
                    tokens -= is_taken
                    headers = {
                        "ratelimit-limit": str(per_minute),
                        "ratelimit-remaining": str(math.floor(tokens)),
                        "ratelimit-reset": str(math.ceil((burst - tokens) / per_minute * 60)),
                    }
                    reply = stored(**headers) if is_taken else fault(429, "rate_limited", headers)
                    statuses.append(reply.status)
                    return reply

                service.replies = [answer]
                client = service.client(give_up_after=math.inf)
                for _ in range(60):
                    push(client)
                self.assertEqual(set(statuses), {202})
                # No slower than the service allows, but for a second of rounding each.
                self.assertLessEqual(len(service.clock.sleeps), max(0, 60 - burst) + 1)


class Webhooks(unittest.TestCase):
    """“Sender retry contract” of webhooks"""

    secret = "nws_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg"

    def send(self, service: ScriptedService) -> numera.Receipt:
        return send_webhook(
            f"{service.url}/v1/webhooks/0190a2b4-58cc-7372-a567-0e02b2c3d479",
            secret=self.secret,
            delivery_id="order:1001",
            body='{"order":"1001"}',
            clock=service.clock,
        )

    def test_on_2xx_do_not_send_again(self) -> None:
        with ScriptedService(stored()) as service:
            self.assertEqual(self.send(service).artifact_id, RECEIPT["artifact_id"])
            self.assertEqual([one.path[:13] for one in service.received], ["/v1/webhooks/"])

    def test_on_400_401_404_409_413_415_do_not_retry_the_same_request(self) -> None:
        for status, code in [
            (400, "invalid_argument"),
            (401, "unauthenticated"),
            (404, "not_found"),
            (409, "source_paused"),
            (409, "key_reused"),
            (413, "too_large"),
            (415, "unsupported_media_type"),
        ]:
            with self.subTest(f"{status} {code}"), ScriptedService(fault(status, code)) as service:
                with self.assertRaises(NumeraError) as caught:
                    self.send(service)
                self.assertEqual((caught.exception.status, caught.exception.attempts), (status, 1))

    def test_on_429_wait_retry_after_else_from_30_seconds_doubling_up_to_one_hour(self) -> None:
        later = fault(429, "rate_limited", {"retry-after": "7"})
        failures = [fault(503, "internal")] * 9
        with ScriptedService(later, *failures, fault(429, "rate_limited"), stored()) as service:
            self.send(service)
            backoff = [30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]
            self.assertEqual(service.clock.sleeps, [7, *backoff])

    def test_give_up_after_3_days(self) -> None:
        with ScriptedService(happens("cut")) as service:
            with self.assertRaises(errors.Unreachable):
                self.send(service)
            self.assertTrue(2.9 < sum(service.clock.sleeps) / 86_400 <= 3)

    def test_each_attempt_is_signed_with_its_own_time_and_keeps_the_same_delivery_id(self) -> None:
        with ScriptedService(fault(500, "internal"), stored()) as service:
            self.send(service)
            self.assertEqual({one.headers["service-delivery-id"] for one in service.received}, {"order:1001"})
            signatures = [one.headers["service-signature"] for one in service.received]
            self.assertEqual(len(set(signatures)), 2)
            fault_found = verify_delivery(
                secret=self.secret,
                delivery_id="order:1001",
                body=service.received[1].body,
                signature=signatures[1],
                now=service.clock.now(),
            )
            self.assertIsNone(fault_found)
