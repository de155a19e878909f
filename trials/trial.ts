import { setTimeout as sleep } from 'node:timers/promises'
import { type Random, seededRandom } from './random.ts'

/** Faults for a running service, and the invariants that must hold in spite of them. */
export interface Trial {
  name: string
  /** One sentence: what is done to the service. */
  about: string
  /** The default duration of the long form. */
  minutes: number
  /** Checked in both forms. An unchecked one counts as broken. */
  invariants: readonly string[]
  /** Checked in the long form only, since it takes minutes. */
  longInvariants?: readonly string[]
  run(context: TrialContext): Promise<void>
}

export interface TrialContext {
  readonly seed: number
  /** Seconds instead of minutes. */
  readonly short: boolean
  /** When the trial should begin to finish, as `performance.now()`. */
  readonly untilMs: number
  random(stream: string): Random
  /** Disposes of the resource when the trial ends, in success or failure. */
  use<Resource extends AsyncDisposable | Disposable>(resource: Resource): Resource
  /** Counts a fault. */
  inject(fault: string, times?: number): void
  /** Counts one check of an invariant. @param broken what was observed instead */
  check(invariant: string, holds: boolean, broken: string): void
  /** A measurement for the report. */
  measure(name: string, value: string | number): void
  log(line: string): void
  /** Rejects when the trial's time is over. */
  sleep(ms: number): Promise<void>
}

export interface InvariantResult {
  invariant: string
  /** How many checks it passed. */
  passed: number
  /** How many checks it failed. */
  broken: number
  /** Of the first failures. */
  examples: string[]
}

export interface TrialReport {
  trial: Trial
  seed: number
  short: boolean
  seconds: number
  injected: Map<string, number>
  invariants: InvariantResult[]
  telemetry: Map<string, string | number>
  /** Why this machine could not run it, such as a missing permission. */
  skipped?: string
}

/** Thrown by a trial that this machine cannot run, with the reason. */
export class Skipped extends Error {}

const examplesMax = 3
/** After its duration a trial has this long for its final checks; then its processes are killed. */
const shortMinutesMax = 3
const endMinutesMax = 45
/** For killing its processes and removing its folders. */
const disposeMsMax = 60_000
const ranToItsEnd = 'the trial ran to its end'

export interface RunOptions {
  seed: number
  short: boolean
  /** Replaces the trial's own duration of the long form. */
  minutes?: number
  log?: (line: string) => void
}

const withTimeout = async <T>(work: Promise<T>, ms: number, what: string): Promise<T> => {
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

/** Runs one trial within its time. Never rejects: a failure is a broken invariant. */
export const runTrial = async (trial: Trial, options: RunOptions): Promise<TrialReport> => {
  const { seed, short, log = () => {} } = options
  const minutes = short ? 0 : (options.minutes ?? trial.minutes)
  const startedMs = performance.now()
  const expected = [...trial.invariants, ...(short ? [] : (trial.longInvariants ?? []))]
  const results = new Map<string, InvariantResult>()
  const report: TrialReport = {
    trial,
    seed,
    short,
    seconds: 0,
    injected: new Map(),
    invariants: [],
    telemetry: new Map(),
  }
  const check = (invariant: string, holds: boolean, broken: string): void => {
    const entry = results.get(invariant) ?? { invariant, passed: 0, broken: 0, examples: [] }
    results.set(invariant, entry)
    if (holds) entry.passed++
    else {
      entry.broken++
      if (entry.examples.length < examplesMax) {
        entry.examples.push(broken)
        log(`  broken: ${invariant}: ${broken}`)
      }
    }
  }
  const resources = new AsyncDisposableStack()
  const ended = new AbortController()
  const context: TrialContext = {
    seed,
    short,
    untilMs: startedMs + minutes * 60_000,
    random: (stream) => seededRandom(seed, `${trial.name} ${stream}`),
    use: (resource) => resources.use(resource),
    inject: (fault, times = 1) => void report.injected.set(fault, (report.injected.get(fault) ?? 0) + times),
    check,
    measure: (name, value) => void report.telemetry.set(name, value),
    log: (line) => log(`  ${line}`),
    sleep: (ms) => sleep(ms, undefined, { signal: ended.signal }),
  }
  try {
    const msMax = (short ? shortMinutesMax : minutes + endMinutesMax) * 60_000
    await withTimeout(trial.run(context), msMax, 'the trial')
    check(ranToItsEnd, true, '')
  } catch (error) {
    if (error instanceof Skipped) report.skipped = error.message
    else check(ranToItsEnd, false, (error as Error).stack ?? String(error))
  }
  ended.abort()
  await withTimeout(resources.disposeAsync(), disposeMsMax, 'stopping what it started').catch(
    (error: unknown) => check(ranToItsEnd, false, String(error)),
  )
  if (report.skipped === undefined) {
    for (const invariant of expected)
      if (!results.has(invariant)) check(invariant, false, 'it was not checked')
  }
  report.invariants = [...results.values()]
  report.seconds = (performance.now() - startedMs) / 1_000
  return report
}

/** True for a skipped trial too. */
export const hasPassed = (report: TrialReport): boolean =>
  report.invariants.every(({ broken }) => broken === 0)
