import {
  boolArray,
  dateArray,
  int4Array,
  int8Array,
  textArray,
  timestamptzArray,
  uuidArray,
} from '../../../platform/database/binary-array.ts'
import type { Queryable } from '../../../platform/database/pool.ts'
import { inParts } from './in-parts.ts'
import { longList } from '../../tables/long-lists.ts'
import { formatDay } from '../../../formats/values/period.ts'
import {
  addPeriodDeliveries,
  clearPeriods,
  settleOwners,
  type OwnerRow,
  type PeriodArrays,
} from './queries.ts'
import type { Parsed } from './parse-result.ts'
import type { PipelinedStatements } from './pipelined-statements.ts'
import type { MetricContributions } from './contribution-batch.ts'
import { TouchedPeriods } from './touched-periods.ts'

/**
 * What the parts of one metric of a projection say of its periods, and which of these a delivery of the batch took
 * over.
 */
interface PeriodGroup {
  readonly metric: string
  readonly touched: TouchedPeriods
  /** By the index of a period's first touch. */
  readonly isReplaced: Uint8Array
}

/** A period of a statements source's metric, and a delivery that touches it: the batch's latest, or each in turn. */
interface PeriodRow {
  group: PeriodGroup
  from: number
  to: number
  periodStart: string
  result: Parsed
}

export interface SettledPeriods {
  readonly groups: readonly PeriodGroup[]
}

/** Roughly the bytes of a period as parameters. */
function periodBytes(): number {
  return 150
}

function periodArrays(rows: PeriodRow[]): PeriodArrays {
  return {
    companyIds: uuidArray(rows.map(({ result }) => result.companyId)),
    sourceIds: uuidArray(rows.map(({ result }) => result.sourceId)),
    projectionIds: int4Array(rows.map(({ result }) => result.projectionId)),
    sandbox: boolArray(rows.map(({ result }) => result.sandbox)),
    metrics: textArray(rows.map(({ group }) => group.metric)),
    periodStarts: dateArray(rows.map(({ periodStart }) => periodStart)),
    receiveNumbers: int8Array(rows.map(({ result }) => result.receiveNumber)),
  }
}

function groupName({ result, aggregated }: MetricContributions): string {
  return `${result.sourceId} ${result.projectionId} ${result.sandbox} ${aggregated.metric}`
}

function toKey(row: PeriodRow): string {
  return `${groupName(row.group.touched.parts[0]!)} ${row.periodStart}`
}

function ownerKey(owner: OwnerRow): string {
  return `${owner.source_id} ${owner.projection_id} ${owner.sandbox} ${owner.metric} ${owner.period_start}`
}

/** The periods of all groups, each with the latest delivery that touches it. */
function* listPeriods(groups: readonly PeriodGroup[]): Generator<PeriodRow> {
  for (const group of groups) {
    const { touched } = group
    for (const { day, from, to } of touched) {
      let { result } = touched.touch(from).contributions
      for (let at = from + 1; at < to; at++) {
        const other = touched.touch(at).contributions.result
        if (other.receiveNumber > result.receiveNumber) result = other
      }
      yield { group, from, to, periodStart: formatDay(day), result }
    }
  }
}

function* listTouches(groups: readonly PeriodGroup[]): Generator<PeriodRow> {
  for (const period of listPeriods(groups)) {
    for (let at = period.from; at < period.to; at++) {
      yield { ...period, result: period.group.touched.touch(at).contributions.result }
    }
  }
}

/**
 * Stores which deliveries of statements sources touch which periods and which own them now [fold.statements]; sets the
 * parts' `owners`. Until the transaction ends no other worker settles these periods.
 */
export async function settlePeriods(
  client: Queryable,
  parts: readonly MetricContributions[],
  sent: PipelinedStatements,
): Promise<SettledPeriods> {
  const byName = Map.groupBy(
    parts.filter(({ rule }) => rule === 'replace'),
    groupName,
  )
  // All workers lock owners in the order of these names and then of days; any common order would do.
  const groups = [...byName]
    .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, ofName]): PeriodGroup => {
      const touched = new TouchedPeriods(ofName)
      for (const contributions of ofName)
        contributions.owners = longList.float64(contributions.aggregated.periods.size)
      return { metric: ofName[0]!.aggregated.metric, touched, isReplaced: longList.uint8(touched.size) }
    })

  for (const part of inParts(listPeriods(groups), periodBytes)) {
    const owners = await settleOwners.rows(client, {
      ...periodArrays(part),
      artifactIds: uuidArray(part.map(({ result }) => result.artifactId)),
      deliveryCounts: int4Array(part.map(({ from, to }) => to - from)),
    })
    const byKey = new Map(owners.map((owner) => [ownerKey(owner), owner]))
    for (const row of part) {
      const { group, from, to, result } = row
      const { receive_number, deliveries } = byKey.get(toKey(row))!
      const owner = Number(receive_number)
      for (let at = from; at < to; at++) {
        const { contributions, period } = group.touched.touch(at)
        contributions.owners![period] = owner
      }
      // Deliveries of earlier batches touched the period too.
      const wasThere = deliveries > to - from
      if (wasThere && owner === result.receiveNumber) group.isReplaced[from] = 1
    }
  }
  for (const part of inParts(listTouches(groups), periodBytes)) {
    await sent.send(addPeriodDeliveries, {
      ...periodArrays(part),
      artifactIds: uuidArray(part.map(({ result }) => result.artifactId)),
      receivedAts: timestamptzArray(part.map(({ result }) => result.receivedAt)),
    })
  }
  return { groups }
}

function* listReplaced(groups: readonly PeriodGroup[]): Generator<PeriodRow> {
  for (const period of listPeriods(groups)) if (period.group.isReplaced[period.from] === 1) yield period
}

/**
 * Empties the cells that the new owners of periods do not mention. Call it after the cells of the batch were written.
 */
export async function clearAbandoned({ groups }: SettledPeriods, sent: PipelinedStatements): Promise<void> {
  for (const part of inParts(listReplaced(groups), periodBytes))
    await sent.send(clearPeriods, periodArrays(part))
}
