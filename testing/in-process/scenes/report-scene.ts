import { beforeEach, expect } from 'vitest'
import type { Declaration } from '../../../src/engine/declarations/declaration.ts'
import { signInConsole, type ConsoleClient } from '../console-client.ts'
import { seedScene } from './scene.ts'
import { testFields, testMetric } from '../source.ts'
import { storeDelivery, type StoreOptions } from '../store-delivery.ts'
import { startTestService } from '../test-service.ts'
import { startTestWorker } from '../test-worker.ts'

export interface ReportedShop {
  companyId: string
  sourceId: string
  reader: ConsoleClient
  /** For a later day, when the session is over. */
  signInAgain: () => Promise<ConsoleClient>
  company: string
  /** The address of the report of its revenue. */
  report: string
  trace: string
}

export const byCountry = { metrics: [testMetric({ group_by: ['country'] })] }
export const statements = { delivers: 'statements' as const, ...byCountry }

/** Reads the report of a shop's revenue. */
export const readReport = async (shop: ReportedShop, query = '') => {
  const { status, body } = await shop.reader.get(`${shop.report}${query}`)
  expect(status, `${query}: ${JSON.stringify(body)}`).toBe(200)
  return body
}

/** The cards of a shop's reports. */
export const readCards = async (shop: ReportedShop, query = '') =>
  (await shop.reader.get(`${shop.company}/reports${query}`)).body

/** The service, whose tests make shops and read their reports. To be called at the top of a file. */
export async function startReportScene() {
  const { database, context, app } = await startTestService()
  const { worker } = startTestWorker({ database, context })
  beforeEach(async () => {
    context.clock.set('2026-03-15T12:00:00Z')
    // Every test signs a person in.
    await database.pool.query('delete from rate_buckets')
  })

  const openShop = async (
    declaration: Partial<Declaration> = {},
    timeZone = 'Europe/Stockholm',
  ): Promise<ReportedShop> => {
    const scene = await seedScene(context, {
      company: { timeZone },
      members: ['reader'],
      source: { fields: [...testFields, { name: 'device', type: 'text', personal: false }], ...declaration },
    })
    const { companyId } = scene.company
    const { sourceId } = scene.source
    const company = `/console/companies/${companyId}`
    const source = `${company}/sources/${sourceId}`
    const signInAgain = () => signInConsole(app, context, scene.reader)
    const reader = await signInAgain()
    return {
      companyId,
      sourceId,
      reader,
      signInAgain,
      company,
      report: `${source}/reports/revenue`,
      trace: `${source}/samples/trace?metric=revenue`,
    }
  }

  const deliver = async (shop: ReportedShop, rows: object[], options: StoreOptions = {}): Promise<string> => {
    const { artifactId } = await storeDelivery(database.pool, shop, rows, options)
    await worker.drain()
    return artifactId
  }

  return { database, context, app, worker, openShop, deliver }
}
