import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { clockSlewMsMax } from './clock.ts'
import { clockStepMsMax, clockHandoverMs, createTimeKeeper, type ClockEvent } from './keep-time.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const start = Date.parse('2026-01-15T12:00:00Z')

/** A machine and a database whose clocks a test runs, sets and suspends. `truthMs` is what both say at first. */
const createWorld = () => {
  const world = {
    truthMs: start,
    monotonicMs: 5_000,
    uptimeMs: 90_000,
    wallAheadMs: 0,
    databaseAheadMs: 0,
    keptMs: 0,
    events: [] as ClockEvent[],
  }
  const machine = () => ({
    monotonicMs: world.monotonicMs,
    uptimeMs: world.uptimeMs,
    wallMs: world.truthMs + world.wallAheadMs,
  })
  const heard = (roundTripMs = 2) => ({
    askedMs: world.monotonicMs - roundTripMs,
    answeredMs: world.monotonicMs,
    databaseMs: world.truthMs + world.databaseAheadMs - roundTripMs / 2,
  })
  const suspend = (ms: number): void => {
    world.truthMs += ms
    world.uptimeMs += ms
  }
  /** How far the time that is kept is ahead of the true one. */
  const aheadMs = (): number => Math.round(world.monotonicMs + world.keptMs - world.truthMs)
  const keep = () => {
    const keeper = createTimeKeeper({
      machine: machine(),
      database: heard(),
      move: (ms) => (world.keptMs += ms),
      onEvent: (event) => world.events.push(event),
    })
    const run = (ms: number, everyMs = 5 * second): void => {
      for (let passed = 0; passed < ms; passed += everyMs) {
        const stepMs = Math.min(everyMs, ms - passed)
        world.truthMs += stepMs
        world.monotonicMs += stepMs
        world.uptimeMs += stepMs
        keeper.onMachineTime(machine())
        keeper.onDatabaseTime(heard())
      }
    }
    return { keeper, run, suspend, aheadMs, look: () => keeper.onMachineTime(machine()) }
  }
  return { world, keep }
}

test("a process whose machine is 401 days ahead keeps the database's time, and is not ready", () => {
  const { world, keep } = createWorld()
  world.wallAheadMs = 401 * day
  const { keeper, run, aheadMs } = keep()
  expect(aheadMs()).toBe(0)
  expect(keeper.faults()).toEqual(['wall'])
  run(hour)
  expect(aheadMs()).toBe(0)
  expect(world.events).toEqual([{ kind: 'step', of: 'wall', aheadMs: 401 * day }])
  world.wallAheadMs = 0
  run(5 * second)
  expect(keeper.faults()).toEqual([])
  expect(world.events.at(-1)).toEqual({ kind: 'agrees', of: 'wall' })
})

test('a process whose clock jumps is not ready until the clock is back', () => {
  const { world, keep } = createWorld()
  const { keeper, run, aheadMs } = keep()
  run(minute)
  for (const jump of [401 * day, -hour, 21 * second, -clockStepMsMax - 1]) {
    world.wallAheadMs = jump
    run(5 * second)
    expect(keeper.faults()).toEqual(['wall'])
    expect(keeper.aheadMs('wall')).toBe(jump)
    expect(aheadMs()).toBe(0)
    world.wallAheadMs = 0
    run(5 * second)
    expect(keeper.faults()).toEqual([])
  }
})

test("when the database's clock jumps, the time advances, and the process is not ready until it is back", () => {
  const { world, keep } = createWorld()
  const { keeper, run, aheadMs } = keep()
  for (const jump of [401 * day, -hour]) {
    world.databaseAheadMs = jump
    world.wallAheadMs = jump
    run(9 * minute)
    expect(aheadMs()).toBe(0)
    expect(keeper.faults()).toEqual(['database', 'wall'])
    world.databaseAheadMs = 0
    world.wallAheadMs = 0
    run(5 * second)
    expect(keeper.faults()).toEqual([])
    expect(aheadMs()).toBe(0)
  }
})

test("a process whose database's clock jumps is not ready until the new time has stood for ten minutes", () => {
  const { world, keep } = createWorld()
  const { keeper, run, aheadMs } = keep()
  world.databaseAheadMs = -hour
  world.wallAheadMs = -hour
  run(clockHandoverMs)
  expect(keeper.faults()).toEqual(['database', 'wall'])
  expect(aheadMs()).toBe(0)
  run(5 * second)
  expect(keeper.faults()).toEqual([])
  expect(aheadMs()).toBe(-hour)
  expect(world.events.map(({ kind }) => kind)).toEqual(['step', 'step', 'taken_over', 'agrees'])
})

test('a new time that jumps again restarts its ten minutes', () => {
  const { world, keep } = createWorld()
  const { keeper, run, aheadMs } = keep()
  world.databaseAheadMs = -hour
  run(9 * minute)
  world.databaseAheadMs = 2 * hour
  run(9 * minute)
  expect(keeper.faults()).toEqual(['database'])
  expect(aheadMs()).toBe(0)
})

test('a small difference is followed slowly, and is no fault', () => {
  const { world, keep } = createWorld()
  const { keeper, run, aheadMs } = keep()
  for (const skew of [800, -800, clockStepMsMax, -clockStepMsMax + 1]) {
    world.databaseAheadMs = skew
    const before = aheadMs()
    run(5 * second)
    expect(Math.abs(aheadMs() - before)).toBeLessThanOrEqual(clockSlewMsMax)
    run(20 * minute)
    // What half a round trip may explain is left.
    expect(Math.abs(aheadMs() - skew)).toBeLessThanOrEqual(2)
    expect(keeper.faults().includes('database')).toBe(false)
    world.databaseAheadMs = 0
    run(20 * minute)
  }
})

test('a laptop that wakes up is right again immediately, and ready', () => {
  const { world, keep } = createWorld()
  const { keeper, run, suspend, aheadMs, look } = keep()
  run(minute)
  suspend(14 * hour)
  expect(aheadMs()).toBe(-14 * hour)
  look()
  expect(aheadMs()).toBe(0)
  expect(keeper.faults()).toEqual([])
  expect(world.events).toEqual([{ kind: 'resumed', suspendedMs: 14 * hour }])
  run(minute)
  expect(keeper.faults()).toEqual([])
})

test('what the database answered before the machine slept says nothing of the time after it', () => {
  const { world, keep } = createWorld()
  const { keeper, run, suspend, aheadMs, look } = keep()
  run(minute)
  const late = {
    askedMs: world.monotonicMs - 1,
    answeredMs: world.monotonicMs + 1,
    databaseMs: world.truthMs,
  }
  suspend(hour)
  look()
  keeper.onDatabaseTime(late)
  expect(keeper.faults()).toEqual([])
  expect(aheadMs()).toBe(0)
})

test('an uptime that jumps alone is no sleep: the time advances', () => {
  const { world, keep } = createWorld()
  const { keeper, run, aheadMs } = keep()
  world.uptimeMs += 30 * day
  run(minute)
  expect(aheadMs()).toBe(0)
  expect(keeper.faults()).toEqual([])
})

test('an answer that was long on its way moves nothing, and ends no doubt', () => {
  const { world, keep } = createWorld()
  const { keeper, run } = keep()
  world.databaseAheadMs = hour
  run(5 * second)
  const { monotonicMs } = world
  keeper.onDatabaseTime({
    askedMs: monotonicMs - 3 * hour,
    answeredMs: monotonicMs,
    databaseMs: world.truthMs,
  })
  expect(keeper.faults()).toEqual(['database'])
})

test('however clocks are set and machines sleep, the time never moves by more than is reported, and becomes right', () => {
  const change = fc.record({
    wallAheadMs: fc.integer({ min: -500 * day, max: 500 * day }),
    databaseAheadMs: fc.integer({ min: -500 * day, max: 500 * day }),
    sleptMs: fc.oneof(fc.constant(0), fc.integer({ min: second, max: 3 * day })),
    ranMs: fc.integer({ min: second, max: clockHandoverMs - 10 * second }),
  })
  fc.assert(
    fc.property(fc.array(change, { maxLength: 8 }), (changes) => {
      const { world, keep } = createWorld()
      const { keeper, run, suspend, aheadMs, look } = keep()
      for (const { wallAheadMs, databaseAheadMs, sleptMs, ranMs } of changes) {
        suspend(sleptMs)
        if (sleptMs > 0) look()
        world.wallAheadMs = wallAheadMs
        world.databaseAheadMs = databaseAheadMs
        run(ranMs)
        world.databaseAheadMs = 0
        run(5 * second)
      }
      world.wallAheadMs = 0
      world.databaseAheadMs = 0
      run(20 * minute)
      expect(keeper.faults()).toEqual([])
      expect(Math.abs(aheadMs())).toBeLessThanOrEqual(2)
    }),
    { numRuns: 60 },
  )
})
