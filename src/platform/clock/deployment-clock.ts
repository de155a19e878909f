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
export const clockReadEveryMs = 1_000
/**
 * How often the database is asked for its time, and how long it may take to answer. Then its connection is closed.
 * Milliseconds.
 */
export const clockQueryEveryMs = 5_000
/** Questions at the start; the quickest answer is the one that counts. */
const questionsAtStart = 5
const questionsLater = 3

/** The clocks that are read. Tests have their own. */
export interface ClockSources {
  /** The one that `machine` and `database` tell of. */
  monotonic: Clock
  machine(): MachineTime
  /** @throws where the database does not answer in time */
  database(questions: number): Promise<DatabaseTime>
}

/** What a deployment clock tells the code that started it. */
export interface ClockObserver {
  /** After each look: how far that clock is ahead of the time that is kept, in milliseconds. */
  onSkew?(of: OtherClock, aheadMs: number): void
  onEvent?(event: ClockEvent): void
}

export interface DeploymentClock extends AsyncDisposable {
  clock: ShiftedClock & { sinceFaultMs(): number }
  /** Reads this machine's clocks now. */
  look(): void
  /** Asks the database now. Does nothing where it does not answer. */
  ask(): Promise<void>
}

/** Reads all clocks at one moment, and again where the thread was held up between them. */
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

// As in `database/transaction.ts`: a connection may break between two questions, and the next one will tell.
function ignore(): void {}

/** Asks on one connection, so that waiting for one does not count as round-trip time. A deaf one is given up. */
async function queryDatabaseTime(pool: Pool, questions: number): Promise<DatabaseTime> {
  const client = await pool.connect()
  client.on('error', ignore)
  const given = new AbortController()
  try {
    const asked = async (): Promise<DatabaseTime> => {
      let best = await queryOnce(client)
      for (let count = 1; count < questions; count++) {
        const next = await queryOnce(client)
        if (next.answeredMs - next.askedMs < best.answeredMs - best.askedMs) best = next
      }
      return best
    }
    const late = async (): Promise<never> => {
      await sleep(clockQueryEveryMs, undefined, { signal: given.signal })
      throw new Error('the database does not tell its time')
    }
    const answers = [asked(), late()]
    for (const answer of answers) answer.catch(() => {})
    const heard = await Promise.race(answers)
    client.off('error', ignore)
    client.release()
    return heard
  } catch (error) {
    client.release(true)
    throw error
  } finally {
    given.abort()
  }
}

/** This machine's clocks, and the database's through a pool. */
export function clockSources(pool: Pool): ClockSources {
  return {
    monotonic: monotonicClock,
    machine: readMachine,
    database: (questions) => queryDatabaseTime(pool, questions),
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
 * Starts the time of a deployment in this process (`keep-time.ts`): it asks the database first, and again every few
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
    heard: await sources.database(questionsAtStart),
    machine: sources.machine(),
    move: shifted.advance,
    onEvent: (event) => {
      if (event.kind !== 'resumed') faultAtMs = sources.monotonic.now()
      observer.onEvent?.(event)
    },
  })
  const tell = (): void => {
    const isFaulty = keeper.faults().length > 0
    if (isFaulty) faultAtMs = sources.monotonic.now()
    shifted.setFaulty(isFaulty)
    for (const of of otherClocks) observer.onSkew?.(of, keeper.aheadMs(of))
  }
  const look = (): void => {
    keeper.look(sources.machine())
    tell()
  }
  const ask = async (): Promise<void> => {
    const heard = await sources.database(questionsLater).catch(() => undefined)
    keeper.look(sources.machine())
    if (heard !== undefined) keeper.hearDatabase(heard)
    tell()
  }
  tell()

  let asking: Promise<void> | undefined
  const looks = setInterval(look, clockReadEveryMs).unref()
  const questions = setInterval(() => {
    asking ??= ask().finally(() => (asking = undefined))
  }, clockQueryEveryMs).unref()
  return {
    clock: {
      ...shifted,
      fault: () => keeper.faults().map((of) => describeSkew(of, keeper.aheadMs(of)))[0],
      sinceFaultMs: () => sources.monotonic.now() - faultAtMs,
    },
    look,
    ask,
    [Symbol.asyncDispose]: async () => {
      clearInterval(looks)
      clearInterval(questions)
      await asking
    },
  }
}
