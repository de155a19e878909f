import { beforeEach, expect } from 'vitest'
import { countUsage, usageCountEveryMs } from '../../../src/engine/usage/count-usage.ts'
import { showUsage } from '../../../src/engine/usage/show-usage.ts'
import { signInConsole } from '../console-client.ts'
import { seedScene } from './scene.ts'
import { testMetric } from '../source.ts'
import { startTestService } from '../test-service.ts'
import { startTestWorker } from '../test-worker.ts'

/** A row of one cell for each country. */
export const toRow = (country: string) => ({ at: '2026-01-14T12:00:00Z', amount: '1', country })

/** A company with a source and a connection, whose use is counted, for each test. To be called at the top of a file. */
export async function startUsageScene() {
  const { database, context, app } = await startTestService()
  const { worker, pool } = startTestWorker({ database, context })
  const seed = async () => {
    const { source, connection, ...seeded } = await seedScene(context, {
      source: { metrics: [testMetric({ group_by: ['country'] })] },
      connection: {},
    })
    const { companyId } = seeded.company
    return {
      seeded,
      companyId,
      sourceId: source.sourceId,
      credential: connection.credential!,
      owner: await signInConsole(app, context, seeded.owner),
      /** The address of the company in the console's API. */
      company: `/console/companies/${companyId}`,
    }
  }
  const scene = {} as Awaited<ReturnType<typeof seed>>
  beforeEach(async () => {
    Object.assign(scene, await seed())
  })

  /** As the service does it every few seconds. */
  const count = async (): Promise<void> => {
    context.clock.advance(usageCountEveryMs)
    expect(await countUsage(context)).toBe(true)
  }

  let keys = 0
  const push = async (rows: object[], key = `key ${++keys}`, token = scene.credential) => {
    context.clock.advance(1_000)
    const answer = await app.inject({
      method: 'POST',
      url: '/v1/ingest',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      payload: JSON.stringify({ idempotency_key: key, shape_version: 1, payload: rows }),
    })
    return { status: answer.statusCode, headers: answer.headers, body: answer.json() }
  }

  const storedDeliveries = async (): Promise<number> => {
    const { rows } = await database.pool.query<{ stored: number }>(
      'select count(*)::int as stored from deliveries where company_id = $1',
      [scene.companyId],
    )
    return rows[0]!.stored
  }

  const usage = () => showUsage(context, scene.companyId)

  const used = async (limit: string): Promise<number> =>
    (await usage()).limits.find((each) => each.limit === limit)!.used

  return Object.assign(scene, {
    database,
    context,
    app,
    worker,
    pool,
    count,
    push,
    storedDeliveries,
    usage,
    used,
  })
}
