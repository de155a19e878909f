import type { Context } from '../../../context.ts'
import { notFound } from '../../../platform/http/errors/errors.ts'
import { ownBytes } from '../../../engine/deliveries/intake/own-bytes.ts'
import { readStoredContent } from '../../../engine/parsing/worker/read-stored-content.ts'
import type { ShareLimiter } from '../../../platform/database/share-limiter.ts'
import type { ContentTask } from './content-thread.ts'
import type { ContentThreads } from './content-threads.ts'
import { selectStoredDelivery, type StoredDeliveryRow } from './queries.ts'

/** What reading the content of deliveries needs. */
export interface ContentContext extends Pick<Context, 'pool'> {
  /** Limits concurrent reads of one company. */
  limit: ShareLimiter
  threads: ContentThreads
}

/** A delivery with its content, to be handed to a thread. */
export interface StoredDelivery {
  row: StoredDeliveryRow
  content: ContentTask
}

/**
 * A delivery of a company, with its content as it is stored.
 *
 * @throws 404 if the company has none of that id
 */
export async function readStoredDelivery(
  { pool, limit }: ContentContext,
  companyId: string,
  artifactId: string,
): Promise<StoredDelivery> {
  const row = await limit(companyId, () => selectStoredDelivery.first(pool, { companyId, artifactId }))
  if (row === undefined) throw notFound()
  const { format, content_encoding, content_bytes, stored_bytes } = row
  const stored = await limit(companyId, () =>
    readStoredContent(pool, { company_id: companyId, artifact_id: artifactId, content: null, stored_bytes }),
  )
  return { row, content: { format, stored: { content: ownBytes(stored), content_encoding, content_bytes } } }
}
