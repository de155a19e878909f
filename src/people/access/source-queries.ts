import { uuidArray } from '../../platform/database/binary-array.ts'
import { defineStatement } from '../../platform/database/define-statement.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import type { AdmittedSource } from './admission.ts'

/** A source that calls of a company are about. */
export interface CalledSource {
  companyId: string
  /** Null: the company's only source. */
  sourceId: string | null
}

/** Null as far as there is no such source. */
export interface SourceRow {
  source_id: string | null
  name: string
  channel: AdmittedSource['channel']
  format: AdmittedSource['format']
  delivers: AdmittedSource['delivers']
  shape_version: number
  paused: boolean
  projection_id: number
  samples_version: string
}

const lookUpSourcesStatement = defineStatement<SourceRow, { companyIds: Buffer; sourceIds: Buffer }>(
  'access.look-up-sources',
  `
  select
    sources.source_id, sources.name, sources.channel, sources.format, shapes.delivers, sources.shape_version,
    sources.paused_at is not null as paused, sources.projection_id, projections.samples_version
  from unnest($companyIds::uuid[], $sourceIds::uuid[]) with ordinality as called (company_id, source_id, call)
  left join lateral (
    select case count(*) when 1 then (array_agg(two.source_id))[1] end as source_id
    from (
      select of_company.source_id
      from sources as of_company
      where called.source_id is null and of_company.company_id = called.company_id
      limit 2
    ) as two
  ) only_source on true
  left join sources on sources.company_id = called.company_id
    and sources.source_id = coalesce(called.source_id, only_source.source_id)
  left join shapes on shapes.company_id = sources.company_id and shapes.source_id = sources.source_id
    and shapes.shape_version = sources.shape_version
  left join projections on projections.company_id = sources.company_id and projections.source_id = sources.source_id
    and projections.projection_id = sources.projection_id
  order by called.call`,
)

/** Looks up sources of the companies of one shard: one row for each, in order. */
export function lookUpSources(on: Queryable, called: readonly CalledSource[]): Promise<SourceRow[]> {
  return lookUpSourcesStatement.rows(on, {
    companyIds: uuidArray(called.map(({ companyId }) => companyId)),
    sourceIds: uuidArray(called.map(({ sourceId }) => sourceId)),
  })
}
