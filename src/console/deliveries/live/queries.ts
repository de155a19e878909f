import { defineStatement } from '../../../platform/database/define-statement.ts'
import {
  deliveryColumns,
  newQueues,
  ownColumns,
  withConnection,
  withParseResult,
  type LoggedDeliveryRow,
} from '../queries.ts'

/** Newest waiting deliveries of a queue that are watched for being parsed. */
const watchedBacklogMax = 200

export interface LogStateRow {
  /**
   * For each source: its id, its projection, the newest receive numbers of production and of test, and how many of its
   * deliveries wait for this projection only.
   */
  sources: string[]
  /** The newest deliveries that wait to be parsed, each as its source and its receive number. */
  waiting: string[]
  refused_call: string | null
}

const newestNumberSql = (sandbox: boolean): string => `coalesce((
          select deliveries.receive_number from deliveries
          where deliveries.company_id = $companyId::uuid and deliveries.source_id = sources.source_id
            and deliveries.sandbox = ${sandbox}
          order by deliveries.receive_number desc
          limit 1
        ), 0)`

/**
 * The state that the lists of a company's deliveries depend on. It changes when a delivery is received, when one of the
 * newest waiting ones is parsed, when another projection becomes current, and when a call is refused.
 */
export const readLogState = defineStatement<LogStateRow, { companyId: string }>(
  'delivery-log.read-state',
  `
  select
    array(
      select concat_ws(' ', sources.source_id, sources.projection_id, ${newestNumberSql(false)}, ${newestNumberSql(true)}, (
          select count(*)
          from (
            select from backlog
            where backlog.company_id = $companyId::uuid and backlog.source_id = sources.source_id
              and backlog.projection_id = sources.projection_id and backlog.projection_id <> 0
            limit ${watchedBacklogMax}
          ) as left_over
        ))
      from sources
      where sources.company_id = $companyId::uuid
      order by sources.source_id
    ) as sources,
    array(
      select concat_ws(' ', waiting.source_id, waiting.receive_number)
      from unnest(${newQueues}::int2[]) as queues (queue)
      cross join lateral (
        select backlog.source_id, backlog.receive_number
        from backlog
        where backlog.queue = queues.queue and backlog.company_id = $companyId::uuid
        order by backlog.queue desc, backlog.company_id desc, backlog.receive_number desc
        limit ${watchedBacklogMax}
      ) as waiting
      order by waiting.receive_number
    ) as waiting,
    (
      select refused_calls.call_id
      from refused_calls
      where refused_calls.company_id = $companyId::uuid
      order by refused_calls.call_id desc
      limit 1
    ) as refused_call`,
)

/** Deliveries of some sources above a receive number each, and others by their receive numbers; the latest first. */
export const selectChangedDeliveries = defineStatement<
  LoggedDeliveryRow,
  {
    companyId: string
    newerSourceIds: Buffer
    newerSandbox: Buffer
    newerThan: Buffer
    sourceIds: Buffer
    receiveNumbers: Buffer
    limit: number
  }
>(
  'delivery-log.select-changed',
  `
  select ${deliveryColumns}
  from (
    select newer.source_id, newer.sandbox, found.receive_number
    from unnest($newerSourceIds::uuid[], $newerSandbox::bool[], $newerThan::int8[]) as newer (source_id, sandbox, number)
    cross join lateral (
      select deliveries.receive_number
      from deliveries
      where deliveries.company_id = $companyId::uuid and deliveries.source_id = newer.source_id
        and deliveries.sandbox = newer.sandbox and deliveries.receive_number > newer.number
      order by deliveries.receive_number desc
      limit $limit::int4
    ) as found
    union
    select listed.source_id, kinds.sandbox, listed.receive_number
    from unnest($sourceIds::uuid[], $receiveNumbers::int8[]) as listed (source_id, receive_number)
    cross join unnest('{f,t}'::bool[]) as kinds (sandbox)
  ) as changed
  cross join lateral (
    select ${ownColumns}, deliveries.company_id
    from deliveries
    where deliveries.company_id = $companyId::uuid and deliveries.source_id = changed.source_id
      and deliveries.sandbox = changed.sandbox and deliveries.receive_number = changed.receive_number
    limit 1
  ) as deliveries
  ${withParseResult}
  ${withConnection}
  order by deliveries.receive_number desc
  limit $limit::int4`,
)

/**
 * The pages, by their places from 1, whose session is active and whose member is a developer of the page's company. Lateral with a
 * limit: one index look-up for each page, independent of the server's choice of plan.
 */
export const selectAllowedPages = defineStatement<
  { place: number },
  { sessionHashes: Buffer; companyIds: Buffer; at: Date; activeAfter: Date }
>(
  'delivery-log.select-allowed-pages',
  `
  select page.place::int4 as place
  from unnest($sessionHashes::bytea[], $companyIds::uuid[]) with ordinality as page (session_hash, company_id, place)
  cross join lateral (
    select sessions.member_id
    from sessions
    where sessions.session_hash = page.session_hash and sessions.expires_at > $at::timestamptz
      and sessions.last_active_at > $activeAfter::timestamptz
    limit 1
  ) as session
  cross join lateral (
    select memberships.role
    from memberships
    where memberships.company_id = page.company_id and memberships.member_id = session.member_id
    limit 1
  ) as membership
  where membership.role in ('owner', 'developer')`,
)
