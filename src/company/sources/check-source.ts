import type { PoolClient } from 'pg'
import { aggregations } from '../../engine/aggregations/aggregations.ts'
import { checkDeclaration } from '../../engine/declarations/check-declaration.ts'
import type { Declaration } from '../../engine/declarations/declaration.ts'
import { conflict, invalidArgument } from '../../platform/http/errors/errors.ts'
import { checkDisplayText } from '../../platform/http/requests/check-display-text.ts'
import { selectSourceNames } from './queries.ts'
import type { SourceSettings } from './source.ts'

/** Names that differ only in case, spaces or forms of a character count as the same. */
function normalizeName(name: string): string {
  return name.normalize('NFKC').toLowerCase().replaceAll(/\s/g, '')
}

/**
 * Checks what a source is created or saved with. Runs in the transaction that stores it, with the company locked
 * (`lockCompany`): an index cannot hold names apart, since older sources may share one.
 *
 * @param before the source so far, which keeps its name even if another source has it too
 * @returns the settings, with their texts trimmed
 * @throws 400 `invalid_argument` with the field of the first problem; 409 `conflict` with field `name` if another source of
 *   the company has it
 */
export async function checkSource(
  client: PoolClient,
  companyId: string,
  input: SourceSettings & { declaration: Declaration },
  before?: { sourceId: string; name: string },
): Promise<SourceSettings> {
  const name = checkDisplayText(input.name, 'name')
  const systemKind = checkDisplayText(input.systemKind, 'system_kind')
  const { channel, format, declaration } = input
  const fault = checkDeclaration(declaration, declaration.metrics, aggregations)[0]
  if (fault !== undefined) throw invalidArgument(fault.message, fault.field)
  if (before === undefined || normalizeName(before.name) !== normalizeName(name)) {
    await requireUniqueName(client, companyId, name, before?.sourceId)
  }
  return { name, systemKind, channel, format }
}

async function requireUniqueName(
  client: PoolClient,
  companyId: string,
  name: string,
  ownId: string | undefined,
): Promise<void> {
  const normalized = normalizeName(name)
  const sources = await selectSourceNames.rows(client, { companyId })
  const same = sources.find((other) => other.source_id !== ownId && normalizeName(other.name) === normalized)
  if (same === undefined) return
  throw conflict(`The company has a source named "${same.name}" already: choose another name.`, 'name')
}
