import type { Queryable } from '../../../platform/database/pool.ts'
import { longList } from '../../tables/long-lists.ts'
import type { ClaimedRow } from './claim-queries.ts'
import { readContentPart } from './queries.ts'

/**
 * Bytes of stored content fetched by one statement; longer content is fetched in parts, since the driver takes four times the
 * memory.
 */
export const partBytesMax = 512 * 1024

/** What is known of a delivery whose content is to be read. */
export type StoredRow = Pick<ClaimedRow, 'company_id' | 'artifact_id' | 'content' | 'stored_bytes'>

/** The content of a delivery, as stored; `row.content` is what was fetched with it. */
export async function readStoredContent(client: Queryable, row: StoredRow): Promise<Buffer> {
  if (row.content !== null) return row.content
  const content = longList.bytes(row.stored_bytes)
  for (let at = 0; at < content.length; at += partBytesMax) {
    const read = await readContentPart.first(client, {
      companyId: row.company_id,
      artifactId: row.artifact_id,
      from: at + 1,
      bytes: partBytesMax,
    })
    read!.part.copy(content, at)
  }
  return content
}
