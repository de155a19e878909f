import { defineExpiry } from '../../platform/database/expired-rows.ts'

/** Marks of items that have long been gone: each mark of a company deletes those of its items that are gone too. */
export const deleteOldMarks = defineExpiry(
  'attention_marks',
  'company_id, item',
  `marked_at <= $at::timestamptz - interval '400 days'`,
)
