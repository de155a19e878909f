import { clockStepMsMax } from '../platform/clock/keep-time.ts'

/**
 * The present is in doubt if it is farther than this from the last proven instant: the machine's clock may be wrong.
 */
export const sweepGapMsMax = 24 * 60 * 60_000

/**
 * A present in doubt is trusted once processes of the deployment have run by it for this long. Milliseconds.
 */
export const sweepProofMs = 24 * 60 * 60_000

/** The most that counts of the time between two checks. Milliseconds. */
const sweepGapCountedMsMax = 2 * 60_000

/** What the deployment knows of its time, in milliseconds since 1970. */
export interface TimeProof {
  /** The last instant that was proven; null before the first check ever. */
  provenMs: number | null
  /** The last check. */
  checkedMs: number | null
  /** For how long checks have agreed with each other since the present was in doubt. */
  agreedForMs: number
}

function follows(beforeMs: number, nowMs: number): boolean {
  return nowMs - beforeMs >= -clockStepMsMax && nowMs - beforeMs <= sweepGapMsMax
}

/**
 * Whether what cannot be undone may be done at `nowMs`, and what to remember for the next check. A wrong clock gets no
 * farther than `sweepGapMsMax` from the truth, which is also how long what has expired is kept.
 */
export function proveTime(known: TimeProof, nowMs: number): TimeProof & { isProven: boolean } {
  const { provenMs, checkedMs } = known
  const proven = { provenMs: nowMs, checkedMs: nowMs, agreedForMs: 0, isProven: true }
  if (provenMs === null || follows(provenMs, nowMs)) return proven
  const agrees = checkedMs !== null && follows(checkedMs, nowMs)
  const passedMs = agrees ? Math.max(0, Math.min(sweepGapCountedMsMax, nowMs - checkedMs)) : 0
  const agreedForMs = agrees ? known.agreedForMs + passedMs : 0
  return agreedForMs >= sweepProofMs ? proven : { provenMs, checkedMs: nowMs, agreedForMs, isProven: false }
}
