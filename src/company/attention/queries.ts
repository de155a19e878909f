import { queues } from '../../engine/backlog/queues.ts'
import { completedBy } from '../../engine/samples/completed-by.ts'
import type { Delivers } from '../../engine/declarations/declaration.ts'
import { freshnessSql, type FreshnessRow } from '../../people/companies/freshness.ts'
import { defineStatement } from '../../platform/database/define-statement.ts'
import { selectsFromTable } from '../../platform/database/schemas.ts'

/** Sources of a company that are looked at. */
const sourcesCheckedMax = 1_000
/** Items of one kind that a statement returns. */
const rowsMax = 200

const freshnessOfChecked = freshnessSql({
  companyId: 'checked.company_id',
  sourceId: 'checked.source_id',
  pausedAt: 'checked.paused_at',
})

export interface SourceStateRow extends FreshnessRow {
  source_id: string
  name: string
  paused_at: Date | null
  delivers: Delivers
  projection_id: number
  samples_version: string
  /** Of the last production delivery; null where it is not parsed or has no refused rows. */
  artifact_id: string | null
  received_at: Date | null
  /** Null where it is unreadable. */
  rows_refused: number | null
}

/** A company's sources at `$at`: whether each is late, and its last delivery if rows of it were refused. A few index entries each. */
export const selectSourceStates = defineStatement<SourceStateRow, { companyId: string; at: Date }>(
  'attention.select-source-states',
  `select checked.source_id, checked.name, checked.paused_at, checked.projection_id, projections.samples_version,
     shapes.delivers, freshness.last_received_at, freshness.usual_seconds, freshness.late, refused.artifact_id,
     refused.received_at, refused.rows_refused
   from (
     select sources.company_id, sources.source_id, sources.name, sources.paused_at, sources.projection_id
     from sources
     where sources.company_id = $companyId::uuid
     order by sources.source_id
     limit ${sourcesCheckedMax}
   ) as checked
   join projections on projections.company_id = checked.company_id and projections.source_id = checked.source_id
     and projections.projection_id = checked.projection_id
   join shapes on shapes.company_id = checked.company_id and shapes.source_id = checked.source_id
     and shapes.shape_version = projections.shape_version
   cross join lateral ${freshnessOfChecked} as freshness
   left join lateral (
     select last_one.artifact_id, last_one.received_at,
       case when parse_results.state = 'parsed' then parse_results.rows_refused end as rows_refused
     from (
       select deliveries.artifact_id, deliveries.received_at, deliveries.receive_number
       from deliveries
       where deliveries.company_id = checked.company_id and deliveries.source_id = checked.source_id
         and deliveries.sandbox = false
       order by deliveries.receive_number desc
       limit 1
     ) as last_one
     join parse_results on parse_results.company_id = checked.company_id
       and parse_results.source_id = checked.source_id and parse_results.projection_id = checked.projection_id
       and parse_results.receive_number = last_one.receive_number
     where parse_results.rows_refused > 0 or parse_results.state = 'unreadable'
     limit 1
   ) as refused on true
   order by checked.source_id
   limit ${sourcesCheckedMax}`,
)

export interface CorrectionRow {
  source_id: string
  /** One of the metrics whose values differ. */
  metric: string
  /** The first day of the month. */
  period_start: string
  corrected_at: Date
}

const ofPeriod = (table: string): string => `${table}.company_id = $companyId::uuid
       and ${table}.source_id = sources.source_id and ${table}.projection_id = sources.projection_id
       and ${table}.sandbox = false and ${table}.metric = declared.metric`

/**
 * Months of statements sources that a statement received since `$since` corrected: received after the month's end in
 * the company's time zone, it gave values other than those of the statement that had completed the month. Periods from `$from` on.
 */
export const selectCorrections = defineStatement<
  CorrectionRow,
  { companyId: string; sourceIds: string[]; timeZone: string; from: string; since: Date }
>(
  'attention.select-corrections',
  `select sources.source_id, min(declared.metric) as metric,
     date_trunc('month', owned.period_start::timestamp)::date as period_start, max(closed.last_at) as corrected_at
   from unnest($sourceIds::uuid[]) as wanted (source_id)
   join sources on sources.company_id = $companyId::uuid and sources.source_id = wanted.source_id
   join projections on projections.company_id = sources.company_id and projections.source_id = sources.source_id
     and projections.projection_id = sources.projection_id
   join shapes on shapes.company_id = sources.company_id and shapes.source_id = sources.source_id
     and shapes.shape_version = projections.shape_version
   cross join lateral jsonb_to_recordset(shapes.metrics) as declared (metric text)
   cross join lateral (
     select period_owners.period_start
     from period_owners
     where ${ofPeriod('period_owners')} and period_owners.period_start >= $from::date and period_owners.deliveries > 1
   ) as owned
   cross join lateral (
     select (date_trunc('month', owned.period_start::timestamp) + interval '1 month') at time zone $timeZone::text as ended_at
     offset 0
   ) as month
   cross join lateral (
     select ${completedBy('month.ended_at')} as first_number, max(period_deliveries.receive_number) as last_number,
       max(period_deliveries.received_at) as last_at
     from period_deliveries
     where ${ofPeriod('period_deliveries')} and period_deliveries.period_start = owned.period_start
   ) as closed
   where closed.first_number < closed.last_number and closed.last_at >= $since::timestamptz and exists (
     select
     from samples
     left join contributions earlier on earlier.company_id = samples.company_id and earlier.cell_id = samples.cell_id
       and earlier.receive_number = closed.first_number
     left join contributions later on later.company_id = samples.company_id and later.cell_id = samples.cell_id
       and later.receive_number = closed.last_number
     where ${ofPeriod('samples')} and samples.period_start = owned.period_start
       and earlier.value is distinct from later.value
   )
   group by sources.source_id, date_trunc('month', owned.period_start::timestamp)
   order by corrected_at desc
   limit ${rowsMax}`,
)

/** Calls that paused sources refused since they were paused, of those that are kept and after `$after`. */
export const selectRefusedWhilePaused = defineStatement<
  { source_id: string; calls: number },
  { companyId: string; sourceIds: string[]; after: string }
>(
  'attention.select-refused-while-paused',
  `select refused_calls.source_id, sum(refused_calls.calls)::int4 as calls
   from refused_calls
   join sources on sources.company_id = refused_calls.company_id and sources.source_id = refused_calls.source_id
   where refused_calls.company_id = $companyId::uuid and refused_calls.call_id > $after::uuid
     and refused_calls.code = 'source_paused' and refused_calls.source_id = any ($sourceIds::uuid[])
     and refused_calls.called_at >= sources.paused_at
   group by refused_calls.source_id
   limit ${rowsMax}`,
)

/** Signing secrets that a rotation ends after `$at`. */
export const selectEndingSecrets = defineStatement<
  { source_id: string; ends_at: Date },
  { companyId: string; at: Date }
>(
  'attention.select-ending-secrets',
  `select source_id, ends_at from webhook_secrets
   where company_id = $companyId::uuid and ends_at > $at::timestamptz
   order by ends_at
   limit ${rowsMax}`,
)

/** Deliveries queued before `$before` that no projection has; at most a thousand are counted. */
export const selectWaiting = defineStatement<
  { deliveries: number; since: Date | null },
  { companyId: string; before: Date }
>(
  'attention.select-waiting',
  `select count(*)::int4 as deliveries, min(waiting.queued_at) as since
   from (
     select backlog.queued_at
     from unnest('{${[queues.small, queues.large, queues.retry].join()}}'::int2[]) as served (queue)
     cross join lateral (
       select backlog.queued_at
       from backlog
       where backlog.queue = served.queue and backlog.company_id = $companyId::uuid and backlog.projection_id = 0
         and backlog.queued_at < $before::timestamptz
       order by backlog.queue, backlog.company_id, backlog.receive_number
       limit 1000
     ) as backlog
   ) as waiting
   limit 1`,
)

/** Connections that end, or did, between two instants, and credentials that a rotation ends after `$at`. */
export const selectEnding = defineStatement<
  { kind: 'connection_ends' | 'credential_ends'; connection_id: string; name: string; ends_at: Date },
  { companyId: string; at: Date; from: Date; to: Date }
>(
  'attention.select-ending',
  `select ending.kind, ending.connection_id, ending.name, ending.ends_at
   from (
     select 'connection_ends' as kind, connections.connection_id, connections.name, connections.expires_at as ends_at
     from connections
     where connections.company_id = $companyId::uuid and connections.revoked_at is null
       and connections.expires_at between $from::timestamptz and $to::timestamptz
     union all
     select 'credential_ends', connections.connection_id, connections.name, credentials.ends_at
     from connections
     join credentials on credentials.connection_id = connections.connection_id
     where connections.company_id = $companyId::uuid and connections.revoked_at is null
       and credentials.ends_at > $at::timestamptz
   ) as ending
   order by ending.ends_at
   limit ${rowsMax}`,
)

export interface MarkRow {
  item: string
  version: string
  member_id: string
  member_name: string | null
  marked_at: Date
}

/** Of each company at most one for each item that it had when one was marked last. */
export const selectMarks = defineStatement<MarkRow, { companyId: string }>(
  'attention.select-marks',
  `select attention_marks.item, attention_marks.version, attention_marks.member_id, members.name as member_name,
     attention_marks.marked_at
   from attention_marks
   left join members on members.member_id = attention_marks.member_id
   where attention_marks.company_id = $companyId::uuid
   limit 1000`,
)

/** The first mark of a version stands. */
export const upsertMark = defineStatement<
  never,
  { companyId: string; item: string; version: string; memberId: string; at: Date }
>(
  'attention.upsert-mark',
  `insert into attention_marks as marks (company_id, item, version, member_id, marked_at)
   select $companyId::uuid, $item::text, $version::text, $memberId::uuid, $at::timestamptz
   where ${selectsFromTable}
   on conflict (company_id, item) do update set version = excluded.version, member_id = excluded.member_id,
     marked_at = excluded.marked_at
   where marks.version <> excluded.version`,
)

export const deleteMark = defineStatement<never, { companyId: string; item: string }>(
  'attention.delete-mark',
  `delete from attention_marks where company_id = $companyId::uuid and item = $item::text`,
)

/** Deletes marks of items that are gone. */
export const deleteOtherMarks = defineStatement<never, { companyId: string; items: string[] }>(
  'attention.delete-other-marks',
  `delete from attention_marks where company_id = $companyId::uuid and not (item = any ($items::text[]))`,
)
