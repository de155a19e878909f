import { setTimeout as sleep } from 'node:timers/promises'
import { type Random, seededRandom } from './random.ts'

/** Faults that are injected into a running service, and what must hold whatever they do. */
export interface Trial {
  name: string
  /** One line: what is done to the service. */
  about: string
  /** How long the long form goes on, unless told. */
  minutes: number
  /** Every one is checked in both forms; one that was not is as bad as one that did not hold. */
  invariants: readonly string[]
  /** Checked in the long form alone, since they take minutes to see. */
  longInvariants?: readonly string[]
  run(course: Course): Promise<void>
}

/** What a trial is given while it runs. */
export interface Course {
  readonly seed: number
  /** Seconds instead of minutes. */
  readonly short: boolean
  /** When the trial is to begin its end, in milliseconds of `performance.now()`. */
  readonly untilMs: number
  random(stream: string): Random
  /** Held until the trial ends, and disposed of whatever happens. */
  use<Resource extends AsyncDisposable | Disposable>(resource: Resource): Resource
  /** Counts what was done to the service. */
  inject(fault: string, times?: number): void
  /** Counts whether an invariant held; `broken` tells what was seen instead. */
  check(invariant: string, holds: boolean, broken: string): void
  /** Something measured, told beside what held. */
  figure(name: string, value: string | number): void
  say(line: string): void
  /** Rejects when the trial's time is over. */
  sleep(ms: number): Promise<void>
}

export interface Held {
  invariant: string
  held: number
  broken: number
  /** The first that were seen. */
  examples: string[]
}

export interface TrialReport {
  trial: Trial
  seed: number
  short: boolean
  seconds: number
  injected: Map<string, number>
  held: Held[]
  telemetry: Map<string, string | number>
  /** Why it could not be run here, such as for want of a right. */
  skipped?: string
}

/** Thrown by a trial that this machine cannot run. */
export class Skipped extends Error {}

const examplesMax = 3
/** Beyond its time a trial has so long to look at what is there; then its processes are killed. */
const shortMinutesMax = 3
const endMinutesMax = 45
/** Killing what it started and removing its folders. */
const disposeMsMax = 60_000
const ranToItsEnd = 'the trial ran to its end'

export interface RunOptions {
  seed: number
  short: boolean
  /** Of the long form, instead of the trial's own. */
  minutes?: number
  say?: (line: string) => void
}

const orAfter = async <T>(work: Promise<T>, ms: number, what: string): Promise<T> => {
  const timer = new AbortController()
  const late = sleep(ms, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`${what} took more than ${ms / 1_000} s`)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    timer.abort()
    late.catch(() => {})
    work.catch(() => {})
  }
}

/** Runs one trial, bounded in time, and tells what was injected and what held. Throws nothing. */
export const runTrial = async (trial: Trial, options: RunOptions): Promise<TrialReport> => {
  const { seed, short, say = () => {} } = options
  const minutes = short ? 0 : (options.minutes ?? trial.minutes)
  const startedMs = performance.now()
  const expected = [...trial.invariants, ...(short ? [] : (trial.longInvariants ?? []))]
  const held = new Map<string, Held>()
  const report: TrialReport = {
    trial,
    seed,
    short,
    seconds: 0,
    injected: new Map(),
    held: [],
    telemetry: new Map(),
  }
  const check = (invariant: string, holds: boolean, broken: string): void => {
    const entry = held.get(invariant) ?? { invariant, held: 0, broken: 0, examples: [] }
    held.set(invariant, entry)
    if (holds) entry.held++
    else {
      entry.broken++
      if (entry.examples.length < examplesMax) {
        entry.examples.push(broken)
        say(`  broken: ${invariant}: ${broken}`)
      }
    }
  }
  const resources = new AsyncDisposableStack()
  const ended = new AbortController()
  const course: Course = {
    seed,
    short,
    untilMs: startedMs + minutes * 60_000,
    random: (stream) => seededRandom(seed, `${trial.name} ${stream}`),
    use: (resource) => resources.use(resource),
    inject: (fault, times = 1) => void report.injected.set(fault, (report.injected.get(fault) ?? 0) + times),
    check,
    figure: (name, value) => void report.telemetry.set(name, value),
    say: (line) => say(`  ${line}`),
    sleep: (ms) => sleep(ms, undefined, { signal: ended.signal }),
  }
  try {
    const msMax = (short ? shortMinutesMax : minutes + endMinutesMax) * 60_000
    await orAfter(trial.run(course), msMax, 'the trial')
    check(ranToItsEnd, true, '')
  } catch (error) {
    if (error instanceof Skipped) report.skipped = error.message
    else check(ranToItsEnd, false, (error as Error).stack ?? String(error))
  }
  ended.abort()
  await orAfter(resources.disposeAsync(), disposeMsMax, 'ending what was started').catch((error: unknown) =>
    check(ranToItsEnd, false, String(error)),
  )
  if (report.skipped === undefined) {
    for (const invariant of expected) if (!held.has(invariant)) check(invariant, false, 'it was not checked')
  }
  report.held = [...held.values()]
  report.seconds = (performance.now() - startedMs) / 1_000
  return report
}

/** Whether everything that was to hold held, or the trial could not be run here. */
export const hasHeld = (report: TrialReport): boolean => report.held.every(({ broken }) => broken === 0)
