"""Pushes to a real service and reads back, for `numera.service.test.ts`: prints what it saw, as JSON."""

import json
import os
import sys
from datetime import UTC, datetime
from decimal import Decimal

from numera import Numera, Row, key_for

AMOUNTS = ["99999999999999999999.999999999999999999", "-0.000000000000000001", "249.50"]


def main(base_url: str) -> None:
    numera = Numera(base_url, client_id=os.environ["CLIENT_ID"], client_secret=os.environ["CLIENT_SECRET"])
    at = datetime(2026, 1, 10, 12, tzinfo=UTC)
    rows: list[Row] = [
        {"at": at, "amount": Decimal(amount), "country": f"country {number}", "till": 3}
        for number, amount in enumerate(AMOUNTS)
    ]
    receipt = numera.push(rows, key=key_for("order", 1001), shape_version=1)
    again = numera.push(rows, key=key_for("order", 1001), shape_version=1)
    assert again.replayed and again.artifact_id == receipt.artifact_id
    report = numera.delivery(receipt.artifact_id).parsed(timeout=20)

    content = "at,amount,country,customer\n" + f"2026-01-11,0.1,SE,{'x' * 2000}\n" * 4500
    parts = [list(numera.push_file(content.encode(), key="history")) for _ in range(2)]
    assert [one.artifact_id for one in parts[0]] == [one.artifact_id for one in parts[1]]
    for part in parts[0]:
        numera.delivery(part.artifact_id).parsed(timeout=20)

    samples = list(numera.samples(metric="revenue", from_="2023-01-01"))
    assert samples == list(numera.samples(metric="revenue", from_="2023-01-01"))
    trace = numera.trace(metric="revenue", period_start="2026-01-10", labels={"country": "country 0"})
    seen = {
        "dropped_keys": receipt.dropped_keys,
        "rows_accepted": report.rows_accepted,
        "replayed": [one.replayed for one in parts[1]],
        "values": sorted([sample.period_start, sample.labels["country"], f"{sample.value:f}"] for sample in samples),
        "traced": [[one.artifact_id == receipt.artifact_id, f"{one.value:f}"] for one in trace.deliveries],
        "delivers": [source.delivers for source in numera.sources()],
    }
    print(json.dumps(seen))


if __name__ == "__main__":
    main(sys.argv[1])
