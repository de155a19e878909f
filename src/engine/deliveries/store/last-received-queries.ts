import { defineStatement } from '../../../platform/database/define-statement.ts'

/** A search in an index for each source, however many deliveries there are. */
export const selectLastReceived = defineStatement<{ received_at: Date | null }, Record<string, never>>(
  'deliveries.select-last-received',
  `
  select max(latest.received_at) as received_at
  from sources
  cross join unnest('{f,t}'::boolean[]) as kinds (sandbox)
  cross join lateral (
    select deliveries.received_at
    from deliveries
    where deliveries.company_id = sources.company_id and deliveries.source_id = sources.source_id
      and deliveries.sandbox = kinds.sandbox
    order by deliveries.receive_number desc
    limit 1
  ) latest`,
)
