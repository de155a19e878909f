import { expect } from 'vitest'
import type { Declaration } from '../../../src/engine/declarations/declaration.ts'
import { seedSource, type SeedContext } from '../seed.ts'
import type { ReportedShop } from './report-scene.ts'

/** A further source of a shop's company. */
export async function addSource(
  context: SeedContext,
  shop: ReportedShop,
  name: string,
  declaration: Partial<Declaration> = {},
): Promise<ReportedShop> {
  const { sourceId } = await seedSource(context, shop.companyId, { ...declaration, name })
  return { ...shop, sourceId }
}

/** Reads a combined report. */
export async function readCombined(shop: ReportedShop, lines: readonly string[], query = '') {
  const named = lines.map((line) => `line=${encodeURIComponent(line)}`)
  const { status, body } = await shop.reader.get(
    `${shop.company}/combined-report?${[...named, query].join('&')}`,
  )
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
