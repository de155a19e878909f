import type { Context } from '../service/context.ts'
import { invalidArgument, notFound } from '../http/errors.ts'
import { toCompany, type Company } from './company.ts'
import { parseOrgnr } from '../values/orgnr.ts'
import { selectCompanyByOrgnr } from './queries.ts'

/**
 * The company with an organisation number in any of its forms, for the operator.
 *
 * @throws 400 where it is not such a number, 404 where no company has it
 */
export async function findCompany(context: Pick<Context, 'pool' | 'clock'>, orgnr: string): Promise<Company> {
  const digits = parseOrgnr(orgnr, new Date(context.clock.now()))
  if (digits === undefined) throw invalidArgument('It is no organisation number.', 'orgnr')
  const row = await selectCompanyByOrgnr.first(context.pool, { orgnr: digits })
  if (row === undefined) throw notFound()
  return toCompany(row)
}
