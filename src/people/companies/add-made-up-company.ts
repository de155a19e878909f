import { randomInt } from 'node:crypto'
import type { DirectoryContext } from '../../context.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { conflict } from '../../platform/http/errors/errors.ts'
import { passesLuhn } from '../../formats/values/luhn.ts'
import { uuidv7 } from '../../formats/values/uuidv7.ts'
import { toCompany, type Company } from './company.ts'
import { insertCompany, selectOrgnrsBetween } from './queries.ts'

/** Companies with a made-up number, 559999-…, including the demo's own. There are no more such numbers. */
const madeUpCompaniesMax = 1_000

/** Of numbers that no real company has: for companies that people create on a demo, and for visits to its documents. */
const prefixes = { company: '559999', visit: '559998' } as const
const timeZone = 'Europe/Stockholm'

/** On a deployment that is not a demo, such a number may be a real company's. */
export function isVisitOrgnr(orgnr: string): boolean {
  return orgnr.startsWith(prefixes.visit)
}

/** Every number of the prefix whose check digit is right. */
function madeUpOrgnrs(prefix: string): string[] {
  return Array.from({ length: madeUpCompaniesMax }, (_, number) => {
    const digits = `${prefix}${String(number).padStart(3, '0')}`
    return Array.from({ length: 10 }, (_none, check) => `${digits}${check}`).find(passesLuhn)!
  })
}

/**
 * Adds a company with a made-up number to a demo deployment, in the transaction that gives it an owner.
 *
 * @param name as `checkDisplayText` returned it
 * @param what visits have numbers of their own, so that neither uses up the other's
 * @throws 409 `conflict` if all such numbers are taken
 */
export async function addMadeUpCompany(
  context: Pick<DirectoryContext, 'clock'>,
  on: Queryable,
  name: string,
  what: keyof typeof prefixes = 'company',
): Promise<Company> {
  const prefix = prefixes[what]

  const rows = await selectOrgnrsBetween.rows(on, {
    first: `${prefix}0000`,
    last: `${prefix}9999`,
    max: madeUpCompaniesMax,
  })
  const taken = new Set(rows.map(({ orgnr }) => orgnr))
  const free = madeUpOrgnrs(prefix).filter((orgnr) => !taken.has(orgnr))
  const now = context.clock.now()
  while (free.length > 0) {
    const [orgnr] = free.splice(randomInt(free.length), 1)
    const companyId = uuidv7(now)
    const row = await insertCompany.first(on, { companyId, orgnr: orgnr!, name, timeZone, at: new Date(now) })
    // Otherwise a concurrent call took it.
    if (row !== undefined) return toCompany(row)
  }
  throw conflict('The demo has as many companies as there are made-up numbers.')
}
