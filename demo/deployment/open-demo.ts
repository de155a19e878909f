import type { AppContext } from '../../src/app/app-context.ts'
import { addDemoConnection } from '../../src/company/connections/add-demo-connection.ts'
import { listSources } from '../../src/company/sources/list-sources.ts'
import type { Company } from '../../src/people/companies/company.ts'
import { findCompany } from '../../src/people/companies/find-company.ts'
import { ApiError } from '../../src/platform/http/errors/errors.ts'
import { createDemo, type CreateDemoOptions } from '../clients/create-demo.ts'
import {
  demoCompanyNames,
  demoSourceNames,
  type DemoCompanyName,
  type DemoScene,
} from '../clients/demo-scene.ts'
import { demoCompanies } from '../data/demo-companies.ts'
import { demoTimeZone, planDemo, type DemoPlan } from '../data/demo-plan.ts'
import { openHistory } from './open-history.ts'

/** The creation of the demo in this database was interrupted. */
export class DemoCutShortError extends Error {
  override readonly name = 'DemoCutShortError'

  constructor() {
    super('The demo in this database is incomplete. Create it again: npm start -- --reset')
  }
}

async function findDemoCompany(context: AppContext, name: DemoCompanyName): Promise<Company | undefined> {
  try {
    return await findCompany(context, demoCompanies[name].orgnr)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return undefined
    throw error
  }
}

function planFor(createdAt: Date, seed: string | undefined): DemoPlan {
  const instant = Temporal.Instant.fromEpochMilliseconds(createdAt.getTime())
  return planDemo(instant.toZonedDateTimeISO(demoTimeZone).toPlainDate(), seed)
}

/**
 * The demo of an earlier start, or undefined, as the operator's commands find companies and sources. Sources are found
 * by their order, since anyone may have renamed them.
 *
 * @param wantedSeed if it is not the default
 * @throws DemoCutShortError where it is incomplete
 */
export async function findDemo(context: AppContext, wantedSeed?: string): Promise<DemoScene | undefined> {
  const found = await Promise.all(demoCompanyNames.map((name) => findDemoCompany(context, name)))
  if (found.every((company) => company === undefined)) return undefined
  const companies = {} as Record<DemoCompanyName, Company>
  const sources = {} as DemoScene['sources']
  for (const [index, name] of demoCompanyNames.entries()) {
    const company = found[index]
    if (company === undefined) throw new DemoCutShortError()
    companies[name] = company
    const { companyId } = company
    const at = await context.shards.ofCompany(companyId)
    const { items } = await listSources(at, 'operator', companyId)
    for (const [place, sourceName] of demoSourceNames[name].entries()) {
      const source = items[place]
      if (source === undefined) throw new DemoCutShortError()
      sources[sourceName] = { ...source, companyId }
    }
  }
  // The sole trader joins last, on the day on which the demo is created.
  const { seed, today } = planFor(companies.soleTrader.createdAt, wantedSeed)
  return { seed, today, companies, sources }
}

/**
 * The demo of an earlier start, or a new one in a database that has none. Call it before the service listens.
 *
 * @param seed if it is not the default
 * @throws DemoCutShortError where an earlier start did not complete it
 */
export async function openDemo(
  context: AppContext,
  { seed, ...options }: CreateDemoOptions & { seed?: string } = {},
): Promise<DemoScene> {
  const { demoCredential, dataFolder } = context.config
  const found = await findDemo(context, seed)
  if (found !== undefined) {
    const { companyId, sourceId } = found.sources.shop
    // The configuration may have another credential by now.
    if (demoCredential !== undefined) await addDemoConnection(context, companyId, sourceId, demoCredential)
    return found
  }
  const nowMs = context.clock.now()
  {
    await using history = await openHistory(context)
    await createDemo(history, planFor(new Date(nowMs), seed), dataFolder, nowMs, options)
  }
  return (await findDemo(context, seed))!
}
