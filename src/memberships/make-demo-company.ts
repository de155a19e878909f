import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { addMadeUpCompany } from '../companies/add-made-up-company.ts'
import type { Company } from '../companies/company.ts'
import { inTransaction } from '../database/transaction.ts'
import { checkDisplayText } from '../http/check-display-text.ts'
import { clientNetwork, widerNetwork } from '../http/client-network.ts'
import { consume } from '../rate-limit/consume.ts'
import { rateLimited } from '../rate-limit/rate-limited.ts'
import type { Context } from '../service/context.ts'
import { insertMembership } from './queries.ts'

/** Companies that visitors of one network make on a demo deployment. */
export const demoCompanyRate = { perMinute: 1, burst: 5 }

/** Companies that visitors of one wider network make: with them it cannot take a fifth of the demo's numbers in a day. */
export const demoCompanyWiderRate = { perMinute: 0.1, burst: 50 }

/**
 * Makes a visitor of a demo deployment a company of their own, with a made-up number, of which they are the owner.
 *
 * @param address of the client
 * @throws 400 with field `name`; 409 `conflict` where all made-up numbers are taken; 429 `rate_limited`
 */
export async function makeDemoCompany(
  context: Pick<Context, 'pool' | 'clock'>,
  memberId: string,
  input: { name: string },
  address: string,
): Promise<Company> {
  const name = checkDisplayText(input.name, 'name')
  // In this order, so that a network that is refused takes nothing from its neighbours.
  for (const [subject, rate] of [
    [`demo_company ${clientNetwork(address)}`, demoCompanyRate],
    [`demo_company_wider ${widerNetwork(address)}`, demoCompanyWiderRate],
  ] as const) {
    const bucket = await consume(context.pool, subject, rate, context.clock.now())
    if (bucket.granted) continue
    throw rateLimited(bucket.retryAfterSeconds, {
      message: 'Too many companies were made from this network; wait a little.',
    })
  }
  return inTransaction(context.pool, async (client) => {
    const company = await addMadeUpCompany(context, client, name)
    const { companyId } = company
    const now = context.clock.now()
    const at = new Date(now)
    const owner = { role: 'owner', label: null, addedBy: null, opened: true } as const
    await insertMembership.run(client, { companyId, memberId, ...owner, at })
    await recordAuditEvent(client, {
      companyId,
      actor: { memberId },
      action: 'company_made',
      subject: { kind: 'company', id: companyId, name },
      atMs: now,
    })
    return company
  })
}
