import { completedBy } from '../../engine/samples/completed-by.ts'
import { defineStatement } from '../../platform/database/define-statement.ts'
import { ofMetric } from './queries.ts'
import {
  combined,
  listedPeriods,
  matches,
  ownedPeriods,
  ownerThen,
  statedCells,
  type ReportParams,
} from './series-queries.ts'

export interface RestatementRow {
  place: string
  restated_at: Date
  /** A statement replaced the one that had completed the period. */
  is_corrected: boolean
  /** If so, the total as it was completed. */
  completed: string | null
  was: string | null
}

/**
 * The periods of a statements source that had been restated by `$asOf`, with the instant of the last change of owner and
 * the total just before.
 *
 * @param endInstants `timestamptz[]`: the end of each period in the company's time zone
 */
export const readRestatements = defineStatement<
  RestatementRow,
  ReportParams & { asOf: string; endInstants: Buffer }
>(
  'reports.read-restatements',
  `
  with ${listedPeriods},
  owners as materialized (
    select periods.place, owned.period_start, owned.receive_number, owner.receive_number as owner_number,
      owner.received_at, replaced.received_at is not null as is_restated,
      owner.receive_number > completed.receive_number as is_corrected, completed.receive_number as completed_number
    from periods
    cross join lateral (${ownedPeriods}) as owned
    cross join lateral (${ownerThen}) as owner
    cross join lateral (
      select ${completedBy('($endInstants::timestamptz[])[periods.place::int4]')} as receive_number
      from period_deliveries
      where ${ofMetric('period_deliveries')} and period_deliveries.period_start = owned.period_start
        and period_deliveries.received_at <= $asOf::timestamptz
    ) as completed
    left join lateral (
      select period_deliveries.received_at
      from period_deliveries
      where ${ofMetric('period_deliveries')} and period_deliveries.period_start = owned.period_start
        and period_deliveries.receive_number < owner.receive_number
      order by period_deliveries.receive_number desc
      limit 1
    ) as replaced on true
  ),
  restated as materialized (
    select owners.place, owners.period_start, owners.receive_number, owners.owner_number, owners.received_at,
      owners.completed_number,
      bool_or(owners.is_corrected) over (partition by owners.place) as is_corrected,
      max(owners.owner_number) filter (where owners.is_restated) over (partition by owners.place) as last_number
    from owners
  ),
  cells as materialized (
    select owned.place, cell.labels, cell.value
    from restated as owned
    cross join lateral (
      select period_deliveries.receive_number
      from period_deliveries
      where ${ofMetric('period_deliveries')} and period_deliveries.period_start = owned.period_start
        and period_deliveries.receive_number < owned.last_number
      order by period_deliveries.receive_number desc
      limit 1
    ) as owner
    cross join lateral (${statedCells}) as cell
  ),
  -- Each day by the statement that completed its period.
  completed as materialized (
    select owned.place, cell.labels, cell.value
    from restated as owned
    cross join lateral (select owned.completed_number as receive_number offset 0) as owner
    cross join lateral (${statedCells}) as cell
    where owned.is_corrected
  )
  select found.place, max(found.received_at) as restated_at, coalesce(bool_or(found.is_corrected), false) as is_corrected,
    trim_scale(max(found.completed))::text as completed, trim_scale(max(found.was))::text as was
  from (
    select restated.place, restated.received_at, restated.is_corrected, null::numeric as was, null::numeric as completed
    from restated
    where restated.owner_number = restated.last_number
    union all
    select cells.place, null, null, ${combined('cells.value')}, null
    from cells
    where ${matches('cells.labels')}
    group by cells.place
    union all
    select completed.place, null, null, null, ${combined('completed.value')}
    from completed
    where ${matches('completed.labels')}
    group by completed.place
  ) as found
  group by found.place
  order by found.place
  limit all`,
)
