import { createShiftedClock, type TestClock } from '../clock/clock.ts'
import { endPool } from '../database/pool.ts'
import { chooseIdentityProvider } from '../identity/choose-identity-provider.ts'
import { createParseWorker } from '../parsing/worker/parse-worker.ts'
import { createWorkerPool } from '../parsing/worker/worker-pool.ts'
import { createProjectionMaintainer } from '../projections/maintain-projections.ts'
import { buildApp } from '../service/app.ts'
import type { Context } from '../service/context.ts'
import { createTelemetry } from '../telemetry/telemetry.ts'

/** The service on a day that has passed: its time is that of `clock`, and nobody but this process knows its address. */
export interface History extends AsyncDisposable {
  context: Context
  clock: TestClock
  url: string
  /** Parses everything that has been received. */
  parse(): Promise<void>
  /** Moves rebuilds of sources on by a step, and parses. */
  rebuild(): Promise<void>
}

/**
 * Opens the service for what was received before today: the routes, the use cases and the parsing that the service has,
 * on its database, under a clock that is moved. What it does is in no log, unless it goes wrong, and in no metric.
 */
export async function openHistory(present: Context): Promise<History> {
  const clock = createShiftedClock()
  const log = present.log.child(
    {},
    { level: present.log.isLevelEnabled('warn') ? 'warn' : present.log.level },
  )
  const past = { ...present, clock, log, telemetry: createTelemetry() }
  const context = { ...past, identity: chooseIdentityProvider(present.config)(past) }
  await using stack = new AsyncDisposableStack()
  const app = await buildApp(context)
  stack.defer(() => app.close())
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const pool = createWorkerPool(context.pool.options.connectionString!, (err) =>
    log.warn({ err }, 'a database connection broke'),
  )
  stack.defer(() => endPool(pool))
  const worker = createParseWorker({ pool, clock, log })
  const projections = createProjectionMaintainer({ pool, clock, log })
  const kept = stack.move()
  return {
    context,
    clock,
    url,
    parse: () => worker.drain(),
    rebuild: async () => {
      await projections.step()
      await worker.drain()
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
