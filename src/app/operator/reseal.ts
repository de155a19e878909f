import type { AppContext } from '../app-context.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  sealedBankIdOrders,
  sealedDemoOrders,
  sealedOpenIdConnectOrders,
  sealedSignatures,
} from '../../people/identity/sealed-tables.ts'
import { sealedDeploymentKeys } from '../../platform/keys/deployment-keys.ts'
import { retireMasterKeys } from '../../platform/keys/retire-master-keys.ts'
import type { SealedTable } from '../../platform/keys/sealed-table.ts'
import { sealedSessions } from '../../people/sessions/sealed-sessions.ts'
import { sealedSigningSecrets } from '../../company/sources/signing-secrets/sealed-signing-secrets.ts'
import { OperatorError } from './operator-error.ts'

/** Every table with sealed values. */
export const sealedTables: readonly SealedTable[] = [
  sealedDeploymentKeys,
  sealedSigningSecrets,
  sealedSignatures,
  sealedDemoOrders,
  sealedBankIdOrders,
  sealedOpenIdConnectOrders,
  sealedSessions,
]

/**
 * How many times all tables are gone through for values sealed under the previous key meanwhile. Then the command
 * fails.
 */
export const resealRoundsMax = 20
const pauseMs = 100

export interface Resealed {
  /** How many values were resealed, by table. */
  resealed: Record<string, number>
  /** Fingerprints of the keys that no longer open anything; none where the current key was already the only one. */
  retired: string[]
}

/**
 * Reseals everything under the current master key and then retires the previous one. The service may run meanwhile,
 * in any number of processes, with both keys. Any number of calls may run at the same time, and one that was interrupted is
 * simply repeated.
 *
 * @throws OperatorError where values are still being sealed under the previous key
 */
export async function reseal(context: Pick<AppContext, 'pool' | 'clock' | 'keys'>): Promise<Resealed> {
  const resealed: Record<string, number> = {}
  for (let round = 1; round <= resealRoundsMax; round++) {
    for (const sealed of sealedTables) {
      resealed[sealed.table] = (resealed[sealed.table] ?? 0) + (await sealed.reseal(context))
    }
    const retired = await retireMasterKeys(context)
    if (retired !== undefined) return { resealed, retired: retired.map((each) => each.toString('hex')) }
    await sleep(pauseMs)
  }
  throw new OperatorError(
    'Something is still being sealed under the previous master key: a process runs with it as NUMERA_MASTER_KEY. ' +
      'Start it with the new key, and the old one as NUMERA_MASTER_KEY_PREVIOUS, and call again.',
  )
}
