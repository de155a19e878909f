import { lanes } from '../backlog/lanes.ts'
import { defineStatement } from '../database/define-statement.ts'
import { withinBytes, type WithinBytes } from '../database/within-bytes.ts'
import type { DeliveryFormat } from '../deliveries/intake/delivery.ts'
import { shownKeyCharactersMax } from '../deliveries/intake/dropped-keys.ts'
import type { Remarks } from '../parsing/plan/remarks.ts'
import type { Aggregation, Delivers, Field, Metric } from '../sources/declaration.ts'

export interface LoggedDeliveryRow {
  receive_number: string
  artifact_id: string
  source_id: string
  sandbox: boolean
  idempotency_key: string
  received_at: Date
  /** Null for a webhook. */
  connection_id: string | null
  /** Null where it is another company's. */
  connection_name: string | null
  shape_version: number
  delivers: Delivers
  format: DeliveryFormat
  content_bytes: number
  /** Null, like all that follows, while it is queued. */
  state: 'parsed' | 'unreadable' | null
  reason: string | null
  rows_accepted: number | null
  rows_refused: number | null
  rows_date_alone: number | null
  /** Null, too, for what was parsed before there were any. */
  remarks: Partial<Remarks> | null
}

const ownColumns = `deliveries.receive_number, deliveries.artifact_id, deliveries.source_id, deliveries.sandbox,
    deliveries.idempotency_key, deliveries.received_at, deliveries.connection_id, deliveries.shape_version,
    deliveries.delivers, deliveries.format, deliveries.content_bytes`
// With what parsing found out for the projection that is read now.
const deliveryColumns = `${ownColumns}, connection.name as connection_name, result.state, result.reason,
    result.rows_accepted, result.rows_refused, result.rows_date_alone, result.remarks`

/*
 * Lateral with a limit: one look into the index for each delivery, whatever plan the server would choose otherwise. `sources`
 * is said for the projection alone.
 */
const withParseResult = `
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
const withConnection = `
  left join lateral (
    select connections.name
    from connections
    where connections.company_id = deliveries.company_id and connections.connection_id = deliveries.connection_id
    limit 1
  ) as connection on true`

/** What a filter says, and from where to where in the order of receipt a search goes. */
export type SearchParams = {
  companyId: string
  sourceId: string | null
  sandbox: boolean | null
  channel: 'push' | 'webhook' | null
  state: 'queued' | 'parsed' | 'unreadable' | 'refused' | null
  /** RFC 3339. */
  from: string | null
  to: string | null
  /** The beginning of a key. */
  prefix: string | null
  /** What is searched for, where it is an id. */
  artifactId: string | null
  /** Receive numbers between these two are looked at, without themselves. */
  above: string
  before: string
}

/** Where deliveries are looked for: in some groups, each in the order of receipt. */
interface Candidates {
  /** The groups, one row each. */
  groups: string
  /**
   * The newest of one group from a receive number up: `source_id`, `kinds` (test or production, as an array), `receive_number`,
   * and whether it `passes` what can be told here.
   */
  newest: (limit: string, floor: string) => string
  /**
   * Where `newest` reads more than an index has: the receive numbers alone of one group, the highest first. No more is read than
   * what lies above the last of every group: an old delivery of a group that is hardly used cannot be on the page.
   */
  numbers?: string
  /** All groups are looked at to their ends. */
  isWhole?: boolean
  /** The index has nothing but what passes, where no more than the source and the state is asked. */
  isExact?: boolean
  /** What else has to be looked at to tell whether one passes; nothing where nothing is. */
  left: ('delivery' | 'parse result')[]
}

const ofSources = `sources.company_id = $companyId::uuid
    and ($sourceId::uuid is null or sources.source_id = $sourceId::uuid)`

const inReach = (table: string): string =>
  `${table}.receive_number < $before::int8 and ${table}.receive_number > $above::int8`

/** What a delivery's own columns tell; `byId`: what has the id that is searched for need not have the key. */
const passesOwn = (table: string, byId = ''): string => `
        ($channel::text is null or (${table}.connection_id is null) = ($channel::text = 'webhook'))
        and ($from::timestamptz is null or ${table}.received_at >= $from::timestamptz)
        and ($to::timestamptz is null or ${table}.received_at < $to::timestamptz)
        and ($prefix::text is null or starts_with(${table}.idempotency_key, $prefix::text)${byId})`

/** A source's test or production deliveries; not of sources that have no webhooks, where those are looked for. */
const pairs = `
  select sources.source_id, kinds.sandbox
  from sources
  cross join unnest('{f,t}'::bool[]) as kinds (sandbox)
  where ${ofSources}
    and ($sandbox::bool is null or kinds.sandbox = $sandbox::bool)
    and ($channel::text is distinct from 'webhook' or exists (
      select from deliveries
      where deliveries.company_id = $companyId::uuid and deliveries.source_id = sources.source_id
        and deliveries.connection_id is null
    ))`

const ofPair = `deliveries.company_id = $companyId::uuid and deliveries.source_id = groups.source_id
          and deliveries.sandbox = groups.sandbox`

/** Without a look at the deliveries: the index alone tells. */
const byReceipt: Candidates = {
  groups: pairs,
  isExact: true,
  newest: (limit) => `
      select groups.source_id, array[groups.sandbox] as kinds, deliveries.receive_number, true as passes
      from deliveries
      where ${ofPair} and ${inReach('deliveries')}
      order by deliveries.receive_number desc
      limit ${limit}`,
  left: [],
}

const byReceiptFiltered: Candidates = {
  groups: pairs,
  numbers: `
      select deliveries.receive_number
      from deliveries
      where ${ofPair} and ${inReach('deliveries')}
      order by deliveries.receive_number desc`,
  newest: (limit, floor) => `
      select groups.source_id, array[groups.sandbox] as kinds, own.receive_number, (${passesOwn('own')}
        ) as passes
      from (
        select deliveries.receive_number, deliveries.connection_id, deliveries.received_at, deliveries.idempotency_key
        from deliveries
        where ${ofPair} and ${inReach('deliveries')} and deliveries.receive_number >= ${floor}
        order by deliveries.receive_number desc
        limit ${limit}
      ) as own`,
  left: [],
}

const ofProjections = `
  select sources.source_id, sources.projection_id
  from sources
  where ${ofSources}`

const ofProjection = `parse_results.company_id = $companyId::uuid and parse_results.source_id = groups.source_id
          and parse_results.projection_id = groups.projection_id and ${inReach('parse_results')}`

/** Where an index does not tell test from production: by it another kind is found to be none without a look at it. */
const askedKinds = `case when $sandbox::bool is null then '{f,t}'::bool[] else array[$sandbox::bool] end`

/** Nearly all are parsed; where they are not, no more of them is looked at either. */
const byParsed: Candidates = {
  groups: ofProjections,
  numbers: `
      select parse_results.receive_number
      from parse_results
      where ${ofProjection}
      order by parse_results.receive_number desc`,
  newest: (limit, floor) => `
      select groups.source_id, ${askedKinds} as kinds, own.receive_number, own.state = 'parsed' as passes
      from (
        select parse_results.receive_number, parse_results.state
        from parse_results
        where ${ofProjection} and parse_results.receive_number >= ${floor}
        order by parse_results.receive_number desc
        limit ${limit}
      ) as own`,
  left: ['delivery'],
}

/** By an index that has only those. */
const byParseResult = (condition: string): Candidates => ({
  groups: ofProjections,
  isExact: true,
  newest: (limit) => `
      select groups.source_id, ${askedKinds} as kinds, parse_results.receive_number, true as passes
      from parse_results
      where ${ofProjection} and ${condition}
      order by parse_results.receive_number desc
      limit ${limit}`,
  left: ['delivery'],
})

/** Lanes of what was received and not rebuilt. */
const newLanes = `'{${lanes.small},${lanes.large},${lanes.retry}}'`

/*
 * What was just received waits for every projection (0); a large delivery may be left to the current one alone, by its
 * number. What is rebuilt waits for others.
 */
const byBacklog: Candidates = {
  isExact: true,
  groups: `
  select lanes.lane, null::uuid as source_id, 0 as projection_id from unnest(${newLanes}::int2[]) as lanes (lane)
  union all
  select null, sources.source_id, sources.projection_id from sources
  where ${ofSources}`,
  newest: (limit) => `
      select waiting.source_id, ${askedKinds} as kinds, waiting.receive_number,
        $sourceId::uuid is null or waiting.source_id = $sourceId::uuid as passes
      from (
        (
          select backlog.source_id, backlog.receive_number
          from backlog
          where groups.lane is not null and backlog.lane = groups.lane and backlog.company_id = $companyId::uuid
            and backlog.projection_id = 0 and ${inReach('backlog')}
          order by backlog.lane desc, backlog.company_id desc, backlog.receive_number desc
          limit ${limit}
        )
        union all
        (
          select backlog.source_id, backlog.receive_number
          from backlog
          where groups.lane is null and backlog.company_id = $companyId::uuid
            and backlog.source_id = groups.source_id and backlog.projection_id = groups.projection_id
            and backlog.projection_id <> 0 and ${inReach('backlog')}
          order by backlog.receive_number desc
          limit ${limit}
        )
      ) as waiting
      limit ${limit}`,
  left: ['delivery'],
}

/** Keys in `collate "C"` begin with a text from it up to it with the last of all characters behind it. */
const beginsWithPrefix = `deliveries.idempotency_key >= $prefix::text
            and deliveries.idempotency_key <= $prefix::text || repeat(chr(1114111), 8)`

/** What has a key that begins so, however old, and what has the id. */
const byKey: Candidates = {
  groups: `${pairs}
  union all
  select null, null`,
  newest: () => `
      select matching.source_id, matching.kinds, matching.receive_number, true as passes
      from (
        (
          select deliveries.source_id, array[deliveries.sandbox] as kinds, deliveries.receive_number
          from deliveries
          where ${ofPair} and ${beginsWithPrefix}
        )
        union all
        (
          select deliveries.source_id, array[deliveries.sandbox], deliveries.receive_number
          from deliveries
          where groups.source_id is null and deliveries.company_id = $companyId::uuid
            and deliveries.artifact_id = $artifactId::uuid
            and not starts_with(deliveries.idempotency_key, $prefix::text)
        )
      ) as matching
      where ${inReach('matching')}`,
  isWhole: true,
  left: ['delivery', 'parse result'],
}

const deliveryOf = (columns: string, candidates: string): string => `
      select ${columns}
      from deliveries
      where deliveries.company_id = $companyId::uuid and deliveries.source_id = ${candidates}.source_id
        and deliveries.sandbox = any (${candidates}.kinds)
        and deliveries.receive_number = ${candidates}.receive_number`

const passesFilter = (candidates: Candidates): string => `
      ($sourceId::uuid is null or deliveries.source_id = $sourceId::uuid)
      and ($sandbox::bool is null or deliveries.sandbox = $sandbox::bool)
      and ${passesOwn(
        'deliveries',
        candidates === byKey ? ' or deliveries.artifact_id = $artifactId::uuid' : '',
      )}`

const passesState = `
      case $state::text
        when 'queued' then result.state is null
        when 'refused' then result.rows_refused > 0
        else $state::text is null or result.state = $state::text
      end`

/** A row without a delivery says that none passes. */
export type SearchedDeliveryRow = {
  /**
   * Down to it, itself included, every group was looked at; 0 where all were looked at to their ends. Of a group that was cut
   * nothing is known below its last.
   */
  floor: string
} & (LoggedDeliveryRow | { artifact_id: null })

/** Above which every group is looked at, by its index alone. */
const endsOf = (numbers: string): string => `, ends as materialized (
    select coalesce(max(last.receive_number), 0) as floor
    from groups
    cross join lateral (${numbers}
      offset (select share.rows - 1 from share)
      limit 1
    ) as last
  )`

/**
 * The groups' newest deliveries, merged, and of them those that pass the filter, `$limit` at most. Of each group its share of
 * `$examinedMax` is looked at, and no fewer than `$limit`.
 */
function defineList(name: string, candidates: Candidates) {
  const { groups, numbers, newest, isWhole = false } = candidates
  const floor = numbers === undefined ? '0' : '(select ends.floor from ends)'
  return defineStatement<SearchedDeliveryRow, SearchParams & { examinedMax: number; limit: number }>(
    `delivery-log.list-${name}`,
    `
  with groups as materialized (${groups}
  ), share as materialized (
    select ${
      isWhole ? 'max(null::int4)' : 'greatest($limit::int4, $examinedMax::int4 / greatest(1, count(*)::int4))'
    } as rows
    from groups
  )${numbers === undefined ? '' : endsOf(numbers)}, looked_at as materialized (
    select part.source_id, part.kinds, part.receive_number, part.passes, part.place
    from groups
    cross join lateral (
      select found.source_id, found.kinds, found.receive_number, found.passes,
        row_number() over (order by found.receive_number desc) as place
      from (${newest('(select share.rows from share)', floor)}
      ) as found
    ) as part
  ), reach as materialized (
    select coalesce(max(looked_at.receive_number) filter (where looked_at.place = share.rows), 0) as floor
    from share
    left join looked_at on true
  )
  select reach.floor, passing.receive_number, passing.artifact_id, passing.source_id, passing.sandbox,
    passing.idempotency_key, passing.received_at, passing.connection_id, passing.connection_name, passing.shape_version,
    passing.delivers, passing.format, passing.content_bytes, passing.state, passing.reason, passing.rows_accepted,
    passing.rows_refused, passing.rows_date_alone, passing.remarks
  from reach
  left join (
    select ${deliveryColumns}
    from (
      select distinct on (looked_at.receive_number) looked_at.source_id, looked_at.kinds, looked_at.receive_number
      from looked_at
      where looked_at.passes and looked_at.receive_number >= (select reach.floor from reach)
      order by looked_at.receive_number desc
    ) as candidates
    cross join lateral (${deliveryOf(`${ownColumns}, deliveries.company_id`, 'candidates')}
      limit 1
    ) as deliveries
    ${withParseResult}
    ${withConnection}
    where ${passesFilter(candidates)} and ${passesState}
    order by candidates.receive_number desc
    limit $limit::int4
  ) as passing on true
  order by passing.receive_number desc
  limit $limit::int4`,
  )
}

const countedDelivery = (candidates: Candidates): string => `
  left join lateral (${deliveryOf('true as passes', 'looked_at')}
        and ${passesFilter(candidates)} and $isPlain::bool is false
      limit 1
  ) as delivery on true`

const countedResult = `
  left join lateral (
    select ${passesState} as passes
    from sources
    left join parse_results as result on result.company_id = sources.company_id
      and result.source_id = sources.source_id and result.projection_id = sources.projection_id
      and result.receive_number = looked_at.receive_number
    where sources.company_id = $companyId::uuid and sources.source_id = looked_at.source_id
      and $state::text is not null
    limit 1
  ) as result on true`

/**
 * How many of the first `$examinedMax` that are looked at pass the filter, in no order. `$isPlain`: beside the source and the
 * state nothing is asked.
 */
function defineCount(name: string, candidates: Candidates) {
  const { groups, newest, left } = candidates
  const looksAtDelivery = left.includes('delivery')
  const looksAtResult = left.includes('parse result')
  return defineStatement<
    { examined: number; deliveries: number },
    SearchParams & { examinedMax: number; isPlain: boolean }
  >(
    `delivery-log.count-${name}`,
    `
  with groups as materialized (${groups}
  )
  select count(*)::int4 as examined,
    count(*) filter (where looked_at.passes${
      looksAtDelivery ? ' and ($isPlain::bool or delivery.passes)' : ''
    }${looksAtResult ? ' and ($state::text is null or result.passes)' : ''})::int4 as deliveries
  from (
    select part.source_id, part.kinds, part.receive_number, part.passes
    from groups
    cross join lateral (${newest('$examinedMax::int4', '0')}
    ) as part
    limit $examinedMax::int4
  ) as looked_at${looksAtDelivery ? countedDelivery(candidates) : ''}${looksAtResult ? countedResult : ''}`,
  )
}

const defineSearch = (name: string, candidates: Candidates) => ({
  /** Each delivery that is looked at is looked up by itself, where more than the source and the state is asked. */
  looksUp: candidates.left.length > 0,
  isExact: candidates.isExact === true,
  list: defineList(name, candidates),
  count: defineCount(name, candidates),
})

/** Searches for deliveries, each by an index that has them in the order of receipt, and in bounded steps. */
export const searches = {
  byReceipt: defineSearch('by-receipt', byReceipt),
  byReceiptFiltered: defineSearch('by-receipt-filtered', byReceiptFiltered),
  parsed: defineSearch('parsed', byParsed),
  unreadable: defineSearch('unreadable', byParseResult(`parse_results.state = 'unreadable'`)),
  refused: defineSearch('refused', byParseResult('parse_results.rows_refused > 0')),
  queued: defineSearch('queued', byBacklog),
  /** All that match are looked at: only where `countKeyMatches` says that they are few. */
  byKey: defineSearch('by-key', byKey),
}

export type DeliverySearch = (typeof searches)['byReceipt']

/** How many deliveries of a company have a key that begins with a text, at most `$countMax` counted. */
export const countKeyMatches = defineStatement<
  { deliveries: number },
  Pick<SearchParams, 'companyId' | 'sourceId' | 'sandbox' | 'channel' | 'prefix'> & { countMax: number }
>(
  'delivery-log.count-key-matches',
  `
  select count(*)::int4 as deliveries
  from (
    select 1
    from (${pairs}) as groups
    cross join lateral (
      select 1 from deliveries where ${ofPair} and ${beginsWithPrefix} limit $countMax::int4
    ) as matching
    limit $countMax::int4
  ) as counted`,
)

/**
 * Between which receive numbers lies what was received between two instants: ids of version 7 grow with time, and receive
 * numbers are given soon after. `$fromId` and `$toId` are the lowest ids of instants a little further out. Null where nothing
 * lies beyond.
 */
export const readReceiptBounds = defineStatement<
  { above: string | null; before: string | null },
  { companyId: string; fromId: string | null; toId: string | null }
>(
  'delivery-log.read-receipt-bounds',
  `
  select
    (
      select deliveries.receive_number from deliveries
      where deliveries.company_id = $companyId::uuid and deliveries.artifact_id < $fromId::uuid
      order by deliveries.company_id desc, deliveries.artifact_id desc
      limit 1
    ) as above,
    (
      select deliveries.receive_number from deliveries
      where deliveries.company_id = $companyId::uuid and deliveries.artifact_id >= $toId::uuid
      order by deliveries.company_id, deliveries.artifact_id
      limit 1
    ) as before`,
)

/** When the newest delivery of a company at or below a receive number was received; its source makes it quick. */
export const readReceivedAt = defineStatement<
  { received_at: Date },
  { companyId: string; receiveNumber: string }
>(
  'delivery-log.read-received-at',
  `
  select deliveries.received_at
  from sources
  cross join lateral (
    select deliveries.received_at
    from deliveries
    where deliveries.company_id = $companyId::uuid and deliveries.source_id = sources.source_id
      and deliveries.sandbox = any ('{f,t}'::bool[]) and deliveries.receive_number = $receiveNumber::int8
    limit 1
  ) as deliveries
  where sources.company_id = $companyId::uuid
  limit 1`,
)

/** Newest deliveries waiting in a lane whose parsing makes another version; that of older ones does not. */
export const watchedBacklogMax = 200

/**
 * What the lists of a company's deliveries are made from, as one text: it is another one as soon as a delivery came, one of the
 * newest that wait was parsed, another projection is read, or a call was refused, which the page shows beside them.
 */
export const readLogVersion = defineStatement<{ version: string }, { companyId: string }>(
  'delivery-log.read-version',
  `
  select md5(concat_ws(' ',
    (
      select string_agg(
        concat_ws('.', sources.projection_id, (
          select deliveries.receive_number from deliveries
          where deliveries.company_id = $companyId::uuid and deliveries.source_id = sources.source_id
            and deliveries.sandbox = false
          order by deliveries.receive_number desc
          limit 1
        ), '-', (
          select deliveries.receive_number from deliveries
          where deliveries.company_id = $companyId::uuid and deliveries.source_id = sources.source_id
            and deliveries.sandbox = true
          order by deliveries.receive_number desc
          limit 1
        ), '-', (
          select count(*)
          from (
            select from backlog
            where backlog.company_id = $companyId::uuid and backlog.source_id = sources.source_id
              and backlog.projection_id = sources.projection_id and backlog.projection_id <> 0
            limit ${watchedBacklogMax}
          ) as left_over
        )), ' ' order by sources.source_id
      )
      from sources
      where sources.company_id = $companyId::uuid
    ),
    '/',
    (
      select refused_calls.call_id
      from refused_calls
      where refused_calls.company_id = $companyId::uuid
      order by refused_calls.call_id desc
      limit 1
    ),
    '/',
    (
      select string_agg(waiting.receive_number::text, ' ' order by waiting.receive_number)
      from unnest(${newLanes}::int2[]) as lanes (lane)
      cross join lateral (
        select backlog.receive_number
        from backlog
        where backlog.lane = lanes.lane and backlog.company_id = $companyId::uuid
        order by backlog.lane desc, backlog.company_id desc, backlog.receive_number desc
        limit ${watchedBacklogMax}
      ) as waiting
    )
  )) as version`,
)

/**
 * Of pages, each with its session and its company, the places of those whose session goes on, and whose member is a developer
 * there. From 1. Lateral with a limit: one look into each index for a page, whatever plan the server would choose otherwise.
 */
export const selectMayLook = defineStatement<
  { place: number },
  { sessionHashes: Buffer; companyIds: Buffer; at: Date; activeAfter: Date }
>(
  'delivery-log.select-may-look',
  `
  select asked.place::int4 as place
  from unnest($sessionHashes::bytea[], $companyIds::uuid[]) with ordinality as asked (session_hash, company_id, place)
  cross join lateral (
    select sessions.member_id
    from sessions
    where sessions.session_hash = asked.session_hash and sessions.expires_at > $at::timestamptz
      and sessions.last_active_at > $activeAfter::timestamptz
    limit 1
  ) as session
  cross join lateral (
    select memberships.role
    from memberships
    where memberships.company_id = asked.company_id and memberships.member_id = session.member_id
    limit 1
  ) as membership
  where membership.role in ('owner', 'developer')`,
)

/** The last delivery of every source of a company, by source, after the source `$after`; sources without one are left out. */
export const selectLastDeliveries = defineStatement<
  LoggedDeliveryRow & WithinBytes,
  { companyId: string; sandbox: boolean; after: string | null; limit: number }
>(
  'delivery-log.select-last',
  withinBytes(`
  select ${deliveryColumns}
  from sources as of_company
  cross join lateral (
    select ${ownColumns}, deliveries.company_id
    from deliveries
    where deliveries.company_id = of_company.company_id and deliveries.source_id = of_company.source_id
      and deliveries.sandbox = $sandbox::bool
    order by deliveries.receive_number desc
    limit 1
  ) as deliveries
  ${withParseResult}
  ${withConnection}
  where of_company.company_id = $companyId::uuid and ($after::uuid is null or of_company.source_id > $after::uuid)
  order by of_company.source_id
  limit $limit::int4`),
)

export interface LoggedDeliveryInFullRow extends LoggedDeliveryRow {
  received_sha256: Buffer
  dropped_keys: string[]
  parsed_at: Date | null
  refusals: object[] | null
  older_artifact_id: string | null
  newer_artifact_id: string | null
}

const beside = (comparison: string, order: string): string => `(
      select beside.artifact_id
      from deliveries as beside
      where beside.company_id = deliveries.company_id and beside.source_id = deliveries.source_id
        and beside.sandbox = deliveries.sandbox and beside.receive_number ${comparison} deliveries.receive_number
      order by beside.receive_number ${order}
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
    ${beside('<', 'desc')} as older_artifact_id,
    ${beside('>', 'asc')} as newer_artifact_id
  from deliveries
  ${withParseResult}
  ${withConnection}
  where deliveries.company_id = $companyId::uuid and deliveries.artifact_id = $artifactId::uuid`,
)

export interface StoredDeliveryRow {
  receive_number: string
  source_id: string
  sandbox: boolean
  format: DeliveryFormat
  shape_version: number
  projection_id: number
  content_encoding: 'identity' | 'zstd'
  content_bytes: number
  stored_bytes: number
  state: 'parsed' | 'unreadable' | null
  rows_refused: number | null
  refusals: object[] | null
  /** Of the version that it is parsed under. */
  fields: Field[]
  event_time: string
  /** Of the current version. */
  current_fields: Field[]
  /** Of the version of the projection that is read. */
  projection_event_time: string
  metrics: Metric[]
  delivers: Delivers
  time_zone: string
  distinct_salt: Buffer
}

/** What is needed to read a delivery's content: without the content. */
export const selectStoredDelivery = defineStatement<
  StoredDeliveryRow,
  { companyId: string; artifactId: string }
>(
  'delivery-log.select-stored',
  `
  select deliveries.receive_number, deliveries.source_id, deliveries.sandbox, deliveries.format,
    deliveries.shape_version, sources.projection_id, deliveries.content_encoding, deliveries.content_bytes,
    octet_length(deliveries.content) as stored_bytes, result.state, result.rows_refused, result.refusals,
    own.fields, own.event_time, current_shape.fields as current_fields, projected.event_time as projection_event_time,
    projected.metrics, projected.delivers, companies.time_zone, sources.distinct_salt
  from deliveries
  ${withParseResult}
  join companies on companies.company_id = deliveries.company_id
  join shapes own on own.company_id = deliveries.company_id and own.source_id = deliveries.source_id
    and own.shape_version = deliveries.shape_version
  join shapes current_shape on current_shape.company_id = sources.company_id
    and current_shape.source_id = sources.source_id and current_shape.shape_version = sources.shape_version
  join projections on projections.company_id = sources.company_id and projections.source_id = sources.source_id
    and projections.projection_id = sources.projection_id
  join shapes projected on projected.company_id = projections.company_id and projected.source_id = projections.source_id
    and projected.shape_version = projections.shape_version
  where deliveries.company_id = $companyId::uuid and deliveries.artifact_id = $artifactId::uuid`,
)

export interface CellChangeRow {
  /** From 1, in the order that was asked. */
  place: string
  before: string | null
  gave: string
  rows: number
  added: number | null
  after: string
  superseded: boolean
}

/** What the delivery itself says about a cell. Lateral with a limit: one look into the index, whatever the plan. */
const ownContribution = `
    select contributions.value, contributions.rows
    from contributions
    where contributions.company_id = $companyId::uuid and contributions.cell_id = asked.cell_id
      and contributions.receive_number = $receiveNumber::int8
    limit 1`

/** The delivery that owned a period before. */
const ownerBefore = `
      select period_deliveries.receive_number
      from period_deliveries
      where period_deliveries.company_id = $companyId::uuid and period_deliveries.source_id = $sourceId::uuid
        and period_deliveries.projection_id = $projectionId::int4 and period_deliveries.sandbox = $sandbox::bool
        and period_deliveries.metric = asked.metric and period_deliveries.period_start = asked.period_start
        and period_deliveries.receive_number < $receiveNumber::int8
      order by period_deliveries.receive_number desc
      limit 1`

const earlier = `contributions.company_id = $companyId::uuid and contributions.cell_id = asked.cell_id
            and contributions.receive_number < $receiveNumber::int8`

/**
 * What a delivery changed of some cells of an events source, each with how its metric counts. Sums, numbers and extremes come
 * from the cell's contributions in the order of receipt, so they read as an `as_of` between two deliveries does.
 */
export const selectEventChanges = defineStatement<
  CellChangeRow,
  { companyId: string; receiveNumber: string; cellIds: Buffer; aggregations: Aggregation[] }
>(
  'delivery-log.select-event-changes',
  `
  select asked.place, trim_scale(change.before)::text as before, trim_scale(own.value)::text as gave, own.rows,
    change.added, false as superseded,
    trim_scale(case asked.aggregation
      when 'min' then least(change.before, own.value)
      when 'max' then greatest(change.before, own.value)
      when 'last' then change.last
      when 'count_distinct' then coalesce(change.before, 0) + change.added
      else coalesce(change.before, 0) + own.value
    end)::text as after
  from unnest($cellIds::uuid[], $aggregations::text[]) with ordinality as asked (cell_id, aggregation, place)
  cross join lateral (${ownContribution}
  ) as own
  cross join lateral (
    select
      case asked.aggregation
        when 'min' then (select min(contributions.value) from contributions where ${earlier})
        when 'max' then (select max(contributions.value) from contributions where ${earlier})
        when 'last' then (
          select contributions.value from contributions
          where ${earlier}
          order by contributions.event_at desc, contributions.receive_number desc
          limit 1
        )
        when 'count_distinct' then (
          select nullif(count(*), 0) from distinct_values
          where distinct_values.company_id = $companyId::uuid and distinct_values.cell_id = asked.cell_id
            and distinct_values.first_receive_number < $receiveNumber::int8
        )
        else (select sum(contributions.value) from contributions where ${earlier})
      end as before,
      case when asked.aggregation = 'last' then (
        select contributions.value from contributions
        where contributions.company_id = $companyId::uuid and contributions.cell_id = asked.cell_id
          and contributions.receive_number <= $receiveNumber::int8
        order by contributions.event_at desc, contributions.receive_number desc
        limit 1
      ) end as last,
      case when asked.aggregation = 'count_distinct' then (
        select count(*)::int4 from distinct_values
        where distinct_values.company_id = $companyId::uuid and distinct_values.cell_id = asked.cell_id
          and distinct_values.first_receive_number = $receiveNumber::int8
      ) end as added
  ) as change
  order by asked.place`,
)

type StatementParams = {
  companyId: string
  sourceId: string
  projectionId: number
  sandbox: boolean
  receiveNumber: string
  metrics: string[]
  periodStarts: string[]
}

/** The same of a statements source: what the delivery said that owned the period before. */
export const selectStatementChanges = defineStatement<CellChangeRow, StatementParams & { cellIds: Buffer }>(
  'delivery-log.select-statement-changes',
  `
  select asked.place, trim_scale(stated.value)::text as before, trim_scale(own.value)::text as gave, own.rows,
    null::int4 as added, trim_scale(own.value)::text as after,
    exists (
      select from period_deliveries as later
      where later.company_id = $companyId::uuid and later.source_id = $sourceId::uuid
        and later.projection_id = $projectionId::int4 and later.sandbox = $sandbox::bool
        and later.metric = asked.metric and later.period_start = asked.period_start
        and later.receive_number > $receiveNumber::int8
    ) as superseded
  from unnest($cellIds::uuid[], $metrics::text[], $periodStarts::date[]) with ordinality
    as asked (cell_id, metric, period_start, place)
  cross join lateral (${ownContribution}
  ) as own
  left join lateral (
    select contributions.value
    from (${ownerBefore}
    ) as owner
    join contributions on contributions.company_id = $companyId::uuid and contributions.cell_id = asked.cell_id
      and contributions.receive_number = owner.receive_number
    limit 1
  ) as stated on true
  order by asked.place`,
)

/** Cells of a statement's periods that are searched for those that it took away; further ones are not. */
export const removedExaminedMax = 20_000

export interface RemovedCellRow {
  /** How many there are. */
  removed: number
  /** Null, like all that follows, in the one row of a page without any. */
  metric: string | null
  period_start: string
  labels: string
  before: string
}

/**
 * The cells that a statement took away: the delivery that owned their period before said something of them, and this one
 * does not. Newest period first, then by metric and labels, a page of them behind `$offset`.
 */
export const selectRemovedCells = defineStatement<
  RemovedCellRow,
  StatementParams & { offset: number; limit: number }
>(
  'delivery-log.select-removed-cells',
  `
  with removed as materialized (
    select cells.metric, cells.period_start, cells.labels, stated.value
    from (
      select asked.metric, asked.period_start, owner.receive_number, of_period.cell_id, of_period.labels
      from unnest($metrics::text[], $periodStarts::date[]) as asked (metric, period_start)
      cross join lateral (${ownerBefore}
      ) as owner
      cross join lateral (
        select samples.cell_id, samples.labels
        from samples
        where samples.company_id = $companyId::uuid and samples.source_id = $sourceId::uuid
          and samples.projection_id = $projectionId::int4 and samples.sandbox = $sandbox::bool
          and samples.period_start = asked.period_start and samples.metric = asked.metric
        limit ${removedExaminedMax}
      ) as of_period
      limit ${removedExaminedMax}
    ) as cells
    cross join lateral (
      select contributions.value
      from contributions
      where contributions.company_id = $companyId::uuid and contributions.cell_id = cells.cell_id
        and contributions.receive_number = cells.receive_number
      limit 1
    ) as stated
    left join lateral (
      select true as is_stated
      from contributions
      where contributions.company_id = $companyId::uuid and contributions.cell_id = cells.cell_id
        and contributions.receive_number = $receiveNumber::int8
      limit 1
    ) as own on true
    where own.is_stated is null
  )
  select counted.removed, page.metric, page.period_start::text as period_start, page.labels,
    trim_scale(page.value)::text as before
  from (select count(*)::int4 as removed from removed) as counted
  left join (
    select removed.metric, removed.period_start, removed.labels, removed.value
    from removed
    order by removed.period_start desc, removed.metric, removed.labels
    offset $offset::int4
    limit $limit::int4
  ) as page on true
  order by page.period_start desc, page.metric, page.labels
  limit $limit::int4 + 1`,
)
