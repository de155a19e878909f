import { isUtf8 } from 'node:buffer'
import { to as copyTo } from 'pg-copy-streams'
import type { Pool, PoolClient } from 'pg'
import type { Context } from '../../context.ts'
import { decodeContent } from '../../engine/parsing/decode/decode-content.ts'
import { readStoredContent } from '../../engine/parsing/worker/read-stored-content.ts'
import type { Actor } from '../../people/members/actor.ts'
import { requireRole } from '../../people/members/require-role.ts'
import { createPool, cutConnection, endPool } from '../../platform/database/pool.ts'
import { toShardSchema } from '../../platform/database/schemas.ts'
import { beginSnapshot } from '../../platform/database/transaction.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { copyDeliveries, copyRecords, copySamples } from './queries.ts'

/** How long an export may take, in milliseconds: a snapshot keeps the database from reusing the room of deleted rows. */
export const exportMsMax = 60 * 60_000

/** Characters of a content that are written at a time, so that a long one does not delay other calls. */
const textCharactersMax = 65_536

type ExportContext = Pick<Context, 'pool' | 'shard' | 'clock' | 'log'>

interface ExportedDelivery {
  artifact_id: string
  content_bytes: number
  stored_bytes?: number
  content_encoding?: 'identity' | 'zstd'
}

function ignore(): void {}

/** Two connections of its own: one for the snapshot, one for contents, which never change. */
function openExportPool({ pool, shard, log }: ExportContext): Pool & AsyncDisposable {
  const own = createPool({
    url: pool.options.connectionString!,
    schema: toShardSchema(shard),
    connectionsMax: 2,
    name: 'numera export',
    // For a client that receives slowly.
    statementTimeoutMs: exportMsMax,
    transactionMsMax: exportMsMax,
    idleInTransactionMs: exportMsMax,
    onIdleError: (error) => log.warn({ err: error, shard }, 'a connection of an export broke'),
  })
  return Object.assign(own, { [Symbol.asyncDispose]: () => endPool(own) })
}

/** The lines of a stream, without their ends. */
async function* splitLines(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest = Buffer.alloc(0)
  for await (const chunk of stream) {
    rest = Buffer.concat([rest, chunk])
    for (let end = rest.indexOf(0x0a); end >= 0; end = rest.indexOf(0x0a)) {
      yield rest.toString('utf8', 0, end)
      rest = rest.subarray(end + 1)
    }
  }
}

/** A delivery's line: with `content` where it is UTF-8, exactly, else with `content_base64`. */
async function* writeDelivery(
  pool: Pool,
  companyId: string,
  { stored_bytes: storedBytes, content_encoding: encoding, ...delivery }: ExportedDelivery,
): AsyncGenerator<string> {
  const content = await readStoredContent(pool, {
    company_id: companyId,
    artifact_id: delivery.artifact_id,
    content: null,
    stored_bytes: storedBytes!,
  })
  const bytes = decodeContent({
    content,
    content_encoding: encoding!,
    content_bytes: delivery.content_bytes,
  })
  const isText = isUtf8(bytes)
  const text = bytes.toString(isText ? 'utf8' : 'base64')
  yield `${JSON.stringify(delivery).slice(0, -1)},"${isText ? 'content' : 'content_base64'}":"`
  // Halves of a surrogate pair that are cut apart are escaped, and so are together again when they are read.
  for (let at = 0; at < text.length; at += textCharactersMax)
    yield JSON.stringify(text.slice(at, at + textCharactersMax)).slice(1, -1)
  yield '"}\n'
}

async function* writeParts(
  pool: Pool,
  client: PoolClient,
  companyId: string,
): AsyncGenerator<Buffer | string> {
  for (const text of copyRecords(companyId)) yield* client.query(copyTo(text))
  const deliveries = client.query(copyTo(copyDeliveries(companyId)))
  for await (const line of splitLines(deliveries))
    yield* writeDelivery(pool, companyId, JSON.parse(line) as ExportedDelivery)
  yield* client.query(copyTo(copySamples(companyId)))
}

/**
 * Everything of a company as lines of JSON, in one snapshot, with bounded memory: its declarations, deliveries as they were
 * received, samples, connections, members, signatures and audit log, without secrets. The last line, `{"type":"end"}`, is
 * missing where the export was cut off; before it, the export is recorded. What reads it must end it: then its connections are
 * closed.
 *
 * @throws 403, 404 as `requireRole`, for owners
 */
export async function* exportCompany(
  context: ExportContext,
  actor: Actor,
  companyId: string,
): AsyncGenerator<Buffer | string> {
  const { name } = await requireRole(context.pool, actor, companyId, 'owner')
  await using pool = openExportPool(context)
  const client = await pool.connect()
  client.on('error', ignore)
  const timer = setTimeout(() => cutConnection(client), exportMsMax)
  let isClean = false
  try {
    await client.query(beginSnapshot)
    // Its first statement takes the snapshot.
    await client.query('select')
    const at = new Date(context.clock.now()).toISOString()
    yield `${JSON.stringify({ type: 'export', format: 'numera.company_export', version: 1, at })}\n`
    yield* writeParts(pool, client, companyId)
    await client.query('commit')
    isClean = true
  } finally {
    clearTimeout(timer)
    client.off('error', ignore)
    // In the middle of a copy it is of no more use.
    if (!isClean) cutConnection(client)
    client.release(!isClean)
  }
  await recordAuditEvent(context.pool, {
    companyId,
    actor,
    action: 'company_exported',
    subject: { kind: 'company', id: companyId, name },
    atMs: context.clock.now(),
  })
  yield `${JSON.stringify({ type: 'end' })}\n`
}
