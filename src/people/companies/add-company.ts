import type { DirectoryContext } from '../../context.ts'
import { checkDisplayText } from '../../platform/http/requests/check-display-text.ts'
import { conflict, invalidArgument } from '../../platform/http/errors/errors.ts'
import { uuidv7 } from '../../formats/values/uuidv7.ts'
import { checkTimeZone } from './check-time-zone.ts'
import { toCompany, type Company } from './company.ts'
import { parseOrgnr } from '../../formats/values/orgnr.ts'
import { insertCompany } from './queries.ts'

/**
 * Adds a company, which only the operator does [bootstrap].
 *
 * @throws 400 with the field that is wrong; 409 `conflict` if a company has the number
 */
export async function addCompany(
  context: Pick<DirectoryContext, 'pool' | 'clock'>,
  input: { orgnr: string; name: string; timeZone: string },
): Promise<Company> {
  const now = context.clock.now()
  const orgnr = parseOrgnr(input.orgnr, new Date(now))
  if (orgnr === undefined) throw invalidArgument('This is not an organisation number.', 'orgnr')
  const name = checkDisplayText(input.name, 'name')
  const timeZone = checkTimeZone(input.timeZone)
  const row = await insertCompany.first(context.pool, {
    companyId: uuidv7(now),
    orgnr,
    name,
    timeZone,
    at: new Date(now),
  })
  if (row === undefined) throw conflict('A company with this organisation number already exists.', 'orgnr')
  return toCompany(row)
}
