import { beforeEach } from 'vitest'
import type { Declaration } from '../../../src/engine/declarations/declaration.ts'
import { seedScene } from './scene.ts'
import type { seedCompany } from '../seed.ts'
import { testMetric } from '../source.ts'
import { storeDelivery, type StoreOptions } from '../store-delivery.ts'
import { startTestService } from '../test-service.ts'
import { startTestWorker } from '../test-worker.ts'

export interface ReadShop {
  companyId: string
  sourceId: string
  company: { companyId: string }
  owner: Awaited<ReturnType<typeof seedCompany>>['owner']
  credential: string
}

export const byCountry = { metrics: [testMetric({ group_by: ['country'] })] }

/** The service, whose tests make shops and read their samples over a connection. To be called at the top of a file. */
export async function startSampleScene() {
  const { database, context, app } = await startTestService()
  const { worker } = startTestWorker({ database, context })
  beforeEach(() => context.clock.set('2026-03-15T12:00:00Z'))

  const openShop = async (
    declaration: Partial<Declaration> = {},
    timeZone = 'Europe/Stockholm',
  ): Promise<ReadShop> => {
    const { company, owner, source, connection } = await seedScene(context, {
      company: { timeZone },
      source: declaration,
      connection: {},
    })
    const { companyId } = company
    return { companyId, sourceId: source.sourceId, company, owner, credential: connection.credential! }
  }

  const deliver = async (
    shop: ReadShop,
    rows: object[] | Buffer,
    options: StoreOptions = {},
  ): Promise<string> => {
    const { artifactId } = await storeDelivery(database.pool, shop, rows, options)
    await worker.drain()
    return artifactId
  }

  const get = async (credential: string, path: string, headers: Record<string, string> = {}) => {
    // A call a second is never too much.
    context.clock.advance(1_000)
    const answer = await app.inject({
      url: path,
      headers: { authorization: `Bearer ${credential}`, ...headers },
    })
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: answer.body === '' ? {} : answer.json(),
    }
  }

  const values = async (shop: ReadShop, query = ''): Promise<string[]> => {
    const { body } = await get(shop.credential, `/v1/samples${query}`)
    return body.samples.map((sample: { period_start: string; labels: object; value: string }) =>
      [sample.period_start, ...Object.values(sample.labels), sample.value].join(' '),
    )
  }

  return { database, context, app, worker, openShop, deliver, get, values }
}
