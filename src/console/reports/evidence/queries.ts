import { queues } from '../../../engine/backlog/queues.ts'
import type { Format } from '../../../engine/formats/formats.ts'
import { defineStatement } from '../../../platform/database/define-statement.ts'
import { ofMetric, type MetricParams } from '../queries.ts'

export interface EvidenceSourceRow {
  event_time: string
  /** Of the fields that are personal in that version or in the current one, the names. */
  personal: string[]
  shape_version: number
  saved_at: Date
  rebuilding: boolean
}

/** The declaration that a source's figures are read under, and whether another one is being prepared. */
export const selectEvidenceSource = defineStatement<
  EvidenceSourceRow,
  { companyId: string; sourceId: string; projectionId: number }
>(
  'evidence.select-source',
  `
  select shapes.event_time, shapes.shape_version, shapes.saved_at,
    array(
      select distinct field.name
      from sources
      join shapes as own on own.company_id = sources.company_id and own.source_id = sources.source_id
        and own.shape_version in (sources.shape_version, projections.shape_version)
      cross join lateral jsonb_to_recordset(own.fields) as field (name text, personal bool)
      where sources.company_id = $companyId::uuid and sources.source_id = $sourceId::uuid and field.personal
    ) as personal,
    exists (
      select from projections as other
      where other.company_id = $companyId::uuid and other.source_id = $sourceId::uuid and other.state = 'building'
    ) as rebuilding
  from projections
  join shapes on shapes.company_id = projections.company_id and shapes.source_id = projections.source_id
    and shapes.shape_version = projections.shape_version
  where projections.company_id = $companyId::uuid and projections.source_id = $sourceId::uuid
    and projections.projection_id = $projectionId::int4
  limit 1`,
)

/** The first production or test delivery of a company from a version 7 UUID on: receive numbers grow with time. */
export const selectNumberFrom = defineStatement<
  { receive_number: string },
  { companyId: string; from: string }
>(
  'evidence.select-number-from',
  `
  select deliveries.receive_number
  from deliveries
  where deliveries.company_id = $companyId::uuid and deliveries.artifact_id >= $from::uuid
  order by deliveries.artifact_id
  limit 1`,
)

/** New production deliveries of a source that had been received by an instant and are not parsed yet, at most `$countMax`. */
export const countUnparsed = defineStatement<
  { unparsed: number },
  { companyId: string; sourceId: string; asOf: string; countMax: number }
>(
  'evidence.count-unparsed',
  `
  select count(*)::int4 as unparsed
  from (
    select backlog.receive_number
    from backlog
    cross join lateral (
      select deliveries.artifact_id
      from deliveries
      where deliveries.company_id = $companyId::uuid and deliveries.artifact_id = backlog.artifact_id
        and not deliveries.sandbox and deliveries.received_at <= $asOf::timestamptz
      limit 1
    ) as received
    where backlog.queue = any ('{${queues.small},${queues.large},${queues.retry}}') and backlog.company_id = $companyId::uuid
      and backlog.source_id = $sourceId::uuid and backlog.projection_id = 0
    limit $countMax::int4
  ) as found`,
)

export interface EvidenceDeliveryRow {
  artifact_id: string
  format: Format
  content_bytes: number
  received_sha256: Buffer
  is_push: boolean
  /** Null, like the following, for a webhook and for the connection of another company. */
  connection_id: string | null
  connection_name: string | null
  signature_id: string | null
  signed_at: Date | null
  provider: string | null
  record_sha256: Buffer | null
  signed_by: string | null
}

/** What was received under some ids, through which connection, and who signed that. */
export const selectEvidenceDeliveries = defineStatement<
  EvidenceDeliveryRow,
  { companyId: string; artifactIds: Buffer }
>(
  'evidence.select-deliveries',
  `
  select deliveries.artifact_id, deliveries.format, deliveries.content_bytes, deliveries.received_sha256,
    deliveries.connection_id is not null as is_push, connections.connection_id, connections.name as connection_name,
    signatures.signature_id, signatures.signed_at, signatures.provider, signatures.record_sha256,
    members.name as signed_by
  from unnest($artifactIds::uuid[]) as listed (artifact_id)
  join deliveries on deliveries.company_id = $companyId::uuid and deliveries.artifact_id = listed.artifact_id
  left join connections on connections.company_id = $companyId::uuid
    and connections.connection_id = deliveries.connection_id
  left join signatures on signatures.signature_id = connections.signature_id
  left join members on members.member_id = signatures.member_id`,
)

/** What had replaced each statement of a period by an instant, of the latest ones. */
export const selectReplacements = defineStatement<
  { artifact_id: string; superseded: boolean; superseded_by: string[] | null },
  MetricParams & { firstDay: string; lastDay: string; asOf: string; deliveriesMax: number }
>(
  'evidence.select-replacements',
  `
  select stated.artifact_id, bool_and(stated.owner_id <> stated.artifact_id) as superseded,
    array_agg(distinct stated.owner_id) filter (where stated.owner_id <> stated.artifact_id) as superseded_by
  from (
    select period_deliveries.artifact_id, period_deliveries.receive_number,
      first_value(period_deliveries.artifact_id) over (
        partition by period_deliveries.period_start order by period_deliveries.receive_number desc
      ) as owner_id
    from period_deliveries
    where ${ofMetric('period_deliveries')} and period_deliveries.period_start >= $firstDay::date
      and period_deliveries.period_start <= $lastDay::date and period_deliveries.received_at <= $asOf::timestamptz
  ) as stated
  group by stated.artifact_id
  order by max(stated.receive_number) desc
  limit $deliveriesMax::int4`,
)
