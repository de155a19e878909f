import type { Context } from '../service/context.ts'
import { checkDisplayText } from '../http/check-display-text.ts'
import { conflict, invalidArgument } from '../http/errors.ts'
import { uuidv7 } from '../values/uuidv7.ts'
import { checkTimeZone } from './check-time-zone.ts'
import { toCompany, type Company } from './company.ts'
import { parseOrgnr } from '../values/orgnr.ts'
import { insertCompany } from './queries.ts'

/**
 * Adds a company. Only the operator does [bootstrap].
 *
 * @throws 400 with the field that is wrong; 409 `conflict` where the number is a company's already
 */
export async function addCompany(
  context: Pick<Context, 'pool' | 'clock'>,
  input: { orgnr: string; name: string; timeZone: string },
): Promise<Company> {
  const now = context.clock.now()
  const orgnr = parseOrgnr(input.orgnr, new Date(now))
  if (orgnr === undefined) throw invalidArgument('It is no organisation number.', 'orgnr')
  const name = checkDisplayText(input.name, 'name')
  const timeZone = checkTimeZone(input.timeZone)
  const row = await insertCompany.first(context.pool, {
    companyId: uuidv7(now),
    orgnr,
    name,
    timeZone,
    at: new Date(now),
  })
  if (row === undefined) throw conflict('There is a company with this organisation number already.', 'orgnr')
  return toCompany(row)
}
