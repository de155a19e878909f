import { defineStatement } from '../../platform/database/define-statement.ts'

export interface LabelNamesRow {
  label: string
  /** By value. */
  names: Record<string, string>
  revision: number
  saved_by: string | null
  saved_by_name: string | null
  saved_at: Date
}

/** Also of labels whose names were all removed: their revisions count on. */
export const selectLabelNames = defineStatement<LabelNamesRow, { companyId: string; limit: number }>(
  'label-names.select',
  `select label_names.label, label_names.names, label_names.revision, label_names.saved_by,
     members.name as saved_by_name, label_names.saved_at
   from label_names
   left join members on members.member_id = label_names.saved_by
   where label_names.company_id = $companyId::uuid
   order by label_names.label
   limit $limit::int4`,
)

export const upsertLabelNames = defineStatement<
  never,
  { companyId: string; label: string; names: string; by: string | null; at: Date }
>(
  'label-names.upsert',
  `insert into label_names (company_id, label, names, revision, saved_by, saved_at)
   values ($companyId::uuid, $label::text, $names::jsonb, 1, $by::uuid, $at::timestamptz)
   on conflict (company_id, label) do update
   set names = excluded.names, revision = label_names.revision + 1, saved_by = excluded.saved_by, saved_at = excluded.saved_at`,
)

/** Makes room for a label. */
export const deleteEmptyLabelNames = defineStatement<never, { companyId: string }>(
  'label-names.delete-empty',
  `delete from label_names where company_id = $companyId::uuid and names = '{}'`,
)
