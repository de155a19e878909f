/**
 * The arithmetic of a deployment's time, without a clock of its own. The time runs on this machine's monotonic clock,
 * which cannot be set, and follows the database's clock, which all processes of the deployment share: however wrong the
 * machines' own (wall) clocks are, the processes agree.
 *
 * A clock is believed as long as it drifts slowly. Beyond `clockStepMsMax` it is a step: the time that was kept goes
 * on, and cannot be relied on until the clocks agree again, or until the database's has stood by its new time for
 * `clockHandoverMs`.
 */
import { clockSlewMsMax } from './clock.ts'

/** Beyond this another clock has made a step, or is wrong: the process is not ready. Below, the time follows slowly. */
export const clockStepMsMax = 5_000

/** A step of the database's clock that has lasted this long is believed, and its time taken over. Milliseconds. */
export const clockHandoverMs = 10 * 60_000

/** An answer of the database that took longer says too little about the time, and is left out. */
export const clockRoundTripMsMax = 2_000

/** A machine that slept for less is caught up with slowly. */
export const suspendedMsMin = 1_000

/** What this machine's clocks say at one moment, in milliseconds. */
export interface MachineTime {
  /** Cannot be set, and stands still while the machine is suspended. */
  monotonicMs: number
  /** Since 1970 (UTC); it can be set. */
  wallMs: number
  /** Since the machine started, including the time that it was suspended. */
  uptimeMs: number
}

/** One question for the database's time. */
export interface DatabaseTime {
  /** Since 1970 (UTC). */
  databaseMs: number
  /** On the monotonic clock: when it was asked, and when the answer was there. */
  askedMs: number
  answeredMs: number
}

export const otherClocks = ['database', 'wall'] as const
export type OtherClock = (typeof otherClocks)[number]

export type ClockEvent =
  /** The other clock is further away than it may be. `aheadMs` is how far it is ahead. */
  | { kind: 'step'; of: OtherClock; aheadMs: number }
  /** It is back. */
  | { kind: 'agrees'; of: OtherClock }
  /** The database's new time has lasted, and is the time now. */
  | { kind: 'taken_over'; aheadMs: number }
  /** The machine slept: the time was moved on. */
  | { kind: 'resumed'; suspendedMs: number }

export interface TimeKeeper {
  /** To be called often with what this machine's clocks say, and always before `hearDatabase`. */
  look(machine: MachineTime): void
  /** What the database's clock says. Ignored where the machine has slept since it was asked. */
  hearDatabase(heard: DatabaseTime): void
  /** How far each clock is ahead of the time that is kept, as it was last seen. */
  aheadMs(of: OtherClock): number
  /** The clocks that are too far from the time that is kept. */
  faults(): OtherClock[]
}

export interface TimeKeeperOptions {
  machine: MachineTime
  heard: DatabaseTime
  /** Moves the time that is kept. Called once at the start, by the first offset from the monotonic clock. */
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
  /** From the monotonic clock to the time that is kept. */
  #offsetMs = 0
  #lastLook: MachineTime
  /** When the machine was last found to have slept, on the monotonic clock. */
  #resumedMs = -Infinity
  readonly #ahead = { database: 0, wall: 0 }
  /** The step of the database's clock that is waited out. */
  #step: { aheadMs: number; sinceMs: number } | undefined
  #isWallOff = false

  constructor({ machine, heard, move, onEvent }: TimeKeeperOptions) {
    this.#move = move
    this.#onEvent = onEvent
    this.#lastLook = machine
    this.#moveOn(Math.round(heard.databaseMs - getMidpoint(heard)))
    this.#lookAtWall(machine)
  }

  look(machine: MachineTime): void {
    const suspendedMs = this.#suspendedBefore(machine)
    this.#lastLook = machine
    if (suspendedMs > 0) {
      this.#resumedMs = machine.monotonicMs
      this.#moveOn(suspendedMs)
      this.#onEvent({ kind: 'resumed', suspendedMs })
    }
    this.#lookAtWall(machine)
  }

  hearDatabase(heard: DatabaseTime): void {
    const unsureMs = (heard.answeredMs - heard.askedMs) / 2
    if (2 * unsureMs > clockRoundTripMsMax || heard.askedMs <= this.#resumedMs) return
    const aheadMs = heard.databaseMs - (getMidpoint(heard) + this.#offsetMs)
    this.#ahead.database = aheadMs
    /** What the way to the database and back cannot explain. */
    const surelyMs = Math.sign(aheadMs) * Math.max(0, Math.abs(aheadMs) - unsureMs)
    if (Math.abs(surelyMs) <= clockStepMsMax) this.#follow(surelyMs)
    else this.#waitOut(aheadMs, heard.answeredMs)
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

  #moveOn(ms: number): void {
    this.#offsetMs += ms
    this.#move(ms)
  }

  /** While suspended the monotonic clock stands still, and nothing else does. */
  #suspendedBefore(machine: MachineTime): number {
    const lastLook = this.#lastLook
    const passedMs = machine.monotonicMs - lastLook.monotonicMs
    const suspendedMs = machine.uptimeMs - lastLook.uptimeMs - passedMs
    const wallMs = machine.wallMs - lastLook.wallMs - passedMs
    const slept = suspendedMs >= suspendedMsMin && Math.abs(wallMs - suspendedMs) <= clockStepMsMax
    return slept ? Math.round(suspendedMs) : 0
  }

  #lookAtWall(machine: MachineTime): void {
    const aheadMs = machine.wallMs - (machine.monotonicMs + this.#offsetMs)
    this.#ahead.wall = aheadMs
    const isOff = Math.abs(aheadMs) > clockStepMsMax
    if (isOff === this.#isWallOff) return
    this.#isWallOff = isOff
    this.#onEvent(isOff ? { kind: 'step', of: 'wall', aheadMs } : { kind: 'agrees', of: 'wall' })
  }

  /** Follows the database's clock slowly. */
  #follow(surelyMs: number): void {
    if (this.#step !== undefined) this.#onEvent({ kind: 'agrees', of: 'database' })
    this.#step = undefined
    const slewMs = Math.trunc(atMost(surelyMs, clockSlewMsMax))
    if (slewMs !== 0) this.#moveOn(slewMs)
  }

  /** The database's clock has made a step: its new time is taken over once it has lasted. */
  #waitOut(aheadMs: number, atMs: number): void {
    if (this.#step === undefined || Math.abs(aheadMs - this.#step.aheadMs) > clockStepMsMax) {
      this.#step = { aheadMs, sinceMs: atMs }
      this.#onEvent({ kind: 'step', of: 'database', aheadMs })
    } else if (atMs - this.#step.sinceMs >= clockHandoverMs) {
      this.#step = undefined
      this.#moveOn(Math.round(aheadMs))
      this.#ahead.database = 0
      this.#onEvent({ kind: 'taken_over', aheadMs })
      this.#lookAtWall(this.#lastLook)
    }
  }
}

export function createTimeKeeper(options: TimeKeeperOptions): TimeKeeper {
  return new Keeper(options)
}
