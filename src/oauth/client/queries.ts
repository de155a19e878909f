import { textArray } from '../../database/binary-array.ts'
import { defineStatement } from '../../database/define-statement.ts'
import type { Queryable } from '../../database/pool.ts'

const selectKnownClients = defineStatement<{ client_id: string }, { clientIds: Buffer }>(
  'oauth.select-known-clients',
  `
  select asked.client_id
  from unnest($clientIds::text[]) as asked (client_id)
  where exists (select from apps where apps.client_id = asked.client_id)
    or exists (select from connections where connections.client_id = asked.client_id)`,
)

/** Those of the ids that belong to an app or a connection, even an ended one. */
export async function readKnownClients(
  on: Queryable,
  clientIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await selectKnownClients.rows(on, { clientIds: textArray(clientIds) })
  return new Set(rows.map((row) => row.client_id))
}
