import { newQueues } from '../queries.ts'

/** A filter, and the range of the order of receipt that a search covers. */
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
  /** The searched text, if it is an id. */
  artifactId: string | null
  /** Receive numbers strictly between these two are examined. */
  above: string
  before: string
}

/** A way to search: groups of deliveries, each in the order of receipt. */
export interface Candidates {
  /** The groups, one row each. */
  groups: string
  /**
   * The newest of one group, above a receive number: `source_id`, `kinds` (test or production, as an array),
   * `receive_number`, and whether it `passes` the conditions that are known here.
   */
  newest: (limit: string, floor: string) => string
  /**
   * If `newest` reads more than an index contains: only the receive numbers of one group, highest first. Bounds the search
   * to what lies above the last one of every group, since an old delivery of a rarely used group cannot be on the page.
   */
  numbers?: string
  /** Every group is examined to its end. */
  isWhole?: boolean
  /** The index contains only matches, if the filter names no more than the source and the state. */
  isExact?: boolean
  /** What must be read in addition to know whether a delivery passes; empty if nothing. */
  left: ('delivery' | 'parse result')[]
}

const ofSources = `sources.company_id = $companyId::uuid
    and ($sourceId::uuid is null or sources.source_id = $sourceId::uuid)`

const inReach = (table: string): string =>
  `${table}.receive_number < $before::int8 and ${table}.receive_number > $above::int8`

/** The conditions on a delivery's own columns; `byId`: a delivery with the searched id need not have the key. */
const passesOwn = (table: string, byId = ''): string => `
        ($channel::text is null or (${table}.connection_id is null) = ($channel::text = 'webhook'))
        and ($from::timestamptz is null or ${table}.received_at >= $from::timestamptz)
        and ($to::timestamptz is null or ${table}.received_at < $to::timestamptz)
        and ($prefix::text is null or starts_with(${table}.idempotency_key, $prefix::text)${byId})`

/** A source's test or production deliveries; leaves out sources without webhooks if the filter is for webhooks. */
export const pairs = `
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

export const ofPair = `deliveries.company_id = $companyId::uuid and deliveries.source_id = groups.source_id
          and deliveries.sandbox = groups.sandbox`

/** Index-only: the deliveries are not read. */
export const byReceipt: Candidates = {
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

export const byReceiptFiltered: Candidates = {
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

/** For an index that does not separate test from production: the kind is checked without reading the delivery. */
const askedKinds = `case when $sandbox::bool is null then '{f,t}'::bool[] else array[$sandbox::bool] end`

/** Nearly all are parsed; for the others no more of them is examined either. */
export const byParsed: Candidates = {
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

/** By a partial index on those. */
export const byParseResult = (condition: string): Candidates => ({
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

// A new delivery waits for every projection (0); a large one may wait for the current projection alone, by its number.
// Rebuilds wait for other projections.
export const byBacklog: Candidates = {
  isExact: true,
  groups: `
  select queues.queue, null::uuid as source_id, 0 as projection_id from unnest(${newQueues}::int2[]) as queues (queue)
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
          where groups.queue is not null and backlog.queue = groups.queue and backlog.company_id = $companyId::uuid
            and backlog.projection_id = 0 and ${inReach('backlog')}
          order by backlog.queue desc, backlog.company_id desc, backlog.receive_number desc
          limit ${limit}
        )
        union all
        (
          select backlog.source_id, backlog.receive_number
          from backlog
          where groups.queue is null and backlog.company_id = $companyId::uuid
            and backlog.source_id = groups.source_id and backlog.projection_id = groups.projection_id
            and backlog.projection_id <> 0 and ${inReach('backlog')}
          order by backlog.receive_number desc
          limit ${limit}
        )
      ) as waiting
      limit ${limit}`,
  left: ['delivery'],
}

/** In `collate "C"`, the keys with a prefix lie between the prefix and the prefix followed by the last character. */
export const beginsWithPrefix = `deliveries.idempotency_key >= $prefix::text
            and deliveries.idempotency_key <= $prefix::text || repeat(chr(1114111), 8)`

/**
 * Deliveries whose key has the prefix, of any age, and the one with the id. `offset 0` keeps the planner from searching all
 * of a source in the order of receipt: it takes any range of receive numbers for a small one.
 */
export const byKey: Candidates = {
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
          offset 0
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

export const deliverySql = (columns: string, candidates: string): string => `
      select ${columns}
      from deliveries
      where deliveries.company_id = $companyId::uuid and deliveries.source_id = ${candidates}.source_id
        and deliveries.sandbox = any (${candidates}.kinds)
        and deliveries.receive_number = ${candidates}.receive_number`

export const passesFilter = (candidates: Candidates): string => `
      ($sourceId::uuid is null or deliveries.source_id = $sourceId::uuid)
      and ($sandbox::bool is null or deliveries.sandbox = $sandbox::bool)
      and ${passesOwn(
        'deliveries',
        candidates === byKey ? ' or deliveries.artifact_id = $artifactId::uuid' : '',
      )}`

export const passesState = `
      case $state::text
        when 'queued' then result.state is null
        when 'refused' then result.rows_refused > 0
        else $state::text is null or result.state = $state::text
      end`
