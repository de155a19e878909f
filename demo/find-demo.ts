import type { AppContext } from '../src/app/app-context.ts'
import type { Company } from '../src/people/companies/company.ts'
import { findCompany } from '../src/people/companies/find-company.ts'
import { findMember } from '../src/people/members/find-member.ts'
import { ApiError } from '../src/platform/http/errors/errors.ts'
import { listSources } from '../src/company/sources/list-sources.ts'
import { demoCompanies, demoOwner } from './demo-companies.ts'
import { demoTimeZone, planDemo } from './demo-plan.ts'
import {
  demoCompanyNames,
  demoSourceNames,
  type DemoCompanyName,
  type DemoScene,
  type DemoSource,
} from './demo-scene.ts'

/** The demo in this database was begun, and its process ended before it was whole. */
export class DemoCutShortError extends Error {
  override readonly name = 'DemoCutShortError'

  constructor() {
    super('The demo in this database was not made to its end. Make it anew: npm start -- --reset')
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

/**
 * The demo that an earlier start has made; undefined where there is none. Its sources are found by their places, since
 * anybody may have renamed them.
 *
 * @param wantedSeed the one it was made with, if it is not the usual one
 * @throws DemoCutShortError where it is not whole
 */
export async function findDemo(context: AppContext, wantedSeed?: string): Promise<DemoScene | undefined> {
  const found = await Promise.all(demoCompanyNames.map((name) => findDemoCompany(context, name)))
  if (found.every((company) => company === undefined)) return undefined
  const companies = {} as DemoScene['companies']
  const sources = {} as DemoScene['sources']
  for (const [index, name] of demoCompanyNames.entries()) {
    const company = found[index]
    if (company === undefined) throw new DemoCutShortError()
    companies[name] = company
    const { companyId } = company
    const { items } = await listSources(context, 'operator', companyId)
    for (const [place, sourceName] of demoSourceNames[name].entries()) {
      const source = items[place]
      if (source === undefined) throw new DemoCutShortError()
      sources[sourceName] = { ...source, companyId } satisfies DemoSource
    }
  }
  // The sole trader joins last, on the day on which the demo is made.
  const joined = Temporal.Instant.fromEpochMilliseconds(companies.soleTrader.createdAt.getTime())
  const createdOn = joined.toZonedDateTimeISO(demoTimeZone).toPlainDate()
  const { seed, today, firstDay } = planDemo(createdOn, wantedSeed)
  const { personalNumber, name } = demoOwner
  const { memberId } = await findMember(context, personalNumber)
  return { seed, today, firstDay, owner: { memberId, personalNumber, name }, companies, sources }
}
