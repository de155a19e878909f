import { aggregations } from '../../aggregations/aggregations.ts'
import type { BatchRule } from './batch-cell.ts'
import { cellIdBytes, writeCellId } from './cell-id.ts'
import type { AggregatedMetric } from '../aggregate/aggregated-metric.ts'
import { lastAtMost } from '../../tables/last-at-most.ts'
import { formatDay } from '../../../formats/values/period.ts'
import type { Parsed } from './parse-result.ts'
import { compareIds, sortedById } from '../../tables/sorted-by-id.ts'
import { longList, release } from '../../tables/long-lists.ts'

/** What one parse result contributes to one metric. */
export interface MetricContributions {
  readonly result: Parsed
  readonly aggregated: AggregatedMetric
  readonly rule: BatchRule
  /** The number of its first cell among the entries of the batch. */
  readonly first: number
  /** Of a statements source: by the period's number, the receive number of the delivery that owns it. */
  owners?: Float64Array
  /** Of a distinct count of an events source: by cell, how many of its values are new. */
  added?: Int32Array
}

/**
 * What the parse results of a batch contribute, entry by entry: an entry is what one of them contributes to one cell. Only
 * the ids of the cells are in memory; the rest is computed on demand.
 */
export class ContributionBatch {
  readonly parts: readonly MetricContributions[]
  readonly #firsts: readonly number[]
  /** The ids of the entries' cells, by entry. */
  readonly ids: Buffer

  constructor(results: readonly Parsed[]) {
    let entries = 0
    this.parts = results.flatMap((result) =>
      result.outcome.metrics.map((aggregated): MetricContributions => {
        const rule: BatchRule =
          result.delivers === 'statements' ? 'replace' : aggregations[aggregated.aggregation].rule
        const contributions = { result, aggregated, rule, first: entries }
        entries += aggregated.cells
        return contributions
      }),
    )
    this.#firsts = this.parts.map(({ first }) => first)
    this.ids = longList.bytes(entries * cellIdBytes)
    for (const contributions of this.parts) this.#writeIds(contributions)
  }

  /** The entries of some parts, sorted by their cells' ids, so that those of one cell are adjacent. */
  sorted(parts: readonly MetricContributions[]): Uint32Array {
    const entries = longList.uint32(parts.reduce((sum, { aggregated }) => sum + aggregated.cells, 0))
    let count = 0
    for (const { first, aggregated } of parts) {
      for (let cell = 0; cell < aggregated.cells; cell++) entries[count++] = first + cell
    }
    const sorted = sortedById(this.ids, entries)
    release(entries)
    return sorted
  }

  /** Walks sorted entries cell by cell: the range in `sorted` of each cell's entries. */
  *cells(sorted: Uint32Array): Generator<[from: number, to: number]> {
    let from = 0
    while (from < sorted.length) {
      let to = from + 1
      while (to < sorted.length && compareIds(this.ids, sorted[from]!, sorted[to]!) === 0) to++
      yield [from, to]
      from = to
    }
  }

  /** The id of an entry's cell as a UUID. */
  getId(entry: number): string {
    const at = entry * cellIdBytes
    const hex = (from: number, to: number) => this.ids.toString('hex', at + from, at + to)
    return `${hex(0, 4)}-${hex(4, 6)}-${hex(6, 8)}-${hex(8, 10)}-${hex(10, 16)}`
  }

  /** The part that an entry belongs to. */
  getContributions(entry: number): MetricContributions {
    return this.parts[lastAtMost(this.#firsts, entry)]!
  }

  #writeIds({ result, aggregated, first }: MetricContributions): void {
    const { sourceId, projectionId, sandbox } = result
    const { metric } = aggregated
    let period = -1
    let periodStart = ''
    for (let cell = 0; cell < aggregated.cells; cell++) {
      if (aggregated.getPeriod(cell) !== period) {
        period = aggregated.getPeriod(cell)
        periodStart = formatDay(aggregated.periods.start(period))
      }
      const labels = aggregated.getLabels(cell)
      const named = { sourceId, projectionId, metric, periodStart, labels, sandbox }
      writeCellId(named, this.ids, (first + cell) * cellIdBytes)
    }
  }
}
