/**
 * SQL: a column of the last delivery of each source of a shard, of both kinds, as `latest`. A search in an index for each,
 * however many deliveries there are.
 */
export function fromLatestDeliveries(column: 'receive_number' | 'received_at'): string {
  return `
  from sources
  cross join unnest('{f,t}'::boolean[]) as kinds (sandbox)
  cross join lateral (
    select deliveries.${column}
    from deliveries
    where deliveries.company_id = sources.company_id and deliveries.source_id = sources.source_id
      and deliveries.sandbox = kinds.sandbox
    order by deliveries.receive_number desc
    limit 1
  ) latest`
}
