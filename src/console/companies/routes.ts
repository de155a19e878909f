import type { DirectoryContext } from '../../context.ts'
import { formatOrgnr } from '../../formats/values/orgnr.ts'
import type { Company } from '../../people/companies/company.ts'
import { requireRole } from '../../people/members/require-role.ts'
import { guardSession } from '../../people/sessions/guard-session.ts'
import { route, type App } from '../../platform/http/contract.ts'
import { changeFiscalYear } from './change-company.ts'
import { changeCompanyContract, listOwnCompaniesContract, showCompanyContract } from './contract.ts'
import { listOwnCompanies } from './list-own-companies.ts'
import { selectOwners } from './queries.ts'

function toCompanyAnswer(company: Company) {
  return {
    company_id: company.companyId,
    orgnr: formatOrgnr(company.orgnr),
    name: company.name,
    time_zone: company.timeZone,
    fiscal_year_month: company.fiscalYearMonth,
  }
}

export async function registerCompanyRoutes(app: App, context: DirectoryContext): Promise<void> {
  await guardSession(app, context)

  app.get('/console/companies', route(listOwnCompaniesContract), async ({ session }) => {
    const companies = await listOwnCompanies(context, session.memberId)
    return {
      companies: companies.map((company) => ({
        ...toCompanyAnswer(company),
        role: company.role,
        late_sources: company.lateSources,
        last_received_at: company.lastReceivedAt?.toISOString() ?? null,
      })),
    }
  })

  app.get('/console/companies/:company_id', route(showCompanyContract), async ({ session, params }) => {
    const { company_id: companyId } = params
    const company = await requireRole(context.pool, session, companyId, 'reader')
    return {
      ...toCompanyAnswer(company),
      created_at: company.createdAt,
      owners: await selectOwners.rows(context.pool, { companyId }),
    }
  })

  app.patch(
    '/console/companies/:company_id',
    route(changeCompanyContract),
    async ({ session, params, body }) =>
      toCompanyAnswer(
        await changeFiscalYear(context, session, params.company_id, {
          month: body.fiscal_year_month,
          expected: body.expected_fiscal_year_month,
        }),
      ),
  )
}
