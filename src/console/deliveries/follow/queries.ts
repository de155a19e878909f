import type { Delivers } from '../../../engine/declarations/declaration.ts'
import { defineStatement } from '../../../platform/database/define-statement.ts'
import { segmentsMax } from './position.ts'
import { withParseResult } from '../queries.ts'

/** The deliveries of one source that a reader follows: production or test. */
export type FollowedSource = {
  companyId: string
  sourceId: string
  sandbox: boolean
}

export interface FollowedRow {
  receive_number: string
  artifact_id: string
  received_at: Date
  shape_version: number
  delivers: Delivers
  /** Null, like the following, while it is queued. */
  state: 'parsed' | 'unreadable' | null
  reason: string | null
  rows_accepted: number | null
  rows_refused: number | null
  rows_date_alone: number | null
}

const ofSource = `deliveries.company_id = $companyId::uuid and deliveries.source_id = $sourceId::uuid
    and deliveries.sandbox = $sandbox::bool`
const columns = `deliveries.receive_number, deliveries.artifact_id, deliveries.received_at, deliveries.shape_version,
    deliveries.delivers, result.state, result.reason, result.rows_accepted, result.rows_refused, result.rows_date_alone`

/** Deliveries behind a receive number, in order. */
export const selectNext = defineStatement<FollowedRow, FollowedSource & { after: bigint; limit: number }>(
  'followed.select-next',
  `
  select ${columns}
  from (
    select deliveries.company_id, deliveries.source_id, deliveries.receive_number, deliveries.artifact_id,
      deliveries.received_at, deliveries.shape_version, deliveries.delivers
    from deliveries
    where ${ofSource} and deliveries.receive_number > $after::int8
    order by deliveries.receive_number
    limit $limit::int4
  ) as deliveries
  ${withParseResult}
  order by deliveries.receive_number
  limit $limit::int4`,
)

/** Those of some deliveries that are parsed by now, in the order of receive numbers. */
export const selectParsed = defineStatement<FollowedRow, FollowedSource & { numbers: Buffer; limit: number }>(
  'followed.select-parsed',
  `
  select ${columns}
  from unnest($numbers::int8[]) as queued (receive_number)
  cross join lateral (
    select deliveries.company_id, deliveries.source_id, deliveries.receive_number, deliveries.artifact_id,
      deliveries.received_at, deliveries.shape_version, deliveries.delivers
    from deliveries
    where ${ofSource} and deliveries.receive_number = queued.receive_number
    limit 1
  ) as deliveries
  ${withParseResult}
  where result.state is not null
  order by deliveries.receive_number
  limit $limit::int4`,
)

/** How many deliveries each segment has now, by its place from 0. `$ends` are their last numbers, the first begins behind `$floor`. */
export const countSegments = defineStatement<
  { segment: number; count: number },
  FollowedSource & { floor: bigint; last: bigint; ends: Buffer }
>(
  'followed.count-segments',
  `
  select width_bucket(deliveries.receive_number - 1, $ends::int8[]) as segment, count(*)::int4 as count
  from deliveries
  where ${ofSource} and deliveries.receive_number > $floor::int8 and deliveries.receive_number <= $last::int8
  group by segment
  limit ${segmentsMax}`,
)

/** The newest deliveries, latest first, and which of them are queued. */
export const selectNewest = defineStatement<
  { receive_number: string; queued: boolean },
  FollowedSource & { limit: number }
>(
  'followed.select-newest',
  `
  select deliveries.receive_number, result.state is null as queued
  from (
    select deliveries.company_id, deliveries.source_id, deliveries.receive_number
    from deliveries
    where ${ofSource}
    order by deliveries.receive_number desc
    limit $limit::int4
  ) as deliveries
  ${withParseResult}
  order by deliveries.receive_number desc
  limit $limit::int4`,
)

/**
 * What has changed for those who wait in one company. For each source at its place from 1 the newest receive numbers above a
 * floor, and those of some queued deliveries that are parsed by now.
 */
export const lookForChanges = defineStatement<
  { place: number; parsed: boolean; numbers: string[] },
  {
    companyId: string
    sourceIds: Buffer
    sandboxes: Buffer
    floors: Buffer
    newestMax: number
    queuedSourceIds: Buffer
    queuedPlaces: Buffer
    queuedNumbers: Buffer
  }
>(
  'followed.look-for-changes',
  `
  select followed.place::int4 as place, false as parsed, array(
      select deliveries.receive_number
      from deliveries
      where deliveries.company_id = $companyId::uuid and deliveries.source_id = followed.source_id
        and deliveries.sandbox = followed.sandbox and deliveries.receive_number > followed.floor
      order by deliveries.receive_number desc
      limit $newestMax::int4
    ) as numbers
  from unnest($sourceIds::uuid[], $sandboxes::bool[], $floors::int8[])
    with ordinality as followed (source_id, sandbox, floor, place)
  union all
  select queued.place, true, array_agg(queued.receive_number)
  from unnest($queuedSourceIds::uuid[], $queuedPlaces::int4[], $queuedNumbers::int8[])
    as queued (source_id, place, receive_number)
  join sources on sources.company_id = $companyId::uuid and sources.source_id = queued.source_id
  cross join lateral (
    select parse_results.state
    from parse_results
    where parse_results.company_id = $companyId::uuid and parse_results.source_id = queued.source_id
      and parse_results.projection_id = sources.projection_id
      and parse_results.receive_number = queued.receive_number
    limit 1
  ) as result
  group by queued.place`,
)
