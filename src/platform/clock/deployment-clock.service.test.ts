import { afterAll, beforeAll, expect, test } from 'vitest'
import { consume } from '../rate-limit/consume.ts'
import { createShiftedClock } from './clock.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/in-process/test-database.ts'
import { buildApp } from '../../app/app.ts'
import { createTelemetry } from '../telemetry/telemetry.ts'
import { createClockObserver } from '../telemetry/observe-clock.ts'
import { createLog } from '../telemetry/log.ts'
import { createBreakableDatabase } from '../../../testing/faults/breakable-database.ts'
import { createTestContext } from '../../../testing/in-process/test-context.ts'
import { createPool } from '../database/pool.ts'
import {
  clockSources,
  startDeploymentClock,
  type ClockSources,
  type DeploymentClock,
} from './deployment-clock.ts'
import { clockHandoverMs } from './keep-time.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database[Symbol.asyncDispose]())

/** A machine whose clocks a test sets, before the database as it is. */
const createMachine = (wallAheadMs = 0) => {
  const real = clockSources(database.pool)
  const machine = {
    wallAheadMs,
    /** Moves the monotonic clock and the uptime, as passing time does. */
    passedMs: 0,
    databaseAheadMs: 0,
  }
  const sources: ClockSources = {
    monotonic: { now: () => real.monotonic.now() + machine.passedMs },
    machine: () => {
      const { monotonicMs, uptimeMs, wallMs } = real.machine()
      const { passedMs } = machine
      return {
        monotonicMs: monotonicMs + passedMs,
        uptimeMs: uptimeMs + passedMs,
        wallMs: wallMs + passedMs + machine.wallAheadMs,
      }
    },
    database: async (questions) => {
      const heard = await real.database(questions)
      return {
        askedMs: heard.askedMs + machine.passedMs,
        answeredMs: heard.answeredMs + machine.passedMs,
        databaseMs: heard.databaseMs + machine.passedMs + machine.databaseAheadMs,
      }
    },
  }
  return { machine, sources }
}

/** How far a process's time is ahead of the database's, in milliseconds. */
const aheadOfDatabase = async ({ clock }: DeploymentClock): Promise<number> => {
  const { rows } = await database.pool.query<{ now: Date }>('select clock_timestamp() as now')
  return clock.now() - rows[0]!.now.getTime()
}

test('processes whose machines are days and years off have one time: the database’s', async () => {
  for (const wallAheadMs of [0, 21 * second, -hour, 401 * day]) {
    const { sources } = createMachine(wallAheadMs)
    await using time = await startDeploymentClock(sources)
    // Between the two readings the machine may do other things.
    expect(Math.abs(await aheadOfDatabase(time))).toBeLessThan(5 * second)
  }
})

test('two processes 21 s apart share one bucket as one would', async () => {
  const rate = { perMinute: 60, burst: 20 }
  const behind = createMachine(-10.5 * second)
  const ahead = createMachine(10.5 * second)
  await using one = await startDeploymentClock(behind.sources)
  await using other = await startDeploymentClock(ahead.sources)
  let granted = 0
  for (let round = 0; round < 10; round++) {
    // Without waiting: ten seconds pass for both.
    for (const { machine } of [behind, ahead]) machine.passedMs = round * 10 * second
    const calls = [one, other].flatMap(({ clock }) =>
      Array.from({ length: 15 }, () => consume(database.pool, 'apart', rate, clock.now())),
    )
    granted += (await Promise.all(calls)).filter((result) => result.granted).length
  }
  // The burst, one a second of the 90, and a little for the time that the test itself took.
  expect(granted).toBeGreaterThanOrEqual(110)
  expect(granted).toBeLessThanOrEqual(115)
})

test('a process whose clock jumps is not ready until the clock is back; its metrics and its log say so', async () => {
  const lines: string[] = []
  const log = createLog({ level: 'info', destination: { write: (line) => void lines.push(line) } })
  const telemetry = createTelemetry()
  const { machine, sources } = createMachine()
  await using time = await startDeploymentClock(sources, createClockObserver(log, telemetry))
  const app = await buildApp({ ...createTestContext(database.pool), log, clock: time.clock })
  const ready = async () => (await app.inject({ url: '/health/ready' })).statusCode
  const figure = (name: string) => telemetry.registry.getSingleMetricAsString(`numera_${name}`)
  await expect.poll(ready).toBe(200)

  machine.wallAheadMs = 401 * day
  time.readMachine()
  await expect.poll(ready).toBe(503)
  expect((await app.inject({ url: '/health/live' })).statusCode).toBe(200)
  expect(Math.abs(await aheadOfDatabase(time))).toBeLessThan(5 * second)
  const skew = /clock="wall"} (.+)/.exec(await figure('clock_skew_seconds'))?.[1]
  expect(Number(skew)).toBeCloseTo((401 * day) / second, -1)
  expect(await figure('clock_steps_total')).toContain('{clock="wall"} 1')
  const logged = () => lines.map((line) => JSON.parse(line))
  expect(logged().slice(0, 2)).toMatchObject([
    { level: 'error', clock: 'wall' },
    { level: 'warn', failing: ['the clocks of the machine and the database agree'] },
  ])

  machine.wallAheadMs = 0
  time.readMachine()
  await expect.poll(ready).toBe(200)
  expect(logged().slice(-2)).toMatchObject([{ level: 'info' }, { level: 'info', msg: 'ready again' }])
  await app.close()
})

test("a process whose database's clock goes an hour back is not ready for ten minutes, and then goes by it", async () => {
  const { machine, sources } = createMachine()
  await using time = await startDeploymentClock(sources)
  const app = await buildApp({ ...createTestContext(database.pool), clock: time.clock })
  const ready = async () => (await app.inject({ url: '/health/ready' })).statusCode
  const before = time.clock.now()
  machine.databaseAheadMs = -hour
  await time.queryDatabase()
  await expect.poll(ready).toBe(503)
  expect(time.clock.now()).toBeGreaterThanOrEqual(before)
  machine.passedMs = clockHandoverMs + second
  await time.queryDatabase()
  // The database has it by an hour, the machine's own clock does not yet.
  expect(time.clock.now()).toBeLessThan(before)
  machine.wallAheadMs = -hour
  time.readMachine()
  await expect.poll(ready).toBe(200)
  await app.close()
})

test('threads share the time of their process, and learn that it is in doubt', async () => {
  const { machine, sources } = createMachine()
  await using time = await startDeploymentClock(sources)
  const inThread = createShiftedClock(sources.monotonic, time.clock.shift)
  expect(Math.abs(inThread.now() - time.clock.now())).toBeLessThan(5 * second)
  expect(inThread.fault()).toBeUndefined()
  machine.wallAheadMs = -hour
  time.readMachine()
  expect(inThread.fault()).toBe('The clock of this process is not to be relied on.')
  machine.wallAheadMs = 0
  time.readMachine()
  expect(inThread.fault()).toBeUndefined()
  // A test that moves the clock moves it in both, and how far they are apart stays as it was.
  time.clock.advance(400 * day)
  await time.queryDatabase()
  expect(time.clock.fault()).toBeUndefined()
  expect(await aheadOfDatabase(time)).toBeGreaterThan(399 * day)
  expect(Math.abs(inThread.now() - time.clock.now())).toBeLessThan(5 * second)
})

test('without the database the time advances, and a process does not start', async () => {
  await using gate = await createBreakableDatabase(database.url)
  const pool = createPool({ url: gate.url })
  const time = await startDeploymentClock(clockSources(pool))
  await gate.takeAway()
  await time.queryDatabase()
  expect(time.clock.fault()).toBeUndefined()
  expect(Math.abs(await aheadOfDatabase(time))).toBeLessThan(5 * second)
  await expect(startDeploymentClock(clockSources(pool))).rejects.toThrow()
  await time[Symbol.asyncDispose]()
  await pool.end()
})
