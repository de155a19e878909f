import { defineStatement } from '../../platform/database/define-statement.ts'
import { isAcceptedElsewhere } from '../../people/companies/moves/elsewhere.ts'
import { highestUuid } from '../../formats/values/uuidv7.ts'
import type { RefusedChannel } from './refused-call.ts'

/**
 * The company of each caller, a connection or a webhook source, and its shard; nulls if there is no such caller. A company
 * that moves to another shard may be held, and is in none for the moment.
 */
export const selectCallersCompanies = defineStatement<
  { company_id: string | null; shard: number; held: boolean },
  Record<'callerIds' | 'companyIds' | 'channels', Buffer>
>(
  'refused-calls.select-callers-companies',
  `
  select companies.company_id, companies.shard, company_moves.phase is not distinct from 'held' as held
  from unnest($callerIds::uuid[], $companyIds::uuid[], $channels::text[])
    with ordinality as refused (caller_id, company_id, channel, call)
  left join source_names on refused.channel = 'webhook' and source_names.source_id = refused.caller_id
  left join connections on refused.channel <> 'webhook' and connections.connection_id = refused.caller_id
  left join companies on companies.company_id
    = coalesce(refused.company_id, source_names.company_id, connections.company_id)
  left join company_moves on company_moves.company_id = companies.company_id
  order by refused.call`,
)

/**
 * All or nothing. Webhooks to sources that take none are not written, nor are calls of companies that have left the shard. Repeating it after an unconfirmed commit is a unique
 * violation.
 */
export const insertRefusedCalls = defineStatement<
  { company_id: string; caller_id: string; signed: boolean },
  Record<
    | 'callIds'
    | 'callerIds'
    | 'signed'
    | 'channels'
    | 'companyIds'
    | 'sourceIds'
    | 'methods'
    | 'paths'
    | 'statuses'
    | 'codes'
    | 'fields'
    | 'calls'
    | 'instants',
    Buffer
  > & { shard: number }
>(
  'refused-calls.insert',
  `
  insert into refused_calls (company_id, call_id, caller_id, signed, source_id, connection_id, channel, method, path, status,
    code, field, calls, called_at)
  select refused.company_id, refused.call_id, refused.caller_id, refused.signed,
    refused.source_id, case when refused.channel <> 'webhook' then refused.caller_id end, refused.channel, refused.method,
    refused.path, refused.status, refused.code, refused.field, refused.calls, refused.called_at
  from unnest($callIds::uuid[], $callerIds::uuid[], $signed::bool[], $channels::text[], $companyIds::uuid[],
      $sourceIds::uuid[], $methods::text[], $paths::text[], $statuses::int4[], $codes::text[], $fields::text[],
      $calls::int4[], $instants::timestamptz[])
    as refused (call_id, caller_id, signed, channel, company_id, source_id, method, path, status, code, field, calls,
      called_at)
  where not ${isAcceptedElsewhere('refused.company_id')} and (refused.channel <> 'webhook' or exists (
    select from sources
    where sources.company_id = refused.company_id and sources.source_id = refused.caller_id
      and sources.channel = 'webhook'
  ))
  returning company_id, caller_id, signed`,
)

/** Deletes what callers, sorted, have beyond their newest calls. */
export const deleteBeyond = defineStatement<
  never,
  { companyIds: Buffer; callerIds: Buffer; signed: Buffer; signedMax: number; unsignedMax: number }
>(
  'refused-calls.delete-beyond',
  `
  delete from refused_calls
  using (
    select caller.company_id, caller.caller_id, caller.signed, last.call_id
    from unnest($companyIds::uuid[], $callerIds::uuid[], $signed::bool[]) as caller (company_id, caller_id, signed)
    cross join lateral (
      select refused_calls.call_id
      from refused_calls
      where refused_calls.company_id = caller.company_id and refused_calls.caller_id = caller.caller_id
        and refused_calls.signed = caller.signed
      order by refused_calls.company_id desc, refused_calls.caller_id desc, refused_calls.signed desc,
        refused_calls.call_id desc
      offset case when caller.signed then $signedMax::int4 else $unsignedMax::int4 end
      limit 1
    ) as last
  ) as beyond
  where refused_calls.company_id = beyond.company_id and refused_calls.caller_id = beyond.caller_id
    and refused_calls.signed = beyond.signed and refused_calls.call_id <= beyond.call_id`,
)

export interface RefusedCallRow {
  call_id: string
  channel: RefusedChannel
  signed: boolean
  source_id: string | null
  connection_id: string | null
  /** Null if it belongs to another company. */
  connection_name: string | null
  method: string
  path: string
  status: number
  code: string
  field: string | null
  calls: number
  called_at: Date
}

type RefusedCallsParams = {
  companyId: string
  sourceId: string | null
  connectionId: string | null
  channel: RefusedChannel | null
  /** Only ids above it: older calls are not shown, even before they are deleted. */
  after: string
}

const passes = `refused_calls.company_id = $companyId::uuid and refused_calls.call_id > $after::uuid
    and ($sourceId::uuid is null or refused_calls.source_id = $sourceId::uuid)
    and ($connectionId::uuid is null or refused_calls.connection_id = $connectionId::uuid)
    and ($channel::text is null or refused_calls.channel = $channel::text)`

/** Newest first: version 7 ids grow with time. */
export const selectRefusedCalls = defineStatement<
  RefusedCallRow,
  RefusedCallsParams & { before: string | null; limit: number }
>(
  'refused-calls.select',
  `
  select refused_calls.call_id, refused_calls.channel, refused_calls.signed, refused_calls.source_id,
    refused_calls.connection_id, connections.name as connection_name, refused_calls.method, refused_calls.path,
    refused_calls.status, refused_calls.code, refused_calls.field, refused_calls.calls, refused_calls.called_at
  from refused_calls
  left join connections on connections.company_id = refused_calls.company_id
    and connections.connection_id = refused_calls.connection_id
  where ${passes}
    and refused_calls.call_id < coalesce($before::uuid, '${highestUuid}'::uuid)
  order by refused_calls.call_id desc
  limit $limit::int4`,
)

export const countRefusedCalls = defineStatement<
  { calls: number },
  RefusedCallsParams & { countMax: number }
>(
  'refused-calls.count',
  `
  select count(*)::int4 as calls
  from (select 1 from refused_calls where ${passes} limit $countMax::int4) as counted`,
)
