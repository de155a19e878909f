import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto'
import type { Pool } from 'pg'
import type { Clock } from '../clock/clock.ts'
import { inTransaction } from '../database/transaction.ts'
import { checkMasterKeys } from './check-master-keys.ts'
import type { LoadedMasterKeys } from './load-master-keys.ts'
import type { MasterKeys } from './master-key.ts'
import { insertDeploymentKey, insertMasterKey, lockMasterKeys, selectDeploymentKeys } from './queries.ts'
import { defineSealedTable } from './sealed-table.ts'
import { seal, unseal } from './seal.ts'

/** Every key of a deployment. Printing it reveals none. */
export interface DeploymentKeys {
  readonly master: MasterKeys
  /** Members' personal numbers are hashed under it, and what a provider calls them. */
  readonly personalNumbers: KeyObject
  /** Sessions' CSRF tokens are made with it. */
  readonly csrfTokens: KeyObject
}

const keyBytes = 32
const names = { personalNumbers: 'personal_numbers', csrfTokens: 'csrf_tokens' } as const

function toPlace(name: string): string {
  return `deployment-key:${name}`
}

/**
 * The keys of a deployment, with its master key recorded: the first start records it and creates the others. Processes
 * that start concurrently find those of the first.
 *
 * @throws ConfigError as `checkMasterKeys`, with nothing changed
 */
export async function openDeploymentKeys(
  context: { pool: Pool; clock: Clock },
  master: LoadedMasterKeys,
  random: (bytes: number) => Buffer = randomBytes,
): Promise<DeploymentKeys> {
  return inTransaction(context.pool, async (client) => {
    const at = new Date(context.clock.now())
    await lockMasterKeys.run(client, {})
    if (!(await checkMasterKeys(client, master))) {
      await insertMasterKey.run(client, { fingerprint: master.current.fingerprint, at })
    }
    const stored = new Map((await selectDeploymentKeys.rows(client, {})).map((row) => [row.name, row.sealed]))
    const open = async (name: string): Promise<KeyObject> => {
      const sealed = stored.get(name)
      if (sealed !== undefined) return createSecretKey(unseal(master, sealed, toPlace(name)))
      const key = random(keyBytes)
      await insertDeploymentKey.run(client, { name, sealed: seal(master, key, toPlace(name)), at })
      return createSecretKey(key)
    }
    return {
      master,
      personalNumbers: await open(names.personalNumbers),
      csrfTokens: await open(names.csrfTokens),
    }
  })
}

export const sealedDeploymentKeys = defineSealedTable<{ name: string }>(
  'deployment_keys',
  'sealed',
  { name: 'text' },
  (key) => toPlace(key.name),
)
