/**
 * The arithmetic of a deployment's time, without a clock of its own. The time runs on this machine's monotonic clock, which
 * nobody can set, and follows the database's clock, which all processes of the deployment have in common: however wrong the
 * machines' own (wall) clocks are, the processes agree.
 *
 * What a clock says of itself is believed as long as it moves slowly. Beyond `clockStepMsMax` it is a step: the time that was
 * kept goes on, and is not to be relied on until the clocks agree again, or until the database's has stood by its new time
 * for `clockTakeOverMs`.
 */
import { clockSlewMsMax } from './clock.ts'

/** Beyond this another clock has made a step, or is wrong: the process is not ready. Below, the time follows slowly. */
export const clockStepMsMax = 5_000

/** A step of the database's clock that has lasted this long is believed, and its time taken over. Milliseconds. */
export const clockTakeOverMs = 10 * 60_000

/** An answer of the database that took longer says too little about the time, and is left out. */
export const clockRoundTripMsMax = 2_000

/** A machine that slept for less is caught up with slowly. */
export const suspendedMsMin = 1_000

/** What this machine's clocks say at one moment, in milliseconds. */
export interface MachineTime {
  /** Cannot be set, and stands still while the machine is suspended. */
  monotonicMs: number
  /** Since 1970 (UTC); anybody may set it. */
  wallMs: number
  /** Since the machine started, the time that it was suspended included. */
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
  /** To be told often what this machine's clocks say, and always before `hearDatabase`. */
  look(machine: MachineTime): void
  /** What the database's clock says. Left out where the machine slept since it was asked. */
  hearDatabase(heard: DatabaseTime): void
  /** How far each clock is ahead of the time that is kept, as it was last seen. */
  aheadMs(of: OtherClock): number
  /** Which clocks are not where they should be. */
  faults(): OtherClock[]
}

export interface TimeKeeperOptions {
  machine: MachineTime
  heard: DatabaseTime
  /** Moves the time that is kept. Called once at the start, by the first offset from the monotonic clock. */
  move(ms: number): void
  onEvent(event: ClockEvent): void
}

function middleOf({ askedMs, answeredMs }: DatabaseTime): number {
  return (askedMs + answeredMs) / 2
}
function atMost(ms: number, bound: number): number {
  return Math.max(-bound, Math.min(bound, ms))
}

export function createTimeKeeper(options: TimeKeeperOptions): TimeKeeper {
  const { onEvent } = options
  /** From the monotonic clock to the time that is kept. */
  let offsetMs = 0
  const move = (ms: number): void => {
    offsetMs += ms
    options.move(ms)
  }
  let lastLook = options.machine
  /** When it was seen that the machine had slept, on the monotonic clock. */
  let resumedMs = -Infinity
  const ahead = { database: 0, wall: 0 }
  /** The step of the database's clock that is waited out. */
  let step: { aheadMs: number; sinceMs: number } | undefined
  let isWallOff = false

  /** While suspended the monotonic clock stands still, and nothing else does. */
  const suspendedBefore = (machine: MachineTime): number => {
    const passedMs = machine.monotonicMs - lastLook.monotonicMs
    const suspendedMs = machine.uptimeMs - lastLook.uptimeMs - passedMs
    const wallMs = machine.wallMs - lastLook.wallMs - passedMs
    const slept = suspendedMs >= suspendedMsMin && Math.abs(wallMs - suspendedMs) <= clockStepMsMax
    return slept ? Math.round(suspendedMs) : 0
  }

  const lookAtWall = (machine: MachineTime): void => {
    ahead.wall = machine.wallMs - (machine.monotonicMs + offsetMs)
    const isOff = Math.abs(ahead.wall) > clockStepMsMax
    if (isOff !== isWallOff) {
      isWallOff = isOff
      onEvent(isOff ? { kind: 'step', of: 'wall', aheadMs: ahead.wall } : { kind: 'agrees', of: 'wall' })
    }
  }

  const look = (machine: MachineTime): void => {
    const suspendedMs = suspendedBefore(machine)
    lastLook = machine
    if (suspendedMs > 0) {
      resumedMs = machine.monotonicMs
      move(suspendedMs)
      onEvent({ kind: 'resumed', suspendedMs })
    }
    lookAtWall(machine)
  }

  const hearDatabase = (heard: DatabaseTime): void => {
    const unsureMs = (heard.answeredMs - heard.askedMs) / 2
    if (2 * unsureMs > clockRoundTripMsMax || heard.askedMs <= resumedMs) return
    const aheadMs = heard.databaseMs - (middleOf(heard) + offsetMs)
    ahead.database = aheadMs
    /** What the way to the database and back cannot explain. */
    const surelyMs = Math.sign(aheadMs) * Math.max(0, Math.abs(aheadMs) - unsureMs)
    if (Math.abs(surelyMs) <= clockStepMsMax) {
      if (step !== undefined) onEvent({ kind: 'agrees', of: 'database' })
      step = undefined
      const slewMs = Math.trunc(atMost(surelyMs, clockSlewMsMax))
      if (slewMs !== 0) move(slewMs)
      return
    }
    if (step === undefined || Math.abs(aheadMs - step.aheadMs) > clockStepMsMax) {
      step = { aheadMs, sinceMs: heard.answeredMs }
      onEvent({ kind: 'step', of: 'database', aheadMs })
    } else if (heard.answeredMs - step.sinceMs >= clockTakeOverMs) {
      step = undefined
      move(Math.round(aheadMs))
      ahead.database = 0
      onEvent({ kind: 'taken_over', aheadMs })
      lookAtWall(lastLook)
    }
  }

  move(Math.round(options.heard.databaseMs - middleOf(options.heard)))
  lookAtWall(options.machine)
  return {
    look,
    hearDatabase,
    aheadMs: (of) => ahead[of],
    faults: () => [
      ...(step === undefined ? [] : ['database' as const]),
      ...(isWallOff ? ['wall' as const] : []),
    ],
  }
}
