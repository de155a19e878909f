import { ConfigError } from '../config/config-error.ts'
import type { Queryable } from '../database/pool.ts'
import type { LoadedMasterKeys } from './load-master-keys.ts'
import { selectHasMasterKeys, selectMasterKeys } from './queries.ts'

function otherKey(from: string, own: string, wanted: string): string {
  return (
    `${from} holds another master key (fingerprint ${own}) than the one that this database is sealed under ` +
    `(${wanted}): start with that one. To change it for this one, set this one as NUMERA_MASTER_KEY, or have ` +
    'NUMERA_MASTER_KEY_COMMAND print it, and set that one as NUMERA_MASTER_KEY_PREVIOUS. Nothing was changed'
  )
}

function halfChanged(missing: string): string {
  return (
    `NUMERA_MASTER_KEY_PREVIOUS must be set: the master key of this database is being changed, and some of it is still ` +
    `sealed under the key with fingerprint ${missing}. Set both, the new key as NUMERA_MASTER_KEY or printed by ` +
    'NUMERA_MASTER_KEY_COMMAND, until "reseal" has completed. Nothing was changed'
  )
}

function retired(from: string, own: string, at: Date): string {
  return (
    `${from} holds a master key (fingerprint ${own}) that was retired at ${at.toISOString()}: start with the one that ` +
    'replaced it. Nothing was changed'
  )
}

/**
 * Whether a process may run on a database with the master keys that it was given: it must open all that is sealed
 * there, and must not take up a retired key again. Changes nothing.
 *
 * @returns whether the current key is recorded; undefined before the database has a place for that
 * @throws ConfigError with what to do
 */
export async function checkMasterKeys(
  on: Queryable,
  { current, previous, from }: LoadedMasterKeys,
): Promise<boolean | undefined> {
  if (!(await selectHasMasterKeys.first(on, {}))!.present) return undefined
  const rows = await selectMasterKeys.rows(on, {})
  const own = current.fingerprint.toString('hex')
  const retiredAt = rows.find(
    (row) => row.retired_at !== null && row.fingerprint.equals(current.fingerprint),
  )?.retired_at
  if (retiredAt) throw new ConfigError([retired(from, own, retiredAt)])

  const recorded = rows.filter((row) => row.retired_at === null).map((row) => row.fingerprint)
  const isOurs = (fingerprint: Buffer): boolean =>
    [current, previous].some((key) => key?.fingerprint.equals(fingerprint))
  const missing = recorded.find((fingerprint) => !isOurs(fingerprint))?.toString('hex')
  if (missing !== undefined) {
    throw new ConfigError([recorded.some(isOurs) ? halfChanged(missing) : otherKey(from, own, missing)])
  }
  return recorded.some((fingerprint) => fingerprint.equals(current.fingerprint))
}
