import type { Metric } from '../../engine/declarations/declaration.ts'
import type { Period } from '../../formats/values/period.ts'
import { defineStatement } from '../../platform/database/define-statement.ts'

type OfSource = { companyId: string; sourceId: string }
export type OfMetric = OfSource & { metric: string }

/** The metrics that the reports of a source show. */
export const selectMetrics = defineStatement<{ metrics: Metric[] }, OfSource>(
  'notes.select-metrics',
  `
  select shapes.metrics
  from sources
  join projections on projections.company_id = sources.company_id and projections.source_id = sources.source_id
    and projections.projection_id = sources.projection_id
  join shapes on shapes.company_id = sources.company_id and shapes.source_id = sources.source_id
    and shapes.shape_version = projections.shape_version
  where sources.company_id = $companyId::uuid and sources.source_id = $sourceId::uuid
  limit 1`,
)

export interface NoteRow {
  note_id: string
  grain: Period
  period_start: string
  labels: Record<string, string>
  text: string
  revision: number
  author: string | null
  author_name: string | null
  created_at: Date
  edited_at: Date | null
  edited_by: string | null
  edited_by_name: string | null
}

const noteColumns = `
  select notes.note_id, notes.grain, notes.period_start::text, notes.labels, notes.text, notes.revision,
    notes.author, authors.name as author_name, notes.created_at,
    notes.edited_at, notes.edited_by, editors.name as edited_by_name
  from notes
  left join members as authors on authors.member_id = notes.author
  left join members as editors on editors.member_id = notes.edited_by
  where notes.company_id = $companyId::uuid and notes.source_id = $sourceId::uuid and notes.metric = $metric::text`

/** The notes of periods that begin from `$from` up to, not including, `$to`; the oldest periods first. */
export const selectNotes = defineStatement<NoteRow, OfMetric & { from: string; to: string; limit: number }>(
  'notes.select',
  `${noteColumns} and notes.period_start >= $from::date and notes.period_start < $to::date
  order by notes.period_start, notes.note_id
  limit $limit::int4`,
)

export const selectNote = defineStatement<NoteRow, OfMetric & { noteId: string }>(
  'notes.select-one',
  `${noteColumns} and notes.note_id = $noteId::uuid limit 1`,
)

/** Counts up to `$max`. */
export const countNotes = defineStatement<{ used: number }, { companyId: string; max: number }>(
  'notes.count',
  `select count(*)::int4 as used
   from (select from notes where company_id = $companyId::uuid limit $max::int4) as counted
   limit 1`,
)

export const countNotesOfPeriod = defineStatement<
  { used: number },
  OfMetric & { grain: Period; periodStart: string; max: number }
>(
  'notes.count-of-period',
  `select count(*)::int4 as used
   from (
     select from notes
     where company_id = $companyId::uuid and source_id = $sourceId::uuid and metric = $metric::text
       and period_start = $periodStart::date and grain = $grain::text
     limit $max::int4
   ) as counted
   limit 1`,
)

export const insertNote = defineStatement<
  never,
  OfMetric & {
    noteId: string
    grain: Period
    periodStart: string
    labels: string
    text: string
    author: string | null
    at: Date
  }
>(
  'notes.insert',
  `insert into notes
     (company_id, note_id, source_id, metric, grain, period_start, labels, text, author, created_at)
   values ($companyId::uuid, $noteId::uuid, $sourceId::uuid, $metric::text, $grain::text, $periodStart::date,
     $labels::jsonb, $text::text, $author::uuid, $at::timestamptz)`,
)

export const updateNote = defineStatement<
  never,
  { companyId: string; noteId: string; text: string; by: string | null; at: Date }
>(
  'notes.update',
  `update notes set text = $text::text, revision = revision + 1, edited_by = $by::uuid, edited_at = $at::timestamptz
   where company_id = $companyId::uuid and note_id = $noteId::uuid`,
)

export const deleteNote = defineStatement<never, { companyId: string; noteId: string }>(
  'notes.delete',
  `delete from notes where company_id = $companyId::uuid and note_id = $noteId::uuid`,
)

export interface TargetsRow {
  months: Record<string, string>
  revision: number
  saved_by: string | null
  saved_by_name: string | null
  saved_at: Date
}

export const selectTargets = defineStatement<TargetsRow, OfMetric>(
  'notes.select-targets',
  `select targets.months, targets.revision, targets.saved_by, members.name as saved_by_name, targets.saved_at
   from targets
   left join members on members.member_id = targets.saved_by
   where targets.company_id = $companyId::uuid and targets.source_id = $sourceId::uuid
     and targets.metric = $metric::text
   limit 1`,
)

export const upsertTargets = defineStatement<
  never,
  OfMetric & { months: string; by: string | null; at: Date }
>(
  'notes.upsert-targets',
  `insert into targets (company_id, source_id, metric, months, revision, saved_by, saved_at)
   values ($companyId::uuid, $sourceId::uuid, $metric::text, $months::jsonb, 1, $by::uuid, $at::timestamptz)
   on conflict (company_id, source_id, metric) do update
   set months = excluded.months, revision = targets.revision + 1, saved_by = excluded.saved_by, saved_at = excluded.saved_at`,
)
