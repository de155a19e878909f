import { mkdtemp, chmod, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { pino } from 'pino'
import { systemClock } from '../../src/platform/clock/clock.ts'
import { startEmbedded } from '../../src/platform/database/embedded.ts'
import { addShards, migrate } from '../../src/platform/database/migrations/migrate.ts'
import { createPool } from '../../src/platform/database/pool.ts'
import { toShardSchema } from '../../src/platform/database/schemas.ts'
import { seedCompany, seedConnection, seedSource } from '../../testing/in-process/seed.ts'
import { testMetric } from '../../testing/in-process/source.ts'
import { createTestContext, type TestContext } from '../../testing/in-process/test-context.ts'
import { recordTestKeys } from '../../testing/in-process/test-keys.ts'
import type { Declaration } from '../../src/engine/declarations/declaration.ts'

export interface Deployment extends AsyncDisposable {
  url: string
  /** The database's postmaster. */
  databasePid: number
  /** Adds a shard, and gives a context of it. */
  addShard(): Promise<TestContext>
  pool: Pool
  context: TestContext
}

/** A temporary deployment on the embedded database with its default, durable settings. */
export const startDeployment = async (): Promise<Deployment> => {
  const folder = await mkdtemp(join(tmpdir(), 'numera-bench-'))
  await chmod(folder, 0o711)
  const database = await startEmbedded({ dataFolder: join(folder, 'data') })
  await migrate({ url: database.url })
  await recordTestKeys(database.url)
  const { url } = database
  const pool = createPool({ url, name: 'numera bench' })
  const environment = { NUMERA_RATE_PER_MINUTE: '10000000', NUMERA_RATE_BURST: '10000000' }
  const clock = { ...systemClock, advance: () => {}, set: () => {} }
  const log = pino({ level: 'warn' })
  const added: Pool[] = []
  return {
    url,
    databasePid: database.pid!,
    pool,
    context: { ...createTestContext(pool, { environment, clock }), log },
    addShard: async () => {
      const [shard] = await addShards({ url, count: 1 })
      const own = createPool({ url, schema: toShardSchema(shard!), name: 'numera bench' })
      added.push(own)
      return { ...createTestContext(own, { environment, clock }), log, shard: shard! }
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([pool, ...added].map((each) => each.end()))
      await database.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export interface Shop {
  companyId: string
  sourceId: string
  credential: string
  /** Of all connections. */
  credentials: string[]
}

/** A company with one source, and connections that may push and read. */
export const openShop = async (
  context: TestContext,
  declaration: Partial<Declaration> = {},
  connections = 1,
): Promise<Shop> => {
  const { company, owner } = await seedCompany(context)
  const source = await seedSource(context, company.companyId, {
    metrics: [testMetric({ group_by: ['country'] })],
    ...declaration,
  })
  const credentials: string[] = []
  while (credentials.length < connections) {
    const { credential } = await seedConnection(context, { company, owner, source })
    credentials.push(credential!)
  }
  return { companyId: company.companyId, sourceId: source.sourceId, credential: credentials[0]!, credentials }
}

/**
 * Inserts parsed deliveries of one row as the service stores them, with parse results, contributions, and samples over
 * `days` days. Those of a further call come after `stored` earlier ones.
 */
export const fillParsed = async (
  pool: Pool,
  shop: Pick<Shop, 'companyId' | 'sourceId'>,
  deliveries: number,
  days: number,
  stored = 0,
): Promise<void> => {
  const { companyId, sourceId } = shop
  // The pool bounds the time of a statement.
  const part = 100_000
  const end = stored + deliveries
  for (let first = stored; first < end; first += part) {
    const last = Math.min(first + part, end) - 1
    await pool.query(
      `with generated as materialized (
        select nextval('receive_numbers') as receive_number,
          -- As version 7 does, it begins with the time of receipt. Keys have no order.
          (lpad(to_hex((extract(epoch from timestamptz '2026-01-01 00:00:00Z') + n)::int8 * 1000), 12, '0') || '7'
            || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid as artifact_id,
          gen_random_uuid()::text as idempotency_key,
          date '2025-06-01' + n % $5::int as period_start,
          -- As src/engine/parsing/project/cell-id.ts does.
          encode(substring(sha256(convert_to(format(E'%s\\n1\\nrevenue\\n%s\\nproduction\\n{"country":"SE"}', $2::uuid,
            date '2025-06-01' + n % $5::int), 'utf8')) for 16), 'hex')::uuid as cell_id,
          timestamptz '2026-01-01 00:00:00Z' + n * interval '1 second' as received_at,
          convert_to('[{"at":"2026-01-01T00:00:00Z","amount":"1.5","country":"SE"}]', 'utf8') as content
        from generate_series($3::int, $4::int) as n
      ), stored as (
        insert into deliveries (company_id, artifact_id, source_id, sandbox, idempotency_key, receive_number,
          received_at, connection_id, shape_version, delivers, dropped_keys, format, received_sha256, content,
          content_encoding, content_bytes)
        select $1::uuid, artifact_id, $2::uuid, false, idempotency_key, receive_number, received_at,
          gen_random_uuid(), 1, 'events', '{}',
          'json', sha256(content), content, 'identity', length(content)
        from generated
      ), parsed as (
        insert into parse_results (company_id, source_id, projection_id, receive_number, artifact_id, state, rows_accepted,
          rows_refused, rows_date_alone, refusals, parsed_at)
        select $1::uuid, $2::uuid, 1, receive_number, artifact_id, 'parsed', 1, 0, 0, '[]', received_at from generated
      ), contributed as (
        insert into contributions (company_id, cell_id, receive_number, artifact_id, received_at, value, rows)
        select $1::uuid, cell_id, receive_number, artifact_id, received_at, 1.5, 1 from generated
      )
      insert into samples (company_id, cell_id, source_id, projection_id, sandbox, period_start, metric, labels, value,
        artifact_id, receive_number)
      select $1::uuid, cell_id, $2::uuid, 1, false, period_start, 'revenue',
        '{"country":"SE"}', sum(1.5), (array_agg(artifact_id order by receive_number desc))[1], max(receive_number)
      from generated group by cell_id, period_start order by 2
      on conflict (company_id, cell_id) do update set value = samples.value + excluded.value,
        artifact_id = excluded.artifact_id, receive_number = excluded.receive_number`,
      [companyId, sourceId, first, last, days],
    )
  }
}
