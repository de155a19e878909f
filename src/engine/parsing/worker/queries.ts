import { defineStatement } from '../../../platform/database/define-statement.ts'
import { selectsFromTable } from '../../../platform/database/schemas.ts'
import { selectQueue, queues } from '../../backlog/queues.ts'

/** What a worker reads and stores in a round besides samples. Arrays of rows to lock are sorted, as in `claim-queries.ts`. */

/** `$bytes` bytes of a delivery's content as stored, starting at byte `$from`, counted from 1. */
export const readContentPart = defineStatement<
  { part: Buffer },
  { companyId: string; artifactId: string; from: number; bytes: number }
>(
  'parsing.read-content-part',
  `
  select substring(content from $from::int4 for $bytes::int4) as part
  from deliveries
  where company_id = $companyId::uuid and artifact_id = $artifactId::uuid`,
)

/** Puts the deliveries of claimed backlog rows into the backlog of further projections. */
export const queueForProjections = defineStatement<never, { positions: string[]; projectionIds: Buffer }>(
  'parsing.queue-for-projections',
  `
  insert into backlog (receive_number, projection_id, company_id, source_id, artifact_id, content_bytes, queued_at, queue)
  select backlog.receive_number, further.projection_id, backlog.company_id, backlog.source_id, backlog.artifact_id,
    backlog.content_bytes, backlog.queued_at, ${selectQueue('further.projection_id', 'backlog.content_bytes')}
  from unnest($positions::tid[], $projectionIds::int4[]) as further (position, projection_id)
  join backlog on backlog.ctid = further.position
  on conflict do nothing`,
)

export interface ShapeRow {
  source_id: string
  shape_version: number
  fields: unknown
  event_time: string
  metrics: unknown
  delivers: 'events' | 'statements'
  time_zone: string
  distinct_salt: Buffer
}

/** Shape versions, with what else aggregating needs from their source and company. */
export const readShapes = defineStatement<
  ShapeRow,
  { companyIds: Buffer; sourceIds: Buffer; shapeVersions: Buffer }
>(
  'parsing.read-shapes',
  `
  select shapes.source_id, shapes.shape_version, shapes.fields, shapes.event_time, shapes.metrics, shapes.delivers,
    companies.time_zone, sources.distinct_salt
  from unnest($companyIds::uuid[], $sourceIds::uuid[], $shapeVersions::int4[])
    as wanted (company_id, source_id, shape_version)
  join shapes on shapes.company_id = wanted.company_id and shapes.source_id = wanted.source_id
    and shapes.shape_version = wanted.shape_version
  join sources on sources.company_id = shapes.company_id and sources.source_id = shapes.source_id
  join companies on companies.company_id = shapes.company_id`,
)

/** Sorted by company, source, projection, receive number. */
export type ParseResultArrays = Record<
  | 'companyIds'
  | 'sourceIds'
  | 'projectionIds'
  | 'receiveNumbers'
  | 'artifactIds'
  | 'states'
  | 'reasons'
  | 'rowsAccepted'
  | 'rowsRefused'
  | 'rowsDateAlone'
  | 'refusals'
  | 'remarks',
  Buffer
>

/**
 * Stores parse results. Only those that come back may be projected: the others were parsed before, for another backlog
 * row of the same delivery.
 */
export const addParseResults = defineStatement<
  { projection_id: number; artifact_id: string },
  ParseResultArrays & { parsedAt: string }
>(
  'parsing.add-parse-results',
  `
  insert into parse_results (company_id, source_id, projection_id, receive_number, artifact_id, state, reason, rows_accepted,
    rows_refused, rows_date_alone, refusals, remarks, parsed_at)
  select result.company_id, result.source_id, result.projection_id, result.receive_number, result.artifact_id, result.state,
    result.reason, result.rows_accepted, result.rows_refused, result.rows_date_alone, result.refusals::jsonb,
    result.remarks::jsonb, $parsedAt::timestamptz
  from unnest($companyIds::uuid[], $sourceIds::uuid[], $projectionIds::int4[], $receiveNumbers::int8[],
    $artifactIds::uuid[], $states::text[], $reasons::text[], $rowsAccepted::int4[], $rowsRefused::int4[],
    $rowsDateAlone::int4[], $refusals::text[], $remarks::text[]) as result (company_id, source_id, projection_id,
    receive_number, artifact_id, state, reason, rows_accepted, rows_refused, rows_date_alone, refusals, remarks)
  where ${selectsFromTable}
  on conflict do nothing
  returning projection_id, artifact_id`,
)

/**
 * Ends a round: deletes the backlog rows at `$positions` and raises the versions of the projections by `$growths`; 0
 * for no change. Returns the projections that are still active; one that was retired meanwhile must not have been written
 * to. The rows of projections are the most contended, so they are locked last. Sorted by company, source, projection.
 */
export const finishRound = defineStatement<
  { projection_id: number },
  { positions: string[] } & Record<'companyIds' | 'sourceIds' | 'projectionIds' | 'growths', Buffer>
>(
  'parsing.finish-round',
  `
  with done as (
    delete from backlog where ctid = any ($positions::tid[])
  ), locked as materialized (
    select projections.company_id, projections.source_id, projections.projection_id, written.growth
    from unnest($companyIds::uuid[], $sourceIds::uuid[], $projectionIds::int4[], $growths::int4[]) with ordinality
      as written (company_id, source_id, projection_id, growth, place)
    join projections on projections.company_id = written.company_id and projections.source_id = written.source_id
      and projections.projection_id = written.projection_id
    where projections.state <> 'retired'
    order by written.place
    for no key update of projections
  )
  update projections set samples_version = projections.samples_version + locked.growth
  from locked
  where projections.company_id = locked.company_id and projections.source_id = locked.source_id
    and projections.projection_id = locked.projection_id and projections.state <> 'retired'
  returning projections.projection_id`,
)

/** Whether anything waits, be it for later: a round that finds nothing costs several times as much. */
export const selectHasBacklog = defineStatement<{ waits: boolean }, Record<string, never>>(
  'parsing.select-has-backlog',
  `select exists (select from backlog) as waits`,
)

/** Waiting deliveries of a queue that are counted for its metric; beyond it the metric shows this number. */
export const measuredDeliveriesMax = 50_000

/** Companies of a queue that are searched for its oldest delivery; those after them are not. */
export const measuredCompaniesMax = 1_000

/**
 * How many deliveries wait in each queue, counted up to `$deliveriesMax`, and when the oldest of the first
 * `$companiesMax` companies was queued; null if there is none. Deliveries that are being parsed count too.
 */
export const measureBacklog = defineStatement<
  { queue: number; deliveries: number; oldest: Date | null },
  { deliveriesMax: number; companiesMax: number }
>(
  'parsing.measure-backlog',
  `
  select queues.queue,
    (
      select count(*)::int4
      from (select 1 from backlog where backlog.queue = queues.queue limit $deliveriesMax::int4) as counted
    ) as deliveries,
    (
      with recursive companies (place, company_id, queued_at) as (
        (
          select 1, backlog.company_id, backlog.queued_at from backlog where backlog.queue = queues.queue
          order by backlog.queue, backlog.company_id, backlog.receive_number
          limit 1
        )
        union all
        select companies.place + 1, next_company.company_id, next_company.queued_at
        from companies
        cross join lateral (
          select backlog.company_id, backlog.queued_at from backlog
          where backlog.queue = queues.queue and backlog.company_id > companies.company_id
          order by backlog.queue, backlog.company_id, backlog.receive_number
          limit 1
        ) next_company
        where companies.place < $companiesMax::int4
      )
      select min(queued_at) from companies
    ) as oldest
  from unnest('{${Object.values(queues).join()}}'::int2[]) as queues (queue)`,
)
