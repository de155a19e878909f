"""Single pushes through the Python client and by bare `http.client`, in turns, for `calls.ts`: prints seconds of each round.

python3 pushes.py PORT CREDENTIAL PUSHES ROUNDS
"""

import http.client
import json
import sys
import time
from collections.abc import Callable

from numera import Numera, key_for

port, credential, pushes, rounds = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
ROW = {"at": "2026-05-11T09:30:00+02:00", "amount": "249.50", "country": "SE"}
numera = Numera(f"http://127.0.0.1:{port}", credential=credential)
connection = http.client.HTTPConnection("127.0.0.1", port)
HEADERS = {"authorization": f"Bearer {credential}", "content-type": "application/json"}


def by_client(key: str) -> None:
    numera.push([ROW], key=key, shape_version=1)


def bare(key: str) -> None:
    body = json.dumps({"idempotency_key": key, "shape_version": 1, "payload": [ROW]})
    connection.request("POST", "/v1/ingest", body, HEADERS)
    answer = connection.getresponse()
    json.loads(answer.read())
    assert answer.status == 202


def timed(name: str, push: Callable[[str], None], round: int) -> float:
    started = time.perf_counter()
    for number in range(pushes):
        push(key_for("python", name, round, number))
    return time.perf_counter() - started


for round in range(rounds):
    print(json.dumps([timed("client", by_client, round), timed("bare", bare, round)]), flush=True)
