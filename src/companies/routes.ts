import type { Context } from '../service/context.ts'
import { route, type App } from '../http/contract.ts'
import { guardSession } from '../sessions/guard-session.ts'
import { formatOrgnr } from '../values/orgnr.ts'
import type { Company } from './company.ts'
import { listOwnCompaniesContract, showCompanyContract } from './contract.ts'
import { listCompaniesWithFreshness } from './list-companies-with-freshness.ts'
import { showCompany } from './show-company.ts'

function companyAnswer(company: Company) {
  return {
    company_id: company.companyId,
    orgnr: formatOrgnr(company.orgnr),
    name: company.name,
    time_zone: company.timeZone,
  }
}

/** Companies: for the pages. */
export async function registerCompanyRoutes(app: App, context: Context): Promise<void> {
  await guardSession(app, context)

  app.get('/console/companies', route(listOwnCompaniesContract), async ({ session }) => {
    const companies = await listCompaniesWithFreshness(context, session.memberId)
    return {
      companies: companies.map((company) => ({
        ...companyAnswer(company),
        role: company.role,
        late_sources: company.lateSources,
        last_received_at: company.lastReceivedAt?.toISOString() ?? null,
      })),
    }
  })

  app.get('/console/companies/:company_id', route(showCompanyContract), async ({ session, params }) => {
    const company = await showCompany(context, session, params.company_id)
    return {
      ...companyAnswer(company),
      created_at: company.createdAt,
      owners: company.owners.map((owner) => ({ member_id: owner.memberId, name: owner.name })),
    }
  })
}
