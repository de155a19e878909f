import { test } from 'vitest'
import { endPool } from '../platform/database/pool.ts'
import { watchPool } from '../platform/database/watch-pool.ts'
import { createParseWorker } from '../engine/parsing/worker/parse-worker.ts'
import { runWorker } from '../engine/parsing/worker/run-worker.ts'
import {
  createWorkerPool,
  workerSilentPollsMax,
  workerWatchMs,
} from '../engine/parsing/worker/worker-pool.ts'
import {
  expectReadsOn,
  openUnansweringScene,
  testUnansweringDatabase,
} from '../../testing/in-process/unanswering-database.ts'

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
    stack.use(watchPool(pool, 0.1 * workerWatchMs, workerSilentPollsMax))
    const { clock, log } = context
    const running = runWorker({ worker: createParseWorker({ pool, clock, log }), log, pollIntervalMs: 50 })
    stack.defer(() => running.stop())
    await expectReadsOn(scene, expect)
  },
  60_000,
)
