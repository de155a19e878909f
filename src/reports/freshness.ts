/** Deliveries of a source whose rhythm counts, the last ones. */
export const rhythmDeliveriesMax = 20
/** Deliveries before a source has a rhythm; with fewer it is never late. */
export const rhythmDeliveriesMin = 3
/** The shortest rhythm, seconds: what comes in bursts is not late a moment later. */
export const usualSecondsMin = 60
/** How many usual times pass without a delivery before a source is late. */
export const usualTimesMax = 3

/** When a source delivers, by its own rhythm. */
export interface Freshness {
  lastReceivedAt: Date | null
  /** The median of the times between its last deliveries; null where there are too few. */
  usualSeconds: number | null
  late: boolean
}

/**
 * Whether a source delivers as it usually does.
 *
 * @param receivedMs when its last deliveries were received, the latest first, milliseconds since 1970
 */
export function freshnessOf(receivedMs: readonly number[], nowMs: number, isPaused: boolean): Freshness {
  // Receive numbers and instants are not always in the same order.
  const lastMs = Math.max(...receivedMs)
  const lastReceivedAt = receivedMs.length === 0 ? null : new Date(lastMs)
  if (receivedMs.length < rhythmDeliveriesMin) return { lastReceivedAt, usualSeconds: null, late: false }
  const gaps = receivedMs
    .slice(1)
    .map((ms, place) => Math.abs(receivedMs[place]! - ms))
    .toSorted((a, b) => a - b)
  const middle = (gaps.length - 1) / 2
  const medianMs = (gaps[Math.floor(middle)]! + gaps[Math.ceil(middle)]!) / 2
  const usualSeconds = Math.max(usualSecondsMin, Math.round(medianMs / 1_000))
  const late = !isPaused && nowMs - lastMs > usualTimesMax * usualSeconds * 1_000
  return { lastReceivedAt, usualSeconds, late }
}
