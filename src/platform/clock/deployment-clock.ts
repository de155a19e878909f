import { setTimeout as sleep } from 'node:timers/promises'
import { uptime } from 'node:os'
import type { Pool, PoolClient } from 'pg'
import { databaseTimeMs } from './database-time.ts'
import { createShift, createShiftedClock, monotonicClock, type Clock, type ShiftedClock } from './clock.ts'
import {
  createTimeKeeper,
  otherClocks,
  type ClockEvent,
  type DatabaseTime,
  type MachineTime,
  type OtherClock,
} from './keep-time.ts'

/** How often this machine's clocks are read. Milliseconds. */
const clockReadEveryMs = 1_000
/**
 * How often the database's time is queried, and how long a query may take before its connection is closed.
 * Milliseconds.
 */
const clockQueryEveryMs = 5_000
/** Queries at the start; the quickest answer counts. */
const queriesAtStart = 5
const queriesLater = 3

/** The clocks that are read. Tests have their own. */
export interface ClockSources {
  /** The one whose time `machine` and `database` include. */
  monotonic: Clock
  machine(): MachineTime
  /** @throws where the database does not answer in time */
  database(queries: number): Promise<DatabaseTime>
}

export interface ClockObserver {
  /** After each reading: how far that clock is ahead of the deployment's time, in milliseconds. */
  onSkew?(of: OtherClock, aheadMs: number): void
  onEvent?(event: ClockEvent): void
}

export interface DeploymentClock extends AsyncDisposable {
  clock: ShiftedClock & { sinceFaultMs(): number }
  /** Reads this machine's clocks now. */
  readMachine(): void
  /** Queries the database now. Does nothing where it does not answer. */
  queryDatabase(): Promise<void>
}

/** Reads all clocks at one moment; again if the thread was delayed between them. */
function readMachine(): MachineTime {
  for (let tries = 1; ; tries++) {
    const monotonicMs = monotonicClock.now()
    const machine = { monotonicMs, wallMs: Date.now(), uptimeMs: uptime() * 1_000 }
    if (monotonicClock.now() - monotonicMs < 100 || tries === 10) return machine
  }
}

async function queryOnce(client: PoolClient): Promise<DatabaseTime> {
  const askedMs = monotonicClock.now()
  const databaseMs = await databaseTimeMs(client)
  return { databaseMs, askedMs, answeredMs: monotonicClock.now() }
}

// As in `database/transaction.ts`: a connection may break between two queries, and the next one fails.
function ignore(): void {}

/** Queries on one connection, so that waiting for one does not count as round-trip time. One without an answer is closed. */
async function queryDatabaseTime(pool: Pool, queries: number): Promise<DatabaseTime> {
  const client = await pool.connect()
  client.on('error', ignore)
  const timer = new AbortController()
  try {
    const queried = async (): Promise<DatabaseTime> => {
      let best = await queryOnce(client)
      for (let count = 1; count < queries; count++) {
        const next = await queryOnce(client)
        if (next.answeredMs - next.askedMs < best.answeredMs - best.askedMs) best = next
      }
      return best
    }
    const late = async (): Promise<never> => {
      await sleep(clockQueryEveryMs, undefined, { signal: timer.signal })
      throw new Error('the database does not answer with its time')
    }
    const answers = [queried(), late()]
    for (const answer of answers) answer.catch(() => {})
    const best = await Promise.race(answers)
    client.off('error', ignore)
    client.release()
    return best
  } catch (error) {
    client.release(true)
    throw error
  } finally {
    timer.abort()
  }
}

/** This machine's clocks, and the database's through a pool. */
export function clockSources(pool: Pool): ClockSources {
  return {
    monotonic: monotonicClock,
    machine: readMachine,
    database: (queries) => queryDatabaseTime(pool, queries),
  }
}

const clockNames: Record<OtherClock, string> = {
  database: "The database's clock",
  wall: "This machine's clock",
}

function describeSkew(of: OtherClock, aheadMs: number): string {
  return `${clockNames[of]} is ${Math.round(Math.abs(aheadMs) / 1_000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the time that this process keeps.`
}

/**
 * Starts the time of a deployment in this process (`keep-time.ts`): it queries the database first, and again every few
 * seconds until it is disposed of. `now()` costs about what `Date.now()` does.
 *
 * @throws where the database does not answer the first time
 */
export async function startDeploymentClock(
  sources: ClockSources,
  observer: ClockObserver = {},
): Promise<DeploymentClock> {
  const shifted = createShiftedClock(sources.monotonic, createShift(0))
  let faultAtMs = -Infinity
  const keeper = createTimeKeeper({
    database: await sources.database(queriesAtStart),
    machine: sources.machine(),
    move: shifted.advance,
    onEvent: (event) => {
      if (event.kind !== 'resumed') faultAtMs = sources.monotonic.now()
      observer.onEvent?.(event)
    },
  })
  const publish = (): void => {
    const isFaulty = keeper.faults().length > 0
    if (isFaulty) faultAtMs = sources.monotonic.now()
    shifted.setFaulty(isFaulty)
    for (const of of otherClocks) observer.onSkew?.(of, keeper.aheadMs(of))
  }
  const readMachineNow = (): void => {
    keeper.onMachineTime(sources.machine())
    publish()
  }
  const queryDatabase = async (): Promise<void> => {
    const databaseTime = await sources.database(queriesLater).catch(() => undefined)
    keeper.onMachineTime(sources.machine())
    if (databaseTime !== undefined) keeper.onDatabaseTime(databaseTime)
    publish()
  }
  publish()

  let querying: Promise<void> | undefined
  const readings = setInterval(readMachineNow, clockReadEveryMs).unref()
  const queries = setInterval(() => {
    querying ??= queryDatabase().finally(() => (querying = undefined))
  }, clockQueryEveryMs).unref()
  return {
    clock: {
      ...shifted,
      fault: () => keeper.faults().map((of) => describeSkew(of, keeper.aheadMs(of)))[0],
      sinceFaultMs: () => sources.monotonic.now() - faultAtMs,
    },
    readMachine: readMachineNow,
    queryDatabase,
    [Symbol.asyncDispose]: async () => {
      clearInterval(readings)
      clearInterval(queries)
      await querying
    },
  }
}
