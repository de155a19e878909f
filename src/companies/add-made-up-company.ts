import { randomInt } from 'node:crypto'
import type { Context } from '../service/context.ts'
import type { Queryable } from '../database/pool.ts'
import { conflict } from '../http/errors.ts'
import { passesLuhn } from '../values/luhn.ts'
import { uuidv7 } from '../values/uuidv7.ts'
import { toCompany, type Company } from './company.ts'
import { insertCompany, selectOrgnrsBetween } from './queries.ts'

/** Companies with a made-up number, 559999-…, the demo's own ones counted. There are no more such numbers. */
export const madeUpCompaniesMax = 1_000

/** Numbers that no real company has: of companies that people make on a demo, and of visits to its documents. */
const prefixes = { company: '559999', visit: '559998' } as const
const timeZone = 'Europe/Stockholm'

/** Whether a number is one of a visit's; on a deployment that is no demo it may be a real company's. */
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
 * Adds a company with a number that is nobody's, for a demo deployment. In the transaction that gives it an owner.
 *
 * @param name as `checkDisplayText` gave it
 * @param what the numbers of visits are others, so that neither uses up the other's
 * @throws 409 `conflict` where all such numbers are taken
 */
export async function addMadeUpCompany(
  context: Pick<Context, 'clock'>,
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
    // Otherwise somebody else took it just now.
    if (row !== undefined) return toCompany(row)
  }
  throw conflict('The demo has as many companies as there are made-up numbers.')
}
