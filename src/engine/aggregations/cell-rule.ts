/** The value of a cell, and where it comes from. */
export interface CellState {
  /** Null: the delivery that owns the period does not mention the cell. */
  value: string | null
  /** The value's event time and the receive number of its delivery, if the aggregation keeps event times. */
  eventAt: string | null
  valueReceiveNumber: number | null
}

/** What a delivery adds to a cell. */
export interface CellContribution {
  value: string
  eventAt?: string | undefined
  receiveNumber: number
}

/** How contributions are merged into a cell: in memory within a batch, then in SQL. */
export interface CellRule {
  /** Part of the name of its statement: `parsing.write-<name>-samples`. */
  readonly name: string
  /** Adds a contribution to a cell that has a value, in place. The order of calls does not matter. */
  merge(cell: CellState, contribution: CellContribution): void
  /** The same in SQL: what an existing row of `samples` becomes when a batch adds the row `excluded`. */
  readonly update: string
}

/** Sets a cell to one contribution. */
export function replaceState(cell: CellState, { value, eventAt, receiveNumber }: CellContribution): void {
  cell.value = value
  cell.eventAt = eventAt ?? null
  cell.valueReceiveNumber = eventAt === undefined ? null : receiveNumber
}
