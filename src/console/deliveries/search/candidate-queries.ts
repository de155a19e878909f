import { newQueues } from '../queries.ts'

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
export interface Candidates {
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

/** Without a look at the deliveries: the index alone tells. */
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

/** Where an index does not tell test from production: by it another kind is found to be none without a look at it. */
const askedKinds = `case when $sandbox::bool is null then '{f,t}'::bool[] else array[$sandbox::bool] end`

/** Nearly all are parsed; where they are not, no more of them is looked at either. */
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

/** By an index that has only those. */
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

/*
 * What was just received waits for every projection (0); a large delivery may be left to the current one alone, by its
 * number. What is rebuilt waits for others.
 */
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

/** Keys in `collate "C"` begin with a text from it up to it with the last of all characters behind it. */
export const beginsWithPrefix = `deliveries.idempotency_key >= $prefix::text
            and deliveries.idempotency_key <= $prefix::text || repeat(chr(1114111), 8)`

/** What has a key that begins so, however old, and what has the id. */
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

export const deliveryOf = (columns: string, candidates: string): string => `
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
