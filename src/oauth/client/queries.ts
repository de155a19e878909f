import { defineStatement } from '../../platform/database/define-statement.ts'

/** Those of the ids that belong to an app or a connection, even an ended one. */
export const selectKnownClients = defineStatement<{ client_id: string }, { clientIds: Buffer }>(
  'oauth.select-known-clients',
  `
  select given.client_id
  from unnest($clientIds::text[]) as given (client_id)
  where exists (select from apps where apps.client_id = given.client_id)
    or exists (select from connections where connections.client_id = given.client_id)`,
)
