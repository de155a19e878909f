import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Outbox } from '../../packages/client/src/outbox.ts'
import { fault, startScriptedService } from '../../packages/client/testing/scripted-service.ts'
import { runPython, whyNot } from '../../packages/python/tests/python.ts'

test('the Python client passes its own tests', async ({ skip }) => {
  skip(whyNot !== undefined, whyNot)
  const { code, err } = await runPython(['-m', 'unittest'])
  expect(code, err).toBe(0)
  expect(err).toMatch(/^Ran \d+ tests/m)
})

const readOutbox = `
import sys
from numera.outbox import Outbox

with Outbox(sys.argv[1]) as outbox:
    outbox.put({"amount": 1, "at": "2026-05-11T09:30:00+02:00"}, key="order:1", shape_version=1)
    outbox.put({"amount": 3}, key="order:3", shape_version=1)
    for failed in outbox.failed():
        print(failed.key, type(failed.error).__name__, failed.error.status, failed.failed_at.isoformat())`

test('an outbox of one client is read by the other', async ({ skip }) => {
  skip(whyNot !== undefined, whyNot)
  const folder = await mkdtemp(join(tmpdir(), 'numera-outbox-'))
  try {
    const path = join(folder, 'orders.outbox')
    await using service = await startScriptedService(fault(403, 'permission_denied'))
    const outbox = new Outbox(path, { numera: service.client(), clock: service.clock })
    await outbox.put({ amount: 2n }, { key: 'order:2', shapeVersion: 1 })
    await outbox.run(undefined, { untilEmpty: true })
    await outbox.put({ amount: 1n, at: '2026-05-11T09:30:00+02:00' }, { key: 'order:1', shapeVersion: 1 })
    const { code, out, err } = await runPython(['-c', readOutbox, path])
    expect(code, err).toBe(0)
    expect(out).toBe('order:2 PermissionDenied 403 2026-11-22T08:30:00+00:00\n')
    expect(outbox.status()).toMatchObject({ pending: 2, failed: 1 })
    await outbox.close()
  } finally {
    await rm(folder, { recursive: true })
  }
})
