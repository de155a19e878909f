import { defineExpiry } from '../../platform/database/expired-rows.ts'

export const deleteExpiredLinks = defineExpiry('links', 'company_id, link_id')

/** A link lasts 400 days at most. */
export const deleteOldLinkUses = defineExpiry(
  'link_uses',
  'company_id, link_id',
  `used_on <= ($at::timestamptz - interval '400 days')::date`,
)
