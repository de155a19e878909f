import { hash } from 'node:crypto'

/** One (source, metric, period, label set, sandbox flag), of one fold. */
export interface Cell {
  sourceId: string
  foldId: number
  metric: string
  /** The first day of the period, `YYYY-MM-DD`. */
  periodStart: string
  /** Canonical JSON. */
  labels: string
  sandbox: boolean
}

/**
 * The cell's id: the first 16 bytes of the SHA-256 over what makes it a cell, written as a UUID. Labels go last:
 * nothing before them holds a line break, so no two cells are written alike.
 */
export const cellId = (cell: Cell): string => {
  const { sourceId, foldId, metric, periodStart, labels, sandbox } = cell
  const written = `${sourceId}\n${foldId}\n${metric}\n${periodStart}\n${sandbox ? 'test' : 'production'}\n${labels}`
  const hex = hash('sha256', written, 'hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
}
