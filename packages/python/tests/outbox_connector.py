"""A connector to be killed: two threads put orders, write down each that was put, and a third one sends. Started again, it begins at the
first order that it has not written down.

    python3 -m tests.outbox_connector OUTBOX URL LOG
"""

import sys
import threading
import time
from pathlib import Path

from numera import Numera, key_for
from numera.outbox import Outbox

SOURCES = ("0190a2b4-0000-7000-8000-000000000001", "0190a2b4-0000-7000-8000-000000000002")


class Hurried:
    """A clock whose sleeps are short."""

    def now(self) -> float:
        return time.time()

    def sleep(self, seconds: float) -> None:
        time.sleep(0.002)

    def random(self) -> float:
        return 0.0


def main(path: str, url: str, log: str) -> None:
    outbox = Outbox(path, Numera(url, credential="nsk_test", clock=Hurried()))
    lines = Path(log).read_text().splitlines()
    # Each line is one write of the system, so it is there whole.
    done = open(log, "a", buffering=1)

    def feed(source: str) -> None:
        order = 1 + sum(line.startswith(source) for line in lines)
        while True:
            outbox.put(
                [{"amount": order}, {"amount": 2 * order}], key=key_for("order", order), shape_version=1, source_id=source
            )
            done.write(f"{source} order:{order}\n")
            order += 1

    for source in SOURCES:
        threading.Thread(target=feed, args=(source,), daemon=True).start()
    print("started", flush=True)
    outbox.run()


if __name__ == "__main__":
    main(*sys.argv[1:])
