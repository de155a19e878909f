/**
 * The rival: what a careful team would write in an afternoon with Fastify and pg. It checks the credential, connection,
 * source and shape in one prepared query, drops undeclared keys, runs one prepared INSERT per request with the same columns
 * and unique key, and answers after the commit. No batches, threads or rate limits.
 *
 *   node bench/accept/plain-server.ts <port> <database url>
 */
import { createHash, randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import { Pool } from 'pg'

interface Caller {
  connection_id: string
  kind: string
  permissions: string[]
  company_id: string
  source_id: string
  delivers: string
  shape_version: number
  paused: boolean
  fields: { name: string }[]
}

interface Body {
  idempotency_key: string
  shape_version: number
  payload: Record<string, unknown> | Record<string, unknown>[]
}

const [, , port, url] = process.argv
const pool = new Pool({ connectionString: url!, max: 20, options: '-c search_path=shard_1,access,directory' })
const app = Fastify({ bodyLimit: 8_388_608 })

const lookUp = {
  name: 'look_up',
  text: `select connections.connection_id, connections.kind, connections.permissions, sources.company_id,
      sources.source_id, shapes.delivers, sources.shape_version, sources.paused_at is not null as paused, shapes.fields
    from credentials
    join connections on connections.connection_id = credentials.connection_id
    join companies on companies.company_id = connections.company_id
    join sources on sources.company_id = connections.company_id and sources.source_id = connections.source_id
    join shapes on shapes.company_id = sources.company_id and shapes.source_id = sources.source_id
      and shapes.shape_version = sources.shape_version
    where credentials.credential_hash = $1 and connections.signed_at is not null
      and connections.revoked_at is null and connections.expires_at > $2`,
}
const insert = {
  name: 'insert',
  text: `insert into plain_deliveries (company_id, artifact_id, source_id, sandbox, idempotency_key, receive_number,
      received_at, connection_id, shape_version, delivers, dropped_keys, received_sha256, content)
    values ($1, $2, $3, $4, $5, nextval('receive_numbers'), $6, $7, $8, $9, $10, $11, $12)
    on conflict (company_id, source_id, sandbox, idempotency_key) do nothing`,
}

const drop = (
  row: Record<string, unknown>,
  declared: Set<string>,
  dropped: Set<string>,
): Record<string, unknown> => {
  const kept: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(row)) {
    if (declared.has(key)) kept[key] = value
    else dropped.add(key)
  }
  return kept
}

app.post<{ Body: Body }>('/v1/ingest', async (request, reply) => {
  const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1]
  if (token === undefined) return reply.code(401).send({ code: 'unauthenticated' })
  const hash = createHash('sha256').update(token).digest()
  const now = new Date()
  const caller = (await pool.query<Caller>({ ...lookUp, values: [hash, now] })).rows[0]
  if (caller === undefined) return reply.code(401).send({ code: 'unauthenticated' })
  if (!caller.permissions.includes('sources.ingest'))
    return reply.code(403).send({ code: 'permission_denied' })
  const { idempotency_key: key, shape_version: version, payload } = request.body
  if (typeof key !== 'string' || key === '' || version !== caller.shape_version) {
    return reply.code(400).send({ code: 'invalid_argument' })
  }
  if (caller.paused) return reply.code(409).send({ code: 'source_paused' })
  const declared = new Set(caller.fields.map((field) => field.name))
  const dropped = new Set<string>()
  const kept = Array.isArray(payload)
    ? payload.map((row) => drop(row, declared, dropped))
    : drop(payload, declared, dropped)
  const content = JSON.stringify(kept)
  const artifactId = randomUUID()
  const sandbox = caller.kind === 'sandbox'
  const { rowCount } = await pool.query({
    ...insert,
    values: [
      caller.company_id,
      artifactId,
      caller.source_id,
      sandbox,
      key,
      now,
      caller.connection_id,
      version,
      caller.delivers,
      [...dropped],
      createHash('sha256').update(content).digest(),
      content,
    ],
  })
  if (rowCount === 0) return reply.code(409).send({ code: 'key_reused' })
  return reply.code(202).send({
    artifact_id: artifactId,
    shape_version: version,
    status: 'queued',
    sandbox,
    dropped_keys: [...dropped].toSorted(),
    delivers: caller.delivers,
  })
})

await app.listen({ port: Number(port), host: '127.0.0.1' })
