import { expect } from 'vitest'
import type { Delivers } from '../../src/engine/declarations/declaration.ts'
import { byCodePoint } from '../../src/formats/values/by-code-point.ts'
import { seedCompany, seedConnection, seedSource } from './seed.ts'
import { testFields, testMetric } from './source.ts'
import { storeDelivery } from './store-delivery.ts'
import type { TestService } from './test-service.ts'
import { startTestWorker } from './test-worker.ts'

export type Labels = Record<string, string>

interface Answer {
  samples: { metric: string; period_start: string; labels: Labels }[]
  truncated: boolean
}

export interface LabelledSource {
  /** Stores a row for each of these cells, and parses them. */
  deliver(day: string, cells: Labels[]): Promise<void>
  /** Reads the samples as they are now and as they were at an instant. */
  readAll(query?: string): Promise<Answer[]>
}

/** Makes sources whose two metrics are grouped by the named fields. To be called at the top of a file. */
export function startLabelledSources({
  database,
  context,
  app,
}: TestService): (names: string[], delivers?: Delivers) => Promise<LabelledSource> {
  const { worker } = startTestWorker({ database, context })
  return async (names, delivers = 'events') => {
    const { company, owner } = await seedCompany(context)
    const source = await seedSource(context, company.companyId, {
      delivers,
      fields: [...testFields, ...names.map((name) => ({ name, type: 'text' as const, personal: false }))],
      metrics: [
        testMetric({ group_by: names }),
        testMetric({ metric: 'active_users', aggregation: 'count', group_by: names }),
      ],
    })
    const { credential } = await seedConnection(context, { company, owner, source })
    const { companyId } = company
    const read = async (query: string): Promise<Answer> => {
      context.clock.advance(1_000)
      const headers = { authorization: `Bearer ${credential}` }
      const answer = await app.inject({ url: `/v1/samples${query}`, headers })
      expect(answer.statusCode).toBe(200)
      return answer.json()
    }
    return {
      deliver: async (day, cells) => {
        const rows = cells.map((labels) => ({ at: day, amount: '1', ...labels }))
        await storeDelivery(database.pool, { companyId, sourceId: source.sourceId }, rows)
        await worker.drain()
      },
      readAll: async (query = '') => {
        const and = query === '' ? '?' : `${query}&`
        return [await read(query), await read(`${and}as_of=2026-03-14T00:00:00Z`)]
      },
    }
  }
}

/** [read.order] written directly: values by label name, as lists of code points. */
export function byLabelValues(a: Labels, b: Labels): number {
  for (const name of Object.keys(a).toSorted(byCodePoint)) {
    const order = byCodePoint(a[name]!, b[name]!)
    if (order !== 0) return order
  }
  return 0
}
