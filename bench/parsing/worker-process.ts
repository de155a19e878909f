/** A process with one worker, started as the service starts its own: `node worker-process.ts URL`. */
import { systemClock } from '../../src/platform/clock/clock.ts'
import type { Context } from '../../src/context.ts'
import { createPool } from '../../src/platform/database/pool.ts'
import { startWorkers } from '../../src/engine/parsing/worker/start-workers.ts'

function nothing(): void {}
const figure = { inc: nothing, set: nothing, observe: nothing }
const context = {
  config: { worker: { count: 1, pollIntervalMs: 50 } },
  pool: createPool({ url: process.argv[2]! }),
  clock: systemClock,
  log: { info: nothing, warn: nothing, error: nothing },
  telemetry: {
    rowsRead: figure,
    rowsRefused: figure,
    cellsAdded: figure,
    readSeconds: figure,
    backlogDeliveries: figure,
    backlogAgeSeconds: figure,
  },
}
await startWorkers(context as unknown as Context)
