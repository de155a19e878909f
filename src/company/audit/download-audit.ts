import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import type { Actor } from '../../people/members/actor.ts'
import { requireRole } from '../../people/members/require-role.ts'
import { OverloadedError } from '../../platform/database/overloaded-error.ts'
import type { DirectoryContext } from '../../context.ts'
import { type AuditFilter, type AuditQuery, readAuditFilter } from './audit-filter.ts'
import { recordAuditEvent } from './record-audit-event.ts'
import { writeAuditFile } from './write-audit-file.ts'

/** Files that one process sends at a time, each of another company: each holds a connection for as long as its reader takes. */
export const auditFilesMax = 2

export type DownloadAudit = (actor: Actor, companyId: string, query?: AuditQuery) => Promise<Readable>

/**
 * Starts the file of a company's audit, for its owners. The download is its last event.
 *
 * @throws 403, 404 as `requireRole`; 400 with field `from` or `to`; OverloadedError while the company's file, or as many as allowed, are being sent
 */
export function createAuditDownload(context: Pick<DirectoryContext, 'pool' | 'clock'>): DownloadAudit {
  const beingSent = new Set<string>()
  return async (actor, companyId, query = {}) => {
    const company = await requireRole(context.pool, actor, companyId, 'owner')
    const { companyId: id } = company
    const filter = readAuditFilter(query, company.timeZone)
    if (beingSent.has(id) || beingSent.size >= auditFilesMax) {
      throw new OverloadedError('other audit files are being sent')
    }
    beingSent.add(id)
    try {
      await recordAuditEvent(context.pool, {
        companyId: id,
        actor,
        action: 'audit_downloaded',
        subject: { kind: 'company', id, name: company.name },
        atMs: context.clock.now(),
      })
    } catch (error) {
      beingSent.delete(id)
      throw error
    }
    const file = new PassThrough()
    void send(context, { companyId: id, filter }, file).finally(() => beingSent.delete(id))
    return file
  }
}

/** A reader who has disconnected ends it; a fault breaks the file off, so that no one takes it for the whole. */
async function send(
  context: Pick<DirectoryContext, 'pool'>,
  which: { companyId: string; filter: AuditFilter },
  file: PassThrough,
): Promise<void> {
  const closed = new AbortController()
  file.once('close', () => closed.abort())
  try {
    await writeAuditFile(context, which, async (lines) => {
      if (!file.write(lines)) await once(file, 'drain', { signal: closed.signal })
    })
    file.end()
  } catch (error) {
    file.destroy(error as Error)
  }
}
