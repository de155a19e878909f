import { freshnessSql, type FreshnessRow } from '../../people/companies/freshness.ts'
import { defineStatement } from '../../platform/database/define-statement.ts'
import type { Delivers, Metric } from '../../engine/declarations/declaration.ts'

/** Queries for the company's pages: production samples of one metric, period by period. */

export interface ReportSourceRow {
  source_id: string
  name: string
  paused_at: Date | null
  /** Null while it is active, and if the operator paused it. */
  paused_by: string | null
  paused_by_name: string | null
  projection_id: number
  samples_version: string
  /** As the current projection aggregates. */
  delivers: Delivers
  metrics: Metric[]
}

const reportSources = `
  select sources.source_id, sources.name, sources.paused_at, sources.paused_by, members.name as paused_by_name,
    sources.projection_id, projections.samples_version, shapes.delivers, shapes.metrics
  from sources
  join projections on projections.company_id = sources.company_id and projections.source_id = sources.source_id
    and projections.projection_id = sources.projection_id
  join shapes on shapes.company_id = sources.company_id and shapes.source_id = sources.source_id
    and shapes.shape_version = projections.shape_version
  left join members on members.member_id = sources.paused_by
  where sources.company_id = $companyId::uuid`

export const selectReportSource = defineStatement<ReportSourceRow, { companyId: string; sourceId: string }>(
  'reports.select-source',
  `${reportSources} and sources.source_id = $sourceId::uuid limit 1`,
)

/** A company's sources after the source `$after`. */
export const selectReportSources = defineStatement<
  ReportSourceRow,
  { companyId: string; after: string | null; limit: number }
>(
  'reports.select-sources',
  `${reportSources} and ($after::uuid is null or sources.source_id > $after::uuid)
  order by sources.source_id
  limit $limit::int4`,
)

const freshnessOfListed = freshnessSql({
  companyId: '$companyId::uuid',
  sourceId: 'listed.source_id',
  pausedAt: 'source.paused_at',
})

/** The freshness of a company's sources at `$at`. */
export const selectFreshnessOfSources = defineStatement<
  FreshnessRow & { source_id: string },
  { companyId: string; sourceIds: Buffer; at: Date }
>(
  'reports.select-freshness',
  `
  select listed.source_id, freshness.last_received_at, freshness.usual_seconds, freshness.late
  from unnest($sourceIds::uuid[]) as listed (source_id)
  cross join lateral (
    select sources.paused_at
    from sources
    where sources.company_id = $companyId::uuid and sources.source_id = listed.source_id
    limit 1
  ) as source
  cross join lateral ${freshnessOfListed} as freshness`,
)

/** A metric of the current projection. */
export type MetricParams = { companyId: string; sourceId: string; projectionId: number; metric: string }

export const ofMetric = (table: string): string => `
        ${table}.company_id = $companyId::uuid and ${table}.source_id = $sourceId::uuid
        and ${table}.projection_id = $projectionId::int4 and ${table}.sandbox = false
        and ${table}.metric = $metric::text`

/** The newest period with a sample before the day `$before`. */
export const findLatestPeriod = defineStatement<{ period_start: string }, MetricParams & { before: string }>(
  'reports.find-latest-period',
  `
  select samples.period_start
  from samples
  where ${ofMetric('samples')} and samples.period_start < $before::date and samples.value is not null
  order by samples.period_start desc
  limit 1`,
)

/** Over the cells between two days: the day of the newest one, and that of the first one beyond the newest `$cellsMax`. */
export const findCellsCut = defineStatement<
  { newest: string | null; cut: string | null },
  MetricParams & { from: string; to: string; cellsMax: number }
>(
  'reports.find-cells-cut',
  `
  with in_window as (
    select samples.period_start
    from samples
    where ${ofMetric('samples')} and samples.period_start >= $from::date and samples.period_start <= $to::date
    order by samples.period_start desc
    limit $cellsMax::int4 + 1
  )
  select (select max(in_window.period_start) from in_window) as newest,
    (
      select in_window.period_start from in_window
      order by in_window.period_start desc
      offset $cellsMax::int4 limit 1
    ) as cut
  limit 1`,
)
