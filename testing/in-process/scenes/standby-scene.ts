import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, expect } from 'vitest'
import { buildApp } from '../../../src/app/app.ts'
import { openShards } from '../../../src/app/open-shards.ts'
import type { DirectoryContext } from '../../../src/context.ts'
import { createParseWorker } from '../../../src/engine/parsing/worker/parse-worker.ts'
import { createWorkerPool } from '../../../src/engine/parsing/worker/worker-pool.ts'
import { migrate } from '../../../src/platform/database/migrations/migrate.ts'
import { createPool } from '../../../src/platform/database/pool.ts'
import { firstShard } from '../../../src/platform/database/schemas.ts'
import type { App } from '../../../src/platform/http/contract.ts'
import { lineOptions } from '../../../src/platform/telemetry/log.ts'
import { createTelemetry } from '../../../src/platform/telemetry/telemetry.ts'
import { type Postgres, startPostgres } from '../../process/start-postgres.ts'
import { signInConsole } from '../console-client.ts'
import { storeDelivery } from '../store-delivery.ts'
import { testMetric } from '../source.ts'
import { createTestContext } from '../test-context.ts'
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
  /** Reads by outcome so far. */
  outcomes(): Promise<Record<string, number>>
  /** What its log says of standbys. */
  lines(): { msg: string; reason?: string }[]
  /** Waits until reads try all standbys. */
  untilUsable(): Promise<void>
  isUsable(): boolean
}

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
  const { url } = primary
  await migrate({ url })
  await recordTestKeys(url)
  const pool = createPool({ url, name: 'numera test' })
  stack.defer(() => pool.end())
  const context = createTestContext(pool, { environment })
  const workerPool = createWorkerPool(url, () => {})
  stack.defer(() => workerPool.end())
  const worker = createParseWorker({ pool: workerPool, clock: context.clock, log: context.log })

  const startStandby = async (): Promise<Postgres> => stack.use(await primary.startStandby())

  /** Waits until a standby has replayed what the primary has written by now. */
  const untilReplayed = async (standby: Postgres): Promise<void> => {
    const [row] = await primary.query<{ lsn: string }>('select pg_current_wal_insert_lsn()::text as lsn')
    await until(async () => {
      const [{ done }] = (await standby.query<{ done: boolean }>(
        'select pg_last_wal_replay_lsn() >= $1::pg_lsn as done',
        [row!.lsn],
      )) as [{ done: boolean }]
      return done
    })
  }

  const startService = async (standbyUrls: readonly string[] = []): Promise<StandbyService> => {
    const lines: { msg: string; reason?: string }[] = []
    const write = (line: string): void => {
      appendLog(line)
      const parsed = JSON.parse(line)
      if ('standby' in parsed) lines.push(parsed)
    }
    const telemetry = createTelemetry()
    const directory: Omit<DirectoryContext, 'shards'> & Pick<typeof context, 'identity'> = {
      ...context,
      log: pino(lineOptions('debug'), { write }),
      telemetry,
    }
    const shards = stack.use(
      openShards(directory, { url, connectionsMax: 8, name: 'numera test' }, standbyUrls),
    )
    const app = await buildApp({ ...directory, shards })
    stack.defer(() => app.close())
    const standbys = shards.get(firstShard).listStandbys()
    const isUsable = (): boolean => standbys.every((standby) => standby.getPool() !== undefined)
    return {
      app,
      outcomes: async () => {
        const { values } = await telemetry.standbyReads.get()
        return Object.fromEntries(values.map(({ labels, value }) => [labels.outcome, value]))
      },
      lines: () => lines,
      untilUsable: () => until(isUsable),
      isUsable,
    }
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
    const bearer = `Bearer ${scene.connection.credential}`
    return {
      companyId,
      sourceId,
      source: `/console/companies/${companyId}/sources/${sourceId}`,
      signIn: ({ app }: StandbyService) => signInConsole(app, context, scene.developer),
      /** Stores a delivery with a row of March 2026, and parses it. */
      deliver: async (amount: string, day = '01'): Promise<string> => {
        const rows = [{ at: `2026-03-${day}`, amount, country: 'SE' }]
        const { artifactId } = await storeDelivery(pool, { companyId, sourceId }, rows)
        await worker.drain()
        return artifactId
      },
      get: async ({ app }: StandbyService, path: string) => {
        const answer = await app.inject({ url: path, headers: { authorization: bearer } })
        const body = answer.body.replace(/"request_id":"[^"]*"/, '')
        return { status: answer.statusCode, etag: answer.headers.etag, body }
      },
      /** The sum of March, read at an address that was not cached before. */
      readSum: async ({ app }: StandbyService): Promise<string> => {
        const from = new Date(Date.UTC(2025, 0, 1 + reads++)).toISOString().slice(0, 10)
        const url = `/v1/samples?from=${from}&to=2026-04-01&metric=revenue`
        const answer = await app.inject({ url, headers: { authorization: bearer } })
        expect(answer.statusCode, answer.body).toBe(200)
        return answer.json().samples[0]?.value
      },
    }
  }
  let reads = 0

  return { primary, context, pool, startStandby, startService, openShop, untilReplayed, until }
}
