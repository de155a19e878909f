import { defineStatement } from '../../../platform/database/define-statement.ts'
import { withinBytes, type WithinBytes } from '../../../platform/database/within-bytes.ts'
import {
  deliveryColumns,
  ownColumns,
  withConnection,
  withParseResult,
  type LoggedDeliveryRow,
} from '../queries.ts'
import {
  beginsWithPrefix,
  byBacklog,
  byKey,
  byParsed,
  byParseResult,
  byReceipt,
  byReceiptFiltered,
  deliverySql,
  ofPair,
  pairs,
  passesFilter,
  passesState,
  type Candidates,
  type SearchParams,
} from './candidate-queries.ts'

/** A row without a delivery means that none passes. */
export type SearchedDeliveryRow = {
  /**
   * Every group was examined down to this receive number, inclusive; 0 if all were examined to their ends. Below the last
   * one of a cut group nothing is known.
   */
  floor: string
} & (LoggedDeliveryRow | { artifact_id: null })

/** Above this number every group is examined, using only its index. */
const endsSql = (numbers: string): string => `, ends as materialized (
    select coalesce(max(last.receive_number), 0) as floor
    from groups
    cross join lateral (${numbers}
      offset (select share.rows - 1 from share)
      limit 1
    ) as last
  )`

/**
 * The groups' newest deliveries, merged, and of them at most `$limit` that pass the filter. Each group's share of
 * `$examinedMax` is examined, and at least `$limit`.
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
  )${numbers === undefined ? '' : endsSql(numbers)}, looked_at as materialized (
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
    cross join lateral (${deliverySql(`${ownColumns}, deliveries.company_id`, 'candidates')}
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
  left join lateral (${deliverySql('true as passes', 'looked_at')}
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
 * How many of the first `$examinedMax` examined pass the filter, in no order. `$isPlain`: the filter names at most the
 * source and the state.
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
  /** Each examined delivery is looked up separately if the filter names more than the source and the state. */
  looksUp: candidates.left.length > 0,
  isExact: candidates.isExact === true,
  list: defineList(name, candidates),
  count: defineCount(name, candidates),
})

/** Searches for deliveries, each in bounded steps by an index in the order of receipt. */
export const searches = {
  byReceipt: defineSearch('by-receipt', byReceipt),
  byReceiptFiltered: defineSearch('by-receipt-filtered', byReceiptFiltered),
  parsed: defineSearch('parsed', byParsed),
  unreadable: defineSearch('unreadable', byParseResult(`parse_results.state = 'unreadable'`)),
  refused: defineSearch('refused', byParseResult('parse_results.rows_refused > 0')),
  queued: defineSearch('queued', byBacklog),
  /** Examines all matches: only for few of them (`countKeyMatches`). */
  byKey: defineSearch('by-key', byKey),
}

export type DeliverySearch = (typeof searches)['byReceipt']

/** The number of a company's deliveries whose key begins with a text, counted up to `$countMax`. */
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
 * The receive numbers between which lies what was received between two instants: ids of version 7 grow with time, and
 * receive numbers are assigned soon after. `$fromId` and `$toId` are the lowest ids of instants a little further out. Null
 * if there is nothing beyond.
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

/** When the newest delivery of a company at or below a receive number was received; the source narrows the index scan. */
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

/** The last delivery of every source of a company, by source, after the source `$after`. Leaves out sources without one. */
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
