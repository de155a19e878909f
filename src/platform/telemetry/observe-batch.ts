import type { Telemetry } from './telemetry.ts'

/** Observes batches of one kind: how many calls each served, and how long it took. */
export function createBatchObserver(
  telemetry: Telemetry,
  kind: string,
): (batch: { items: number; durationMs: number }) => void {
  const items = telemetry.batchItems.labels(kind)
  const seconds = telemetry.batchSeconds.labels(kind)
  return (batch) => {
    items.observe(batch.items)
    seconds.observe(batch.durationMs / 1_000)
  }
}
