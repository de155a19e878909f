import { afterAll } from 'vitest'
import { addShards } from '../../../src/platform/database/migrations/migrate.ts'
import { openPools } from '../../../src/platform/database/pools.ts'
import { toShardSchema } from '../../../src/platform/database/schemas.ts'
import { buildApp } from '../../../src/app/app.ts'
import { openShards } from '../../../src/app/open-shards.ts'
import { webhookSignature } from '../../../src/engine/deliveries/webhooks/signature.ts'
import { createParseWorker, type ParseWorker } from '../../../src/engine/parsing/worker/parse-worker.ts'
import { createWorkerPool } from '../../../src/engine/parsing/worker/worker-pool.ts'
import {
  createProjectionMaintainer,
  type ProjectionMaintainer,
} from '../../../src/engine/projections/maintain-projections.ts'
import type { Shards } from '../../../src/context.ts'
import type { App } from '../../../src/platform/http/contract.ts'
import { seedCompany, seedConnection, seedSource, seedWebhookSource, type SeededCompany } from '../seed.ts'
import { createTestContext, type TestContext } from '../test-context.ts'
import { createTestDatabase, type TestDatabase } from '../test-database.ts'
import { quietLog } from '../test-worker.ts'

export interface ShardedCompany extends SeededCompany {
  companyId: string
  sourceId: string
  hookId: string
  push(key: string, amount?: string): Promise<SentAnswer>
  sendWebhook(id: string, amount?: string): Promise<SentAnswer>
}

export interface SentAnswer {
  status: number
  artifactId: string | undefined
  isReplay: boolean
}

export interface ShardedScene {
  database: TestDatabase
  context: TestContext
  shards: Shards
  app: App
  /** A company in the first shard, with a pushed and a webhook source. */
  addCompany(): Promise<ShardedCompany>
  workers: { worker: ParseWorker; projections: ProjectionMaintainer }[]
}

/** The service over several shards, with a worker for each that works when a test says so. To be called at the top of a file. */
export async function startShardedScene({ shards: count = 2 } = {}): Promise<ShardedScene> {
  const stack = new AsyncDisposableStack()
  afterAll(() => stack.disposeAsync())
  const database = stack.use(await createTestDatabase())
  const { url } = database
  await addShards({ url, count: count - 1 })
  const pools = stack.use(openPools({ url, connectionsMax: 8, name: 'numera test' }))
  const environment = { NUMERA_RATE_PER_MINUTE: '1000000', NUMERA_RATE_BURST: '100000' }
  const base = createTestContext(database.pool, { environment })
  const directory = { ...base, ...pools.at('access') }
  const shards = stack.use(openShards(directory, pools))
  const context = { ...directory, shards }
  const app = await buildApp(context)
  stack.defer(() => app.close())
  const workers = Array.from({ length: count }, (_, index) => {
    const shard = index + 1
    const own = createWorkerPool(url, () => {}, { schema: toShardSchema(shard) })
    stack.defer(() => own.end())
    const options = { pool: own, shard, clock: base.clock, log: quietLog }
    return {
      worker: createParseWorker(options),
      projections: createProjectionMaintainer({ ...options, graceMs: 0 }),
    }
  })
  return {
    database,
    context,
    shards,
    app,
    workers,
    addCompany: () => addCompanyOf({ context, shards, app }),
  }
}

const toAnswer = (answer: Awaited<ReturnType<App['inject']>>): SentAnswer => ({
  status: answer.statusCode,
  artifactId: answer.json().artifact_id,
  isReplay: answer.headers['idempotent-replayed'] === 'true',
})

async function addCompanyOf({
  context,
  shards,
  app,
}: Pick<ShardedScene, 'context' | 'shards' | 'app'>): Promise<ShardedCompany> {
  await context.pool.query('update shards set companies = case shard when 1 then 0 else 1000 end')
  const { company, owner } = await seedCompany(context)
  const { companyId } = company
  const at = { ...shards.get(1), identity: context.identity, clock: context.clock }
  const source = await seedSource(at, companyId)
  const { credential } = await seedConnection(at, { company, owner, source })
  const { sourceId: hookId, signingSecret } = await seedWebhookSource(at, companyId)
  return {
    company,
    owner,
    companyId,
    sourceId: source.sourceId,
    hookId,
    push: async (key, amount = '1') =>
      toAnswer(
        await app.inject({
          method: 'POST',
          url: '/v1/ingest',
          headers: { authorization: `Bearer ${credential}` },
          payload: { idempotency_key: key, shape_version: 1, payload: [{ at: '2026-02-01', amount }] },
        }),
      ),
    sendWebhook: async (id, amount = id) => {
      const body = Buffer.from(`[{"at":"2026-02-01","amount":"1","customer":"${amount}"}]`)
      const t = Math.floor(context.clock.now() / 1_000)
      return toAnswer(
        await app.inject({
          method: 'POST',
          url: `/v1/webhooks/${hookId}`,
          headers: {
            'content-type': 'application/json',
            'service-delivery-id': id,
            'service-signature': `t=${t},v1=${webhookSignature(signingSecret, t, id, body)}`,
          },
          payload: body,
        }),
      )
    },
  }
}
