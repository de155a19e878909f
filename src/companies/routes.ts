import type { Context } from '../service/context.ts'
import { route, type App } from '../http/contract.ts'
import { guardSession } from '../sessions/guard-session.ts'
import { formatOrgnr } from '../values/orgnr.ts'
import { showCompanyContract } from './contract.ts'
import { showCompany } from './show-company.ts'

/** A company: for the pages. */
export async function registerCompanyRoutes(app: App, context: Context): Promise<void> {
  await guardSession(app, context)

  app.get('/console/companies/:company_id', route(showCompanyContract), async ({ session, params }) => {
    const company = await showCompany(context, session, params.company_id)
    return {
      company_id: company.companyId,
      orgnr: formatOrgnr(company.orgnr),
      name: company.name,
      time_zone: company.timeZone,
      created_at: company.createdAt,
    }
  })
}
