import type { Format } from '../../engine/formats/formats.ts'
import { queues } from '../../engine/backlog/queues.ts'
import { defineStatement } from '../../platform/database/define-statement.ts'
import { shownKeyCharactersMax } from '../../engine/formats/dropped-keys.ts'
import type { Remarks } from '../../engine/parsing/plan/remarks.ts'
import type { Delivers } from '../../engine/declarations/declaration.ts'

export interface LoggedDeliveryRow {
  receive_number: string
  artifact_id: string
  source_id: string
  sandbox: boolean
  idempotency_key: string
  received_at: Date
  /** Null for a webhook. */
  connection_id: string | null
  /** Null if it belongs to another company. */
  connection_name: string | null
  shape_version: number
  delivers: Delivers
  format: Format
  content_bytes: number
  /** Null, like the following, while it is queued. */
  state: 'parsed' | 'unreadable' | null
  reason: string | null
  rows_accepted: number | null
  rows_refused: number | null
  rows_date_alone: number | null
  /** Also null if it was parsed before remarks were stored. */
  remarks: Partial<Remarks> | null
}

export const ownColumns = `deliveries.receive_number, deliveries.artifact_id, deliveries.source_id, deliveries.sandbox,
    deliveries.idempotency_key, deliveries.received_at, deliveries.connection_id, deliveries.shape_version,
    deliveries.delivers, deliveries.format, deliveries.content_bytes`
// With the parse result for the current projection.
export const deliveryColumns = `${ownColumns}, connection.name as connection_name, result.state, result.reason,
    result.rows_accepted, result.rows_refused, result.rows_date_alone, result.remarks`

// Lateral with a limit: one index lookup for each delivery, independent of the server's choice of plan. `sources` is joined
// only for the projection.
export const withParseResult = `
  join sources on sources.company_id = deliveries.company_id and sources.source_id = deliveries.source_id
  left join lateral (
    select parse_results.state, parse_results.reason, parse_results.rows_accepted, parse_results.rows_refused,
      parse_results.rows_date_alone, parse_results.refusals, parse_results.remarks, parse_results.parsed_at
    from parse_results
    where parse_results.company_id = deliveries.company_id and parse_results.source_id = deliveries.source_id
      and parse_results.projection_id = sources.projection_id
      and parse_results.receive_number = deliveries.receive_number
    limit 1
  ) as result on true`
export const withConnection = `
  left join lateral (
    select connections.name
    from connections
    where connections.company_id = deliveries.company_id and connections.connection_id = deliveries.connection_id
    limit 1
  ) as connection on true`

/** Queues of received deliveries, as opposed to rebuilds. */
export const newQueues = `'{${queues.small},${queues.large},${queues.retry}}'`

export interface LoggedDeliveryInFullRow extends LoggedDeliveryRow {
  received_sha256: Buffer
  dropped_keys: string[]
  parsed_at: Date | null
  refusals: object[] | null
  older_artifact_id: string | null
  newer_artifact_id: string | null
}

const neighbour = (comparison: string, order: string): string => `(
      select neighbour.artifact_id
      from deliveries as neighbour
      where neighbour.company_id = deliveries.company_id and neighbour.source_id = deliveries.source_id
        and neighbour.sandbox = deliveries.sandbox and neighbour.receive_number ${comparison} deliveries.receive_number
      order by neighbour.receive_number ${order}
      limit 1
    )`

export const selectDelivery = defineStatement<
  LoggedDeliveryInFullRow,
  { companyId: string; artifactId: string }
>(
  'delivery-log.select-delivery',
  `
  select ${deliveryColumns}, deliveries.received_sha256, result.parsed_at, result.refusals,
    array(
      select left(names.name, ${shownKeyCharactersMax})
      from unnest(deliveries.dropped_keys) with ordinality as names (name, place)
      order by names.place
    ) as dropped_keys,
    ${neighbour('<', 'desc')} as older_artifact_id,
    ${neighbour('>', 'asc')} as newer_artifact_id
  from deliveries
  ${withParseResult}
  ${withConnection}
  where deliveries.company_id = $companyId::uuid and deliveries.artifact_id = $artifactId::uuid`,
)
