import type { CompanyLimits } from '../config/config.ts'
import { addCompany } from '../companies/add-company.ts'
import { findCompany } from '../companies/find-company.ts'
import { ApiError } from '../http/errors.ts'
import type { Context } from '../service/context.ts'
import { setLimits } from '../usage/set-limits.ts'

/** What visitors send goes here. It has no members: nobody sees it on a page. The number is nobody's. */
const visitCompany = { orgnr: '5599980017', name: 'Try it', timeZone: 'Europe/Stockholm' }

/**
 * What all visits together may hold until the demo is made anew. Beyond `sources` there is no further visit (409
 * `conflict`), beyond the others no further push (429 `rate_limited`).
 */
export const visitLimits = {
  sources: 1_000,
  cells: 100_000,
  stored_bytes: 64 * 1_024 ** 2,
  waiting_bytes: 32 * 1_024 ** 2,
  waiting_deliveries: 1_000,
} satisfies Partial<CompanyLimits>

/** For a `catch`: undefined for an error of this code; any other one is thrown on. */
function unless(code: ApiError['code']): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof ApiError && error.code === code) return undefined
    throw error
  }
}

/** The company that visits belong to, made at the first one, and held to its limits. @returns its id */
export async function requireVisitCompany(
  context: Pick<Context, 'pool' | 'clock' | 'config'>,
): Promise<string> {
  const { orgnr } = visitCompany
  const { companyId } =
    (await findCompany(context, orgnr).catch(unless('not_found'))) ??
    // Two first visits at once: the second finds the company of the first.
    (await addCompany(context, visitCompany).catch(unless('conflict'))) ??
    (await findCompany(context, orgnr))
  await setLimits(context, companyId, visitLimits)
  return companyId
}
