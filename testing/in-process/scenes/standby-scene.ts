import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, expect } from 'vitest'
import { buildApp } from '../../../src/app/app.ts'
import { openShards } from '../../../src/app/open-shards.ts'
import { openPools } from '../../../src/platform/database/pools.ts'
import { createParseWorker } from '../../../src/engine/parsing/worker/parse-worker.ts'
import { createWorkerPool } from '../../../src/engine/parsing/worker/worker-pool.ts'
import { migrate } from '../../../src/platform/database/migrations/migrate.ts'
import { createPool } from '../../../src/platform/database/pool.ts'
import { firstShard } from '../../../src/platform/database/schemas.ts'
import type { App } from '../../../src/platform/http/contract.ts'
import type { ReadOnBasis } from '../../../src/platform/reads/read-on-basis.ts'
import { lineOptions } from '../../../src/platform/telemetry/log.ts'
import { createTelemetry } from '../../../src/platform/telemetry/telemetry.ts'
import { type Postgres, startPostgres } from '../../process/start-postgres.ts'
import { signInConsole } from '../console-client.ts'
import { storeDelivery } from '../store-delivery.ts'
import { testMetric } from '../source.ts'
import { createTestContext, type TestContext } from '../test-context.ts'
import { recordTestKeys } from '../test-keys.ts'
import { appendLog } from '../test-log.ts'
import { seedScene } from './scene.ts'

/** Test data need not survive a crash; a standby that starts finds everything since its backup. */
const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  shared_buffers: '32MB',
  wal_keep_size: '256MB',
}
const environment = { NUMERA_RATE_PER_MINUTE: '1000000', NUMERA_RATE_BURST: '100000' }

/** The service over a server with standbys of its own. */
export interface StandbyService {
  app: App
  /** Reads of the shard, for reads that only a test makes. */
  read: ReadOnBasis
  /** Reads by outcome so far. */
  outcomes(): Promise<Record<string, number>>
  /** What its log says of standbys. */
  lines(): { msg: string; reason?: string }[]
  /** Waits until reads try all standbys. */
  untilUsable(): Promise<void>
  isUsable(): boolean
}

const toDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await condition()); tries++) {
    if (tries > 1_000) throw new Error('the state that is waited for does not come')
    await sleep(20)
  }
}

/** A primary, and how a test makes standbys, services and deliveries. To be called at the top of a file. */
export async function startStandbyScene() {
  const stack = new AsyncDisposableStack()
  afterAll(() => stack.disposeAsync())
  const primary = stack.use(await startPostgres({ settings }))
  await migrate({ url: primary.url })
  await recordTestKeys(primary.url)

  const startStandby = async (): Promise<Postgres> => stack.use(await primary.startStandby())

  /** Waits until a standby has replayed what the primary has written by now. */
  const untilReplayed = async (standby: Postgres): Promise<void> => {
    const [row] = await primary.query<{ lsn: string }>('select pg_current_wal_insert_lsn()::text as lsn')
    await until(async () => {
      const replayed = 'select pg_last_wal_replay_lsn() >= $1::pg_lsn as done'
      const [found] = await standby.query<{ done: boolean }>(replayed, [row!.lsn])
      return found!.done
    })
  }

  const open = (on: Postgres) => openDeployment(on.url, stack)
  return { primary, startStandby, untilReplayed, open, ...open(primary) }
}

/** What a test does over one server. */
function openDeployment(url: string, stack: AsyncDisposableStack) {
  const pool = createPool({ url, name: 'numera test' })
  stack.defer(() => pool.end())
  const context = createTestContext(pool, { environment })
  context.clock.set('2026-03-15T12:00:00Z')
  const workerPool = createWorkerPool(url, () => {})
  stack.defer(() => workerPool.end())
  const worker = createParseWorker({
    pool: workerPool,
    shard: firstShard,
    clock: context.clock,
    log: context.log,
  })

  /** Stores a delivery with a row of March 2026, and parses it. */
  const deliver = async (to: SourceOfCompany, amount: string, day = '01'): Promise<string> => {
    const { artifactId } = await storeDelivery(pool, to, [{ at: `2026-03-${day}`, amount, country: 'SE' }])
    await worker.drain()
    return artifactId
  }

  /** A company with a source, of which everything can be read. */
  const openShop = async () => {
    const scene = await seedScene(context, {
      members: ['developer'],
      source: { metrics: [testMetric({ group_by: ['country'] })] },
      connection: {},
    })
    const { companyId } = scene.company
    const { sourceId } = scene.source
    const { get, readSum } = createShopReads(`Bearer ${scene.connection.credential}`)
    return {
      companyId,
      sourceId,
      source: `/console/companies/${companyId}/sources/${sourceId}`,
      signIn: ({ app }: StandbyService) => signInConsole(app, context, scene.developer),
      deliver: (amount: string, day?: string) => deliver({ companyId, sourceId }, amount, day),
      get,
      readSum,
    }
  }

  const startService = (standbys: readonly Postgres[] = []): Promise<StandbyService> =>
    startStandbyService({ url, context, standbyUrls: standbys.map((standby) => standby.url) }, stack)

  return { context, deliver, openShop, startService }
}

type SourceOfCompany = { companyId: string; sourceId: string }

function createShopReads(authorization: string) {
  const call = ({ app }: StandbyService, url: string) => app.inject({ url, headers: { authorization } })
  return {
    get: async (service: StandbyService, path: string) => {
      const answer = await call(service, path)
      const body = answer.body.replace(/"request_id":"[^"]*"/, '')
      return { status: answer.statusCode, etag: answer.headers.etag, body }
    },
    /** The sum of March, read at an address that was not cached before. */
    readSum: async (service: StandbyService): Promise<string> => {
      const from = toDay(Date.UTC(2025, 0, 1 + (reads % 400)))
      const to = toDay(Date.UTC(2026, 3, 1 + Math.floor(reads / 400)))
      reads++
      const answer = await call(service, `/v1/samples?from=${from}&to=${to}&metric=revenue`)
      expect(answer.statusCode, answer.body).toBe(200)
      return answer.json().samples[0]?.value
    },
  }
}
let reads = 0

async function startStandbyService(
  deployment: { url: string; context: TestContext; standbyUrls: readonly string[] },
  stack: AsyncDisposableStack,
): Promise<StandbyService> {
  const { url, context, standbyUrls } = deployment
  const lines: { msg: string; reason?: string }[] = []
  const write = (line: string): void => {
    appendLog(line)
    const parsed = JSON.parse(line)
    if ('standby' in parsed) lines.push(parsed)
  }
  const telemetry = createTelemetry()
  const directory = { ...context, log: pino(lineOptions('debug'), { write }), telemetry }
  const name = 'numera test'
  const pools = stack.use(openPools({ url, connectionsMax: 8, name }))
  const shards = stack.use(openShards(directory, pools, { name, urls: standbyUrls }))
  const app = await buildApp({ ...directory, shards })
  stack.defer(() => app.close())
  const at = shards.get(firstShard)
  const isUsable = (): boolean => at.listStandbys().every((standby) => standby.getPool() !== undefined)
  return {
    app,
    read: app.reads.onBasis(at),
    outcomes: async () => {
      const { values } = await telemetry.standbyReads.get()
      return Object.fromEntries(values.map(({ labels, value }) => [labels.outcome, value]))
    },
    lines: () => lines,
    untilUsable: () => until(isUsable),
    isUsable,
  }
}
