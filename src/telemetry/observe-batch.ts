import type { Figures } from './telemetry.ts'

/** Observes batches of one kind: how many calls each served, and how long it took. */
export const createNoteBatch = (
  figures: Figures,
  kind: string,
): ((batch: { items: number; durationMs: number }) => void) => {
  const items = figures.batchItems.labels(kind)
  const seconds = figures.batchSeconds.labels(kind)
  return (batch) => {
    items.observe(batch.items)
    seconds.observe(batch.durationMs / 1_000)
  }
}
