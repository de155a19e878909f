import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { seedScene } from '../../../testing/in-process/scenes/scene.ts'
import { testMetric } from '../../../testing/in-process/source.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'
import { startTestWorker } from '../../../testing/in-process/test-worker.ts'
import { runPython, whyNot } from './python.ts'

// Its clock stands still, so the burst is all the calls there are.
const { database, context, app } = await startTestService({ environment: { NUMERA_RATE_BURST: '1000' } })
const { worker } = startTestWorker({ database, context })
const baseUrl = await app.listen({ port: 0, host: '127.0.0.1' })

test('what Python pushes is read back exactly, and a file in parts is stored once', async ({ skip }) => {
  skip(whyNot !== undefined, whyNot)
  const { connection } = await seedScene(context, {
    source: { metrics: [testMetric({ group_by: ['country'] })] },
    connection: { credentialKind: 'client' },
  })
  const running = runPython(['-m', 'tests.round_trip', baseUrl], {
    CLIENT_ID: connection.clientId,
    CLIENT_SECRET: connection.secret,
  })
  const hasEnded = running.then(() => true)
  while (!(await Promise.race([hasEnded, sleep(50, false)]))) await worker.drain()
  const { code, out, err } = await running
  expect(code, err).toBe(0)
  expect(JSON.parse(out)).toEqual({
    dropped_keys: ['till'],
    rows_accepted: 3,
    replayed: [true, true],
    values: [
      ['2026-01-10', 'country 0', '99999999999999999999.999999999999999999'],
      ['2026-01-10', 'country 1', '-0.000000000000000001'],
      ['2026-01-10', 'country 2', '249.5'],
      ['2026-01-11', 'SE', '450'],
    ],
    traced: [[true, '99999999999999999999.999999999999999999']],
    delivers: ['events'],
  })
})
