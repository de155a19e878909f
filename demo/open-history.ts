import type { AppContext } from '../src/app/app-context.ts'
import { createShiftedClock, type TestClock } from '../src/platform/clock/clock.ts'
import { openPools } from '../src/platform/database/pools.ts'
import { endPool } from '../src/platform/database/pool.ts'
import { openDemoIdentity } from '../src/people/identity/demo/demo-provider.ts'
import { createParseWorker } from '../src/engine/parsing/worker/parse-worker.ts'
import { createWorkerPool, workerStatementTimeoutMs } from '../src/engine/parsing/worker/worker-pool.ts'
import { createProjectionMaintainer } from '../src/engine/projections/maintain-projections.ts'
import { buildApp } from '../src/app/app.ts'
import { createTelemetry } from '../src/platform/telemetry/telemetry.ts'

/** The service on a day that has passed: its time is that of `clock`, and nobody but this process knows its address. */
export interface History extends AsyncDisposable {
  context: AppContext
  clock: TestClock
  url: string
  /** Parses everything that has been received; `received`: how many deliveries, if it is known. */
  parse(received?: number): Promise<void>
  /** Moves rebuilds of sources on by a step, and parses. */
  rebuild(): Promise<void>
}

/**
 * Commits wait for no disk: they reach it in their order, a moment later, and a demo whose last ones are lost in a power
 * cut was cut short like any other. With a wait for each it would take half as long again.
 */
const sessionSettings = 'set synchronous_commit = off'

/**
 * Opens the service for what was received before today: the routes, the use cases and the parsing that the service has,
 * on its database, under a clock that is moved. What it does is in no log, unless it goes wrong, and in no metric.
 */
export async function openHistory(present: AppContext): Promise<History> {
  const { config } = present
  const clock = createShiftedClock()
  const log = present.log.child(
    {},
    { level: present.log.isLevelEnabled('warn') ? 'warn' : present.log.level },
  )
  const onIdleError = (err: Error): void => log.warn({ err }, 'a database connection broke')
  const url = present.pool.options.connectionString!
  await using stack = new AsyncDisposableStack()
  const { connectionsMax } = config.database
  const name = 'numera demo history'
  const queues = stack.use(openPools({ url, connectionsMax, name, sessionSettings, onIdleError }))
  const { acceptPool, readPool, pool } = queues
  const past = { ...present, acceptPool, readPool, pool, clock, log, telemetry: createTelemetry() }
  const context = { ...past, identity: openDemoIdentity(past) }
  const workerPool = createWorkerPool(url, onIdleError, workerStatementTimeoutMs, sessionSettings)
  stack.defer(() => endPool(workerPool))
  const app = await buildApp(context)
  stack.defer(() => app.close())
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const worker = createParseWorker({ pool: workerPool, clock, log })
  // Nearly all that comes is small. To look for anything else would take longer than to parse it.
  const small = createParseWorker({ pool: workerPool, clock, log, queues: ['small'] })
  const projections = createProjectionMaintainer({ pool: workerPool, clock, log })
  const kept = stack.move()
  return {
    context,
    clock,
    url: address,
    parse: async (received) => {
      let parsed = 0
      for (let isMore = received !== undefined; isMore && parsed < received!;) {
        const { deliveries } = await small.round()
        parsed += deliveries
        isMore = deliveries > 0
      }
      if (parsed !== received) await worker.drain()
    },
    rebuild: async () => {
      await projections.step()
      await worker.drain()
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
