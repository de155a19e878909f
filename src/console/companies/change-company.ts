import { recordAuditEvent } from '../../company/audit/record-audit-event.ts'
import type { DirectoryContext } from '../../context.ts'
import type { Company } from '../../people/companies/company.ts'
import { lockCompany } from '../../people/companies/lock-company.ts'
import { requireKept } from '../../people/companies/require-kept.ts'
import { setFiscalYear } from '../../people/companies/set-fiscal-year.ts'
import type { Actor } from '../../people/members/actor.ts'
import { requireRole } from '../../people/members/require-role.ts'
import { inDirectoryTransaction } from '../../platform/database/directory/directory-transaction.ts'
import { conflict } from '../../platform/http/errors/errors.ts'

/**
 * Sets the month with which the company's fiscal year begins.
 *
 * @param expected the month that the caller changed
 * @throws 403, 404 as `requireRole`; 409 `conflict` with the current month as the details if another owner changed it meanwhile;
 *   409 as `requireKept`
 */
export async function changeFiscalYear(
  context: Pick<DirectoryContext, 'pool' | 'clock'>,
  actor: Actor,
  companyId: string,
  { month, expected }: { month: number; expected: number },
): Promise<Company> {
  return inDirectoryTransaction(context.pool, async (client) => {
    await lockCompany(client, companyId)
    const company = await requireRole(client, actor, companyId, 'owner')
    await requireKept(client, companyId)
    const { fiscalYearMonth: before, name } = company
    if (before !== expected) {
      throw conflict('Another owner changed the fiscal year meanwhile.', 'expected_fiscal_year_month', {
        fiscal_year_month: before,
      })
    }
    if (before === month) return company
    await setFiscalYear(client, companyId, month)
    await recordAuditEvent(client, {
      companyId,
      actor,
      action: 'company_changed',
      subject: { kind: 'company', id: companyId, name },
      details: { fiscal_year_month: month, previous_fiscal_year_month: before },
      atMs: context.clock.now(),
    })
    return { ...company, fiscalYearMonth: month }
  })
}
