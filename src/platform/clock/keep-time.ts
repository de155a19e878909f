/**
 * The arithmetic of a deployment's time, without a clock of its own. The time runs on this machine's monotonic clock,
 * which cannot be set, and follows the database's clock, which all processes of the deployment share: however wrong the
 * machines' own (wall) clocks are, the processes agree.
 *
 * A clock is trusted as long as it drifts slowly. Beyond `clockStepMsMax` it is a step: the process keeps its
 * time, which is unreliable until the clocks agree again, or until the database's has kept its new time for
 * `clockHandoverMs`.
 */
import { clockSlewMsMax } from './clock.ts'

/** Beyond this another clock has stepped, or is wrong: the process is not ready. Below, the time follows slowly. */
export const clockStepMsMax = 5_000

/** A step of the database's clock that has lasted this long is adopted. Milliseconds. */
export const clockHandoverMs = 10 * 60_000

/** An answer of the database that took longer is too imprecise, and ignored. */
const clockRoundTripMsMax = 2_000

/** The time catches up slowly with a shorter suspension. */
const suspendedMsMin = 1_000

/** This machine's clocks at one moment, in milliseconds. */
export interface MachineTime {
  /** Cannot be set, and pauses while the machine is suspended. */
  monotonicMs: number
  /** Since 1970 (UTC); it can be set. */
  wallMs: number
  /** Since the machine started, including the time that it was suspended. */
  uptimeMs: number
}

/** One query for the database's time. */
export interface DatabaseTime {
  /** Since 1970 (UTC). */
  databaseMs: number
  /** On the monotonic clock: when the query was sent, and when its answer arrived. */
  askedMs: number
  answeredMs: number
}

export const otherClocks = ['database', 'wall'] as const
export type OtherClock = (typeof otherClocks)[number]

export type ClockEvent =
  /** The other clock is further off than allowed, ahead by `aheadMs`. */
  | { kind: 'step'; of: OtherClock; aheadMs: number }
  /** It agrees again. */
  | { kind: 'agrees'; of: OtherClock }
  /** The database's new time has lasted and is adopted. */
  | { kind: 'taken_over'; aheadMs: number }
  /** The machine was suspended: the time was advanced. */
  | { kind: 'resumed'; suspendedMs: number }

export interface TimeKeeper {
  /** Call it often, and always before `onDatabaseTime`. */
  onMachineTime(machine: MachineTime): void
  /** Ignored if the machine was suspended after the query was sent. */
  onDatabaseTime(time: DatabaseTime): void
  /** How far each clock was last ahead of the deployment's time. */
  aheadMs(of: OtherClock): number
  /** The clocks that are too far off. */
  faults(): OtherClock[]
}

export interface TimeKeeperOptions {
  machine: MachineTime
  database: DatabaseTime
  /** Moves the deployment's time. Called once at the start with the first offset from the monotonic clock. */
  move(ms: number): void
  onEvent(event: ClockEvent): void
}

function getMidpoint({ askedMs, answeredMs }: DatabaseTime): number {
  return (askedMs + answeredMs) / 2
}
function atMost(ms: number, bound: number): number {
  return Math.max(-bound, Math.min(bound, ms))
}

class Keeper implements TimeKeeper {
  readonly #move: (ms: number) => void
  readonly #onEvent: (event: ClockEvent) => void
  /** From the monotonic clock to the deployment's time. */
  #offsetMs = 0
  #lastMachine: MachineTime
  /** When a suspension was last found, on the monotonic clock. */
  #resumedMs = -Infinity
  readonly #ahead = { database: 0, wall: 0 }
  /** The current step of the database's clock. */
  #step: { aheadMs: number; sinceMs: number } | undefined
  #isWallOff = false

  constructor({ machine, database, move, onEvent }: TimeKeeperOptions) {
    this.#move = move
    this.#onEvent = onEvent
    this.#lastMachine = machine
    this.#advance(Math.round(database.databaseMs - getMidpoint(database)))
    this.#checkWall(machine)
  }

  onMachineTime(machine: MachineTime): void {
    const suspendedMs = this.#getSuspension(machine)
    this.#lastMachine = machine
    if (suspendedMs > 0) {
      this.#resumedMs = machine.monotonicMs
      this.#advance(suspendedMs)
      this.#onEvent({ kind: 'resumed', suspendedMs })
    }
    this.#checkWall(machine)
  }

  onDatabaseTime(time: DatabaseTime): void {
    const uncertaintyMs = (time.answeredMs - time.askedMs) / 2
    if (2 * uncertaintyMs > clockRoundTripMsMax || time.askedMs <= this.#resumedMs) return
    const aheadMs = time.databaseMs - (getMidpoint(time) + this.#offsetMs)
    this.#ahead.database = aheadMs
    /** What the round trip cannot explain. */
    const certainMs = Math.sign(aheadMs) * Math.max(0, Math.abs(aheadMs) - uncertaintyMs)
    if (Math.abs(certainMs) <= clockStepMsMax) this.#follow(certainMs)
    else this.#onStep(aheadMs, time.answeredMs)
  }

  aheadMs(of: OtherClock): number {
    return this.#ahead[of]
  }

  faults(): OtherClock[] {
    return [
      ...(this.#step === undefined ? [] : ['database' as const]),
      ...(this.#isWallOff ? ['wall' as const] : []),
    ]
  }

  #advance(ms: number): void {
    this.#offsetMs += ms
    this.#move(ms)
  }

  /** During a suspension only the monotonic clock pauses. */
  #getSuspension(machine: MachineTime): number {
    const last = this.#lastMachine
    const passedMs = machine.monotonicMs - last.monotonicMs
    const suspendedMs = machine.uptimeMs - last.uptimeMs - passedMs
    const wallMs = machine.wallMs - last.wallMs - passedMs
    const wasSuspended = suspendedMs >= suspendedMsMin && Math.abs(wallMs - suspendedMs) <= clockStepMsMax
    return wasSuspended ? Math.round(suspendedMs) : 0
  }

  #checkWall(machine: MachineTime): void {
    const aheadMs = machine.wallMs - (machine.monotonicMs + this.#offsetMs)
    this.#ahead.wall = aheadMs
    const isOff = Math.abs(aheadMs) > clockStepMsMax
    if (isOff === this.#isWallOff) return
    this.#isWallOff = isOff
    this.#onEvent(isOff ? { kind: 'step', of: 'wall', aheadMs } : { kind: 'agrees', of: 'wall' })
  }

  /** Follows the database's clock slowly. */
  #follow(certainMs: number): void {
    if (this.#step !== undefined) this.#onEvent({ kind: 'agrees', of: 'database' })
    this.#step = undefined
    const slewMs = Math.trunc(atMost(certainMs, clockSlewMsMax))
    if (slewMs !== 0) this.#advance(slewMs)
  }

  /** A step of the database's clock is adopted once it has lasted. */
  #onStep(aheadMs: number, atMs: number): void {
    if (this.#step === undefined || Math.abs(aheadMs - this.#step.aheadMs) > clockStepMsMax) {
      this.#step = { aheadMs, sinceMs: atMs }
      this.#onEvent({ kind: 'step', of: 'database', aheadMs })
    } else if (atMs - this.#step.sinceMs >= clockHandoverMs) {
      this.#step = undefined
      this.#advance(Math.round(aheadMs))
      this.#ahead.database = 0
      this.#onEvent({ kind: 'taken_over', aheadMs })
      this.#checkWall(this.#lastMachine)
    }
  }
}

export function createTimeKeeper(options: TimeKeeperOptions): TimeKeeper {
  return new Keeper(options)
}
