import { type Aggregation, aggregations } from '../../aggregations/aggregations.ts'
import type { Delivers } from '../../declarations/declaration.ts'
import { byCodePoint } from '../../../formats/values/by-code-point.ts'
import type { Contribution, Touched } from './contribution.ts'

/** What a delivery was aggregated into. */
export interface AggregatedDelivery {
  /** Increases with every delivery received; identifies deliveries. */
  receiveNumber: number
  sandbox: boolean
  contributions: Contribution[]
  touched: Touched[]
}

export interface CombinedSample {
  metric: string
  periodStart: string
  labels: string
  sandbox: boolean
  value: string
  rows: number
  /** The delivery whose rows last changed the cell, by its receive number [fold.artifact]. */
  artifact: number
  /** The period belongs to a second or later delivery. Never with events. */
  restated: boolean
}

/**
 * The samples of a source from the aggregates of its deliveries: the model that the projection in SQL must agree with.
 * Neither the order of the deliveries nor repeating one changes anything. Production before test, then as in
 * [read.order].
 */
export function combine(
  delivers: Delivers,
  aggregationByMetric: ReadonlyMap<string, Aggregation>,
  deliveries: readonly AggregatedDelivery[],
): CombinedSample[] {
  const unique = new Map(deliveries.map((delivery) => [delivery.receiveNumber, delivery]))
  const ordered = [...unique.values()].toSorted((a, b) => a.receiveNumber - b.receiveNumber)
  const owners = delivers === 'statements' ? findOwners(ordered) : undefined

  const cells = new Map<string, { receiveNumber: number; sandbox: boolean; contribution: Contribution }[]>()
  for (const { receiveNumber, sandbox, contributions } of ordered) {
    for (const contribution of contributions) {
      const { metric, periodStart, labels } = contribution
      const owner = owners?.get(periodName(sandbox, contribution))
      if (owner !== undefined && owner.receiveNumber !== receiveNumber) continue
      const name = JSON.stringify([sandbox, metric, periodStart, labels])
      const cell = cells.get(name)
      if (cell === undefined) cells.set(name, [{ receiveNumber, sandbox, contribution }])
      else cell.push({ receiveNumber, sandbox, contribution })
    }
  }
  return [...cells.values()]
    .map((cell): CombinedSample => {
      const { sandbox, contribution } = cell[0]!
      const { metric, periodStart, labels } = contribution
      return {
        metric,
        periodStart,
        labels,
        sandbox,
        value: aggregations[aggregationByMetric.get(metric)!].combine(
          cell.map((entry) => entry.contribution),
        ),
        rows: cell.reduce((rows, entry) => rows + entry.contribution.rows, 0),
        artifact: cell.at(-1)!.receiveNumber,
        restated: owners?.get(periodName(sandbox, contribution))?.restated ?? false,
      }
    })
    .toSorted(
      (a, b) =>
        Number(a.sandbox) - Number(b.sandbox) ||
        byCodePoint(b.periodStart, a.periodStart) ||
        byCodePoint(a.metric, b.metric) ||
        byCodePoint(a.labels, b.labels),
    )
}

interface Owner {
  receiveNumber: number
  restated: boolean
}

/** Who owns the periods of a statements source, by `periodName` [fold.statements]. */
function findOwners(ordered: AggregatedDelivery[]): Map<string, Owner> {
  const owners = new Map<string, Owner>()
  for (const { receiveNumber, sandbox, touched } of ordered) {
    for (const period of touched) {
      const name = periodName(sandbox, period)
      const before = owners.get(name)
      owners.set(name, {
        receiveNumber,
        restated: before !== undefined && (before.restated || before.receiveNumber !== receiveNumber),
      })
    }
  }
  return owners
}

function periodName(sandbox: boolean, { metric, periodStart }: Touched): string {
  return JSON.stringify([sandbox, metric, periodStart])
}
