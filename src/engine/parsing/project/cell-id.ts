import { hash } from 'node:crypto'

/** A (source, metric, period, label set, sandbox flag) of one projection. */
export interface Cell {
  sourceId: string
  projectionId: number
  metric: string
  /** The first day of the period, `YYYY-MM-DD`. */
  periodStart: string
  /** Canonical JSON. */
  labels: string
  sandbox: boolean
}

/**
 * The cell's id: the first 16 bytes of the SHA-256 over everything that identifies it, written as a UUID. Labels come
 * last: nothing before them holds a line break, so no two cells hash the same text.
 */
export function cellId(cell: Cell): string {
  const hex = hash('sha256', written(cell), 'hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
}

/** Bytes of a cell's id. */
export const cellIdBytes = 16

/** Writes a cell's id to `into` at `at`. */
export function writeCellId(cell: Cell, into: Buffer, at: number): void {
  into.write(hash('sha256', written(cell), 'latin1'), at, cellIdBytes, 'latin1')
}

function written({ sourceId, projectionId, metric, periodStart, labels, sandbox }: Cell): string {
  return `${sourceId}\n${projectionId}\n${metric}\n${periodStart}\n${sandbox ? 'test' : 'production'}\n${labels}`
}
