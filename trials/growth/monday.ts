import type { Random } from '../random.ts'

/**
 * Deliveries a second, on average: a million companies with three sources, of which each delivers eight times a day. An
 * hour of a Monday morning: most of them at any time, and many by a timer, on the full hour or on a quarter of it.
 */
export const averagePerSecond = 280

const hourSeconds = 3_600
/** At its beginning a burst has this many a second, and then ever fewer. */
const bursts = [
  { atSeconds: 0, perSecond: 3_000 },
  { atSeconds: 900, perSecond: 700 },
  { atSeconds: 1_800, perSecond: 1_500 },
  { atSeconds: 2_700, perSecond: 700 },
]
const burstSeconds = 60
const inBursts = bursts.reduce((sum, { perSecond }) => sum + perSecond, 0) * burstSeconds
const steadyPerSecond = averagePerSecond - inBursts / hourSeconds

/** Deliveries a second at this part of the hour, from 0 to 1. */
export function ratePerSecond(part: number): number {
  const seconds = part * hourSeconds
  return bursts
    .filter(({ atSeconds }) => seconds >= atSeconds)
    .reduce(
      (sum, { atSeconds, perSecond }) => sum + perSecond * Math.exp(-(seconds - atSeconds) / burstSeconds),
      steadyPerSecond,
    )
}

/** The hour's highest rate. */
export const peakPerSecond = ratePerSecond(0)

/** Of the sources, these deliver every other delivery: tills and web shops, not ledgers. */
const busyShare = 0.02

/** The source of the next delivery, of this many. The busy ones are spread over all companies. */
export function pickSource(random: Random, sources: number): number {
  const every = Math.round(1 / busyShare)
  if (random() < 0.5) return random.integer(0, sources - 1)
  return every * random.integer(0, Math.floor((sources - 1) / every))
}

/** Deliveries that are due within a step of a schedule, at random moments of it. */
export function countDue(random: Random, perSecond: number, stepSeconds: number): number {
  const expected = perSecond * stepSeconds
  // Knuth's way to draw from a Poisson distribution, in parts that do not underflow.
  let due = 0
  for (let left = expected; left > 0; left -= 100) {
    const limit = Math.exp(-Math.min(left, 100))
    for (let product = random(); product > limit; product *= random()) due++
  }
  return due
}
