import asyncio
import unittest
from decimal import Decimal
from importlib.util import find_spec
from typing import Any
from unittest.mock import patch

from numera import AsyncNumera, CredentialRefused, InvalidRow, KeyReused, SourcePaused, Unreachable

from .scripted_service import Received, Reply, ScriptedService, fault, happens, stored, token
from .test_reading import DAYS, reader


@unittest.skipUnless(find_spec("httpx"), "httpx is not installed")
class Awaiting(unittest.IsolatedAsyncioTestCase):
    def client(self, service: ScriptedService, **options: Any) -> AsyncNumera:
        if "client_id" not in options:
            options["credential"] = "nsk_test"
        numera = AsyncNumera(service.url, **options)
        self.addAsyncCleanup(numera.aclose)

        async def sleep(seconds: float, watch: object) -> None:
            service.clock.sleep(seconds)

        self.enterContext(patch.object(numera._wire, "sleep", sleep))
        return numera

    async def test_a_push_is_repeated_with_the_same_key_and_bytes_until_it_is_stored(self) -> None:
        replies = (
            fault(429, "rate_limited", {"retry-after": "7"}),
            fault(503, "internal"),
            happens("cut"),
            happens("cut within"),
            Reply(302, headers={"location": "/elsewhere"}),
            Reply(202, {"status": "queued"}),
            stored(**{"idempotent-replayed": "true"}),
        )
        with ScriptedService(*replies) as service:
            receipt = await self.client(service).push({"a": "1"}, key="k", shape_version=1)
            self.assertTrue(receipt.replayed)
            self.assertEqual(len({(one.method, one.path, one.body) for one in service.received}), 1)
            self.assertEqual(len(service.received), 7)
            pauses = [round(seconds) for seconds in service.clock.sleeps]
            for pause, least in zip(pauses, (7, 2, 4, 8, 16, 32), strict=True):
                self.assertTrue(least <= pause <= 1.25 * least + 1, pauses)

    async def test_refusals_are_final_and_rows_are_refused_before_anything_is_sent(self) -> None:
        with ScriptedService(fault(409, "key_reused"), fault(409, "source_paused")) as service:
            numera = self.client(service)
            with self.assertRaises(InvalidRow):
                await numera.push({"a": 0.1 + 0.2}, key="k", shape_version=1)
            with self.assertRaises(KeyReused):
                await numera.push({"a": "1"}, key="k", shape_version=1)
            for _ in range(2):
                with self.assertRaises(SourcePaused):
                    await numera.push({"a": "1"}, key="k", shape_version=1)
            self.assertEqual(len(service.received), 2)

    async def test_tasks_share_one_token_and_a_second_401_ends_the_client(self) -> None:
        def answer(request: Received) -> Reply:
            if request.path == "/oauth/token":
                return token("t")
            is_valid = request.headers["authorization"] == "Bearer t" and not is_over
            return stored() if is_valid else fault(401, "unauthenticated")

        is_over = False
        with ScriptedService(answer) as service:
            numera = self.client(service, client_id="a", client_secret="b")
            await asyncio.gather(*(numera.push({"a": "1"}, key=f"k{number}", shape_version=1) for number in range(5)))
            self.assertEqual([one.path for one in service.received].count("/oauth/token"), 1)
            is_over = True
            for _ in range(2):
                with self.assertRaises(CredentialRefused):
                    await numera.push({"a": "1"}, key="k", shape_version=1)
            self.assertEqual(len(service.received), 1 + 5 + 3)

    async def test_samples_are_read_as_one_goes_through_them(self) -> None:
        with ScriptedService(reader(700)) as service:
            numera = self.client(service)
            samples = [sample async for sample in numera.samples(from_="2023-01-01")]
            self.assertEqual([(one.period_start, str(one.value)) for one in samples], DAYS[: len(samples)])
            rows = [row async for row in numera.samples(from_="2025-12-31").rows()]
            self.assertEqual((rows[0]["value"], len(rows)), (Decimal("0.5"), 3))
            text = await numera.samples(from_="2025-12-31").csv()
            self.assertEqual(text.splitlines()[1], "revenue,2025-12-31,0.5,false,a,SE")

    async def test_a_delivery_is_awaited_and_an_attempt_has_a_deadline(self) -> None:
        states = [Reply(200, {"state": state}) for state in ("queued", "parsed")]
        with ScriptedService(*states) as service:
            self.assertEqual((await self.client(service).delivery("a").parsed()).state, "parsed")
        for instead in ("silence", "drip"):
            with self.subTest(instead), ScriptedService(happens(instead)) as service:
                numera = self.client(service, timeout=0.1, give_up_after=0)
                with self.assertRaises(Unreachable):
                    await numera.trace(metric="m", period_start="2025-01-01")
