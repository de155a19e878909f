import type { Pool } from 'pg'
import { attemptTransaction, beginSnapshot } from '../../platform/database/transaction.ts'
import { auditEventAnswer } from './audit-event-answer.ts'
import type { AuditFilter } from './audit-filter.ts'
import { toAuditEvent } from './list-audit-events.ts'
import { selectAuditEventsAfter } from './queries.ts'

/**
 * Rows that are in memory at a time. A reader must take them within the 10 seconds that the server lets a transaction be idle.
 */
const rowsMax = 200

/** How long a whole file may take, in milliseconds: its transaction holds a connection. */
const fileMsMax = 120_000

/**
 * Writes a company's audit events as NDJSON, oldest first, repeated ones by their last time, with all fields of the list: those
 * of one moment, however long it takes.
 *
 * @param write is awaited before more is read
 * @throws where `write` does, or the database is unavailable, or the file takes longer than two minutes
 */
export async function writeAuditFile(
  { pool }: { pool: Pool },
  { companyId, filter }: { companyId: string; filter: AuditFilter },
  write: (lines: string) => Promise<void>,
): Promise<void> {
  await attemptTransaction(pool, { begin: beginSnapshot, msMax: fileMsMax }, async (client) => {
    const { since, ...passing } = filter
    for (let after = since; ;) {
      const rows = await selectAuditEventsAfter.rows(client, { companyId, ...passing, after, limit: rowsMax })
      if (rows.length === 0) return
      await write(rows.map((row) => `${JSON.stringify(auditEventAnswer(toAuditEvent(row)))}\n`).join(''))
      after = rows.at(-1)!.event_id
    }
  })
}
