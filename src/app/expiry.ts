import { defineExpiry } from '../platform/database/expired-rows.ts'

/** Processes that were killed: one that stops deletes its own row. */
export const deleteUnseenProcesses = defineExpiry('processes', 'process_id', 'seen_at <= $at::timestamptz')
