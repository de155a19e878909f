import { defineExpiry } from '../../platform/database/expired-rows.ts'

export const deleteExpiredLinks = defineExpiry('links', 'company_id, link_id')
export const deleteExpiredLinkUses = defineExpiry('link_uses', 'company_id, link_id')
