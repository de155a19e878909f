import { test } from 'vitest'
import { endPool, watchPool } from '../database/pool.ts'
import { createParseWorker } from '../parsing/worker/parse-worker.ts'
import { runWorker } from '../parsing/worker/run-worker.ts'
import { createWorkerPool, workerSilenceMsMax, workerWatchMs } from '../parsing/worker/worker-pool.ts'
import {
  expectReadsOn,
  openUnansweringScene,
  testUnansweringDatabase,
} from '../testing/unanswering-database.ts'

/** Long enough for what is done well meanwhile, on a machine that does other things. */
const deadlineShare = 0.5

testUnansweringDatabase(deadlineShare)

test.concurrent(
  'a reader whose connections went deaf gets others, and reads on',
  async ({ expect }) => {
    await using scene = await openUnansweringScene(deadlineShare)
    const { gate, context } = scene
    await using stack = new AsyncDisposableStack()
    const pool = createWorkerPool(gate.url, () => {})
    stack.defer(() => endPool(pool))
    // As a worker has soon: one for its rounds, and one beside that is asked over.
    await Promise.all([1, 2].map(() => pool.query('select pg_sleep(0.05)')))
    stack.use(watchPool(pool, 0.1 * workerWatchMs, 0.1 * workerSilenceMsMax))
    const { clock, log } = context
    const running = runWorker({ worker: createParseWorker({ pool, clock, log }), log, pollIntervalMs: 50 })
    stack.defer(() => running.stop())
    await expectReadsOn(scene, expect)
  },
  60_000,
)
