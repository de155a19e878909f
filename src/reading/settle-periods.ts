import {
  boolArray,
  dateArray,
  int4Array,
  int8Array,
  textArray,
  timestamptzArray,
  uuidArray,
} from '../database/binary-array.ts'
import type { Queryable } from '../database/pool.ts'
import type { BatchCell } from './batch-cells.ts'
import { inParts } from './in-parts.ts'
import { addPeriodDeliveries, clearPeriods, settleOwners, type PeriodArrays } from './queries.ts'
import type { ParsedReading } from './reading.ts'
import type { SentStatements } from './sent-statements.ts'

/** A period of a metric of a statements source, with what a batch of deliveries and the database say of it. */
interface BatchPeriod {
  companyId: string
  sourceId: string
  foldId: number
  sandbox: boolean
  metric: string
  periodStart: string
  /** The latest delivery of the batch, and how many of the batch touch the period. */
  artifactId: string
  receiveNumber: number
  deliveries: number
  /** The delivery that owns the period now. */
  owner: number
  /** Deliveries of earlier batches have said something of the period. */
  wasThere: boolean
}

export interface SettledPeriods {
  /** Whether the cell's value is what the owner of its period says. */
  isOwner(cell: BatchCell): boolean
  readonly periods: BatchPeriod[]
}

type PeriodName = Pick<BatchPeriod, 'sourceId' | 'foldId' | 'sandbox' | 'metric' | 'periodStart'>

const keyOf = (period: PeriodName): string =>
  `${period.sourceId} ${period.foldId} ${period.sandbox} ${period.metric} ${period.periodStart}`

const periodArrays = (
  periods: (PeriodName & { companyId: string; receiveNumber: number })[],
): PeriodArrays => [
  uuidArray(periods.map((period) => period.companyId)),
  uuidArray(periods.map((period) => period.sourceId)),
  int4Array(periods.map((period) => period.foldId)),
  boolArray(periods.map((period) => period.sandbox)),
  textArray(periods.map((period) => period.metric)),
  dateArray(periods.map((period) => period.periodStart)),
  int8Array(periods.map((period) => period.receiveNumber)),
]

/**
 * Writes down which deliveries of statements sources touch which periods, and who owns them now (`fold.statements`).
 * Until the transaction ends nobody else settles these periods.
 */
export const settlePeriods = async (
  client: Queryable,
  readings: ParsedReading[],
  sent: SentStatements,
): Promise<SettledPeriods> => {
  const byKey = new Map<string, BatchPeriod>()
  const touches: { period: BatchPeriod; reading: ParsedReading }[] = []
  for (const reading of readings) {
    if (reading.delivers !== 'statements') continue
    const { companyId, sourceId, foldId, sandbox, artifactId, receiveNumber } = reading
    for (const { metric, periodStart } of reading.result.touched) {
      const key = keyOf({ sourceId, foldId, sandbox, metric, periodStart })
      let period = byKey.get(key)
      if (!period) {
        period = {
          companyId,
          sourceId,
          foldId,
          sandbox,
          metric,
          periodStart,
          artifactId,
          receiveNumber,
          deliveries: 0,
          owner: receiveNumber,
          wasThere: false,
        }
        byKey.set(key, period)
      }
      period.deliveries++
      if (receiveNumber > period.receiveNumber) {
        period.artifactId = artifactId
        period.receiveNumber = receiveNumber
      }
      touches.push({ period, reading })
    }
  }

  // All readers lock owners in the order of these keys. Any order would do that all agree on.
  const periods = [...byKey].toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, period]) => period)
  for (const part of inParts(periods)) {
    const owners = await settleOwners.rows(client, [
      ...periodArrays(part),
      uuidArray(part.map((period) => period.artifactId)),
      int4Array(part.map((period) => period.deliveries)),
    ])
    for (const owner of owners) {
      const period = byKey.get(
        keyOf({
          sourceId: owner.source_id,
          foldId: owner.fold_id,
          sandbox: owner.sandbox,
          metric: owner.metric,
          periodStart: owner.period_start,
        }),
      )!
      period.owner = Number(owner.receive_number)
      period.wasThere = owner.deliveries > period.deliveries
    }
  }
  for (const part of inParts(touches)) {
    sent.add(
      addPeriodDeliveries.run(client, [
        ...periodArrays(
          part.map(({ period, reading }) => ({ ...period, receiveNumber: reading.receiveNumber })),
        ),
        uuidArray(part.map(({ reading }) => reading.artifactId)),
        timestamptzArray(part.map(({ reading }) => reading.receivedAt)),
      ]),
    )
  }

  return {
    periods,
    isOwner: (cell) => byKey.get(keyOf(cell))?.owner === cell.receiveNumber,
  }
}

/** Empties the cells that the new owners of periods do not mention. After the cells of the batch were written. */
export const clearAbandoned = (client: Queryable, settled: SettledPeriods, sent: SentStatements): void => {
  const taken = settled.periods.filter((period) => period.wasThere && period.owner === period.receiveNumber)
  for (const part of inParts(taken)) sent.add(clearPeriods.run(client, periodArrays(part)))
}
