import {
  sealedBankIdOrders,
  sealedDemoOrders,
  sealedOpenIdConnectOrders,
  sealedSignatures,
} from '../../people/identity/sealed-tables.ts'
import { sealedDeploymentKeys } from '../../platform/keys/deployment-keys.ts'
import type { SealedTable } from '../../platform/keys/sealed-table.ts'
import { sealedSessions } from '../../people/sessions/sealed-sessions.ts'
import { sealedSigningSecrets } from '../../company/sources/signing-secrets/sealed-signing-secrets.ts'
import type { AppContext } from '../app-context.ts'

/** Every table of the shared schemas with sealed values. */
const sharedTables: readonly SealedTable[] = [
  sealedDeploymentKeys,
  sealedSignatures,
  sealedDemoOrders,
  sealedBankIdOrders,
  sealedOpenIdConnectOrders,
  sealedSessions,
]

/** Those of each shard. */
const shardTables: readonly SealedTable[] = [sealedSigningSecrets]

export const sealedTables = [...sharedTables, ...shardTables]

/** What a sealed table is reached with. */
export type SealedTableContext = Parameters<SealedTable['reseal']>[0]

/** Visits every sealed table of the deployment, one after another: the shared ones, then those of each shard. */
export async function forEachSealedTable(
  context: Pick<AppContext, 'pool' | 'keys' | 'shards'>,
  visit: (sealed: SealedTable, on: SealedTableContext) => Promise<void>,
): Promise<void> {
  for (const sealed of sharedTables) await visit(sealed, context)
  for (const at of await context.shards.list()) for (const sealed of shardTables) await visit(sealed, at)
}
