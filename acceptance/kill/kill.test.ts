import { expect, test } from 'vitest'
import { runKillTest } from './kill-test.ts'

test('after the service, the database and both were killed under load, every 202 is there once', async () => {
  const report = await runKillTest({ rounds: 3, seed: 7 })
  const isDatabaseOwn = !process.env['DATABASE_URL']
  expect(report.kills).toEqual(
    isDatabaseOwn ? { service: 1, database: 1, both: 1 } : { service: 3, database: 0, both: 0 },
  )
  expect(report.acceptedUnderLoad).toBeGreaterThan(0)
}, 120_000)
