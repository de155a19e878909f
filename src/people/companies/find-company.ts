import type { DirectoryContext } from '../../context.ts'
import { parseOrgnr } from '../../formats/values/orgnr.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { invalidArgument, notFound } from '../../platform/http/errors/errors.ts'
import { toCompany, type Company } from './company.ts'
import { selectCompany, selectCompanyByOrgnr } from './queries.ts'

/**
 * The company with an organisation number in any of its forms, for the operator.
 *
 * @throws 400 if it is not such a number, 404 if no company has it
 */
export async function findCompany(
  context: Pick<DirectoryContext, 'pool' | 'clock'>,
  orgnr: string,
): Promise<Company> {
  const digits = parseOrgnr(orgnr, new Date(context.clock.now()))
  if (digits === undefined) throw invalidArgument('This is not an organisation number.', 'orgnr')
  const row = await selectCompanyByOrgnr.first(context.pool, { orgnr: digits })
  if (row === undefined) throw notFound()
  return toCompany(row)
}

export async function findCompanyById(on: Queryable, companyId: string): Promise<Company | undefined> {
  const row = await selectCompany.first(on, { companyId })
  return row && toCompany(row)
}
