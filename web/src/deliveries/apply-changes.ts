import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import {
  type Delivery,
  type DeliveryList,
  deliveryListQuery,
  liveKey,
  nextPageSize,
} from './delivery-queries.ts'

type Filter = Parameters<typeof deliveryListQuery>[1]
type Pages = InfiniteData<DeliveryList, string>

/**
 * Puts changed deliveries, the latest first, into the lists that are shown.
 *
 * @returns false where that is not possible: then the lists are to be read
 */
export function applyChanges(
  client: QueryClient,
  companyId: string,
  deliveries: readonly Delivery[],
): boolean {
  if (deliveries.length === 0) return true
  const keys = [liveKey(companyId, 'deliveries'), liveKey(companyId, 'last-deliveries')] as const
  // A list that is being read may come without them.
  if (keys.some((queryKey) => client.isFetching({ queryKey }) > 0)) return false
  const [lists, lasts] = keys.map((queryKey) =>
    client
      .getQueryCache()
      .findAll({ queryKey, type: 'active', predicate: ({ state }) => state.data !== undefined }),
  )
  const merged = [
    ...lists!.map(({ queryKey, state }) => ({
      queryKey,
      data: mergeList(state.data as Pages, queryKey.at(-1) as Filter, deliveries),
    })),
    ...lasts!.map(({ queryKey, state }) => ({
      queryKey,
      data: mergeLast(
        state.data as Delivery[],
        deliveries.filter(({ sandbox }) => sandbox === (queryKey.at(-1) === 'test')),
      ),
    })),
  ]
  if (merged.some(({ data }) => data === undefined)) return false
  for (const { queryKey, data } of merged) client.setQueryData(queryKey, data)
  for (const queryKey of keys) void client.invalidateQueries({ queryKey, type: 'inactive' })
  return true
}

/** A list with the deliveries that pass its filter; undefined where the service has to say which do. */
export function mergeList(
  data: Pages,
  filter: Filter = {},
  deliveries: readonly Delivery[],
): Pages | undefined {
  const passing = deliveries.filter(
    ({ source_id, channel, sandbox }) =>
      (filter.source ?? source_id) === source_id &&
      (filter.channel ?? channel) === channel &&
      (filter.sandbox ?? String(sandbox)) === String(sandbox),
  )
  if (passing.length === 0) return data
  if ([filter.state, filter.to, filter.search].some((part) => part !== undefined)) return undefined
  const listed = data.pages.flatMap((page) => page.deliveries)
  const known = new Set(listed.map(({ artifact_id }) => artifact_id))
  const added = passing.filter(({ artifact_id }) => !known.has(artifact_id))
  const newest = listed[0]?.received_at ?? ''
  const isOld = added.some(({ received_at }) => received_at < newest)
  const [first] = data.pages
  if (isOld || first!.deliveries.length + added.length > nextPageSize) return undefined
  const changed = new Map(passing.map((delivery) => [delivery.artifact_id, delivery]))
  const pages = data.pages.map((page, place) => ({
    ...page,
    deliveries: [
      ...(place === 0 ? added : []),
      ...page.deliveries.map((delivery) => changed.get(delivery.artifact_id) ?? delivery),
    ],
    count:
      page.count === null || page.count.more
        ? page.count
        : { ...page.count, deliveries: page.count.deliveries + added.length },
  }))
  return { ...data, pages }
}

/** The last delivery of each source with the changed ones; undefined where it is unclear which is the later one. */
export function mergeLast(
  last: readonly Delivery[],
  deliveries: readonly Delivery[],
): Delivery[] | undefined {
  const bySource = new Map(last.map((delivery) => [delivery.source_id, delivery]))
  const latest = new Map(deliveries.toReversed().map((delivery) => [delivery.source_id, delivery]))
  for (const [sourceId, delivery] of latest) {
    const known = bySource.get(sourceId)
    const isSame = known?.artifact_id === delivery.artifact_id
    if (!isSame && known?.received_at === delivery.received_at) return undefined
    if (isSame || known === undefined || known.received_at < delivery.received_at)
      bySource.set(sourceId, delivery)
  }
  return [...bySource.values()]
}
