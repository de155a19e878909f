import { expect, test } from 'vitest'
import { runKillTest } from './kill-test.ts'

test('after the service, the database and both were killed under load, every 202 is there once', async () => {
  const report = await runKillTest({ rounds: 3, seed: 7 })
  expect(report.kills).toEqual({ service: 1, database: 1, both: 1 })
  expect(report.acceptedUnderLoad).toBeGreaterThan(0)
}, 120_000)
