import { recordAuditEvent } from '../../company/audit/record-audit-event.ts'
import { addMadeUpCompany } from '../../people/companies/add-made-up-company.ts'
import type { Company } from '../../people/companies/company.ts'
import { inDirectoryTransaction } from '../../platform/database/directory/directory-transaction.ts'
import { checkDisplayText } from '../../platform/http/requests/check-display-text.ts'
import { clientNetwork, widerNetwork } from '../../platform/http/requests/client-network.ts'
import { enforceRate } from '../../platform/rate-limit/enforce-rate.ts'
import type { DirectoryContext } from '../../context.ts'
import { insertMembership } from './queries.ts'

/** How many companies visitors from one network may create on a demo deployment. */
const demoCompanyRate = { perMinute: 1, burst: 5 }

/** The same for a wider network, which cannot use up a fifth of the demo's numbers in a day. */
export const demoCompanyWiderRate = { perMinute: 0.1, burst: 50 }

/**
 * Creates a company with a made-up number for a visitor of a demo deployment, who owns it.
 *
 * @param address of the client
 * @throws 400 with field `name`; 409 `conflict` if all made-up numbers are taken; 429 `rate_limited`
 */
export async function createDemoCompany(
  context: Pick<DirectoryContext, 'pool' | 'clock'>,
  memberId: string,
  input: { name: string },
  address: string,
): Promise<Company> {
  const name = checkDisplayText(input.name, 'name')
  // In this order, so that a network that is refused uses nothing of its neighbours' rate.
  const message = 'Too many companies were created from this network; wait a while.'
  await enforceRate(context, `demo_company ${clientNetwork(address)}`, demoCompanyRate, message)
  await enforceRate(context, `demo_company_wider ${widerNetwork(address)}`, demoCompanyWiderRate, message)
  return inDirectoryTransaction(context.pool, async (client) => {
    const company = await addMadeUpCompany(context, client, name)
    const { companyId } = company
    const now = context.clock.now()
    const at = new Date(now)
    const owner = { role: 'owner', label: null, addedBy: null, opened: true } as const
    await insertMembership.run(client, { companyId, memberId, ...owner, at })
    await recordAuditEvent(client, {
      companyId,
      actor: { memberId },
      action: 'company_created',
      subject: { kind: 'company', id: companyId, name },
      atMs: now,
    })
    return company
  })
}
