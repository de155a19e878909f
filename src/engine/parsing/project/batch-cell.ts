import {
  type CellContribution,
  type CellRule,
  type CellState,
  replaceState,
} from '../../aggregations/cell-rule.ts'

/** How a cell takes in contributions: by its aggregation's rule, or replaced by the latest delivery (statements). */
export type BatchRule = CellRule | 'replace'

/** What the deliveries of a batch contribute to one cell. */
export interface BatchCell extends CellState {
  /** The contributing delivery with the highest receive number. */
  artifactId: string
  receiveNumber: number
}

type DeliveredContribution = CellContribution & { artifactId: string }

/** A cell with one contribution. */
export function createBatchCell(contribution: DeliveredContribution): BatchCell {
  const { artifactId, receiveNumber } = contribution
  const cell = { value: null, eventAt: null, valueReceiveNumber: null, artifactId, receiveNumber }
  replaceState(cell, contribution)
  return cell
}

/** Adds another contribution to a cell, in place. The order of calls does not matter. */
export function addToCell(cell: BatchCell, rule: BatchRule, contribution: DeliveredContribution): void {
  const isLatestDelivery = contribution.receiveNumber > cell.receiveNumber
  if (rule !== 'replace') rule.merge(cell, contribution)
  else if (isLatestDelivery) replaceState(cell, contribution)
  if (isLatestDelivery) {
    cell.artifactId = contribution.artifactId
    cell.receiveNumber = contribution.receiveNumber
  }
}
