import type { PoolClient } from 'pg'
import { conflict } from '../../platform/http/errors/errors.ts'
import { selectSourceNames } from './queries.ts'

/** Two names that people would take for one: case, spaces and forms of a character do not tell them apart. */
function foldName(name: string): string {
  return name.normalize('NFKC').toLowerCase().replaceAll(/\s/g, '')
}

/**
 * Checks that no other source of the company has the name. Call it in the transaction that stores the name, with the company
 * locked (`lockCompany`), since names from before this check may be there twice and no index can forbid it.
 *
 * @param before what the source is called so far: it may keep its name, also where another one has it
 * @throws 409 `conflict` with field `name`
 */
export async function requireOwnName(
  client: PoolClient,
  companyId: string,
  name: string,
  before?: { sourceId: string; name: string },
): Promise<void> {
  const folded = foldName(name)
  if (before !== undefined && foldName(before.name) === folded) return
  const others = await selectSourceNames.rows(client, { companyId })
  const same = others.find((other) => other.source_id !== before?.sourceId && foldName(other.name) === folded)
  if (same === undefined) return
  throw conflict(`The company has a source named "${same.name}" already: choose another name.`, 'name')
}
