import { defineExpiry } from '../../platform/database/expired-rows.ts'

/** Deletes links whose time was over, used or not. */
export const deleteExpiredInvitations = defineExpiry('invitations', 'company_id, invitation_id')
