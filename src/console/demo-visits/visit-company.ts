import { addMadeUpCompany } from '../../people/companies/add-made-up-company.ts'
import type { CompanyLimits } from '../../platform/config/config.ts'
import type { DirectoryContext } from '../../context.ts'

/**
 * What one visit may store until the demo is created again: its share, independent of other visits. Beyond it, its own pushes are
 * 429 `rate_limited`.
 */
export const visitLimits = {
  sources: 1,
  cells: 1_000,
  stored_bytes: 256 * 1_024,
  waiting_bytes: 256 * 1_024,
  waiting_deliveries: 50,
} satisfies Partial<CompanyLimits>

/**
 * Creates a company for one visit, which gets `visitLimits`. It has no members, so no page shows it. Like any company it has a share of
 * workers, connections for reads and memory for bodies.
 *
 * @returns its id
 * @throws 409 `conflict` if all numbers of visits are taken
 */
export async function addVisitCompany(context: Pick<DirectoryContext, 'pool' | 'clock'>): Promise<string> {
  const { companyId } = await addMadeUpCompany(context, context.pool, 'Try it', 'visit')
  return companyId
}
