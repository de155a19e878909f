import type { Pool } from 'pg'
import type { Clock } from '../clock/clock.ts'
import { inTransaction } from '../database/transaction.ts'
import type { MasterKeys } from './master-key.ts'
import { deleteMasterKeysBut, insertRetiredMasterKey, lockMasterKeys } from './queries.ts'

const foreignKeyViolation = '23503'

/**
 * Makes the current master key the only one: from then on nothing is sealed under another, and no process starts with it.
 *
 * @returns the fingerprints that were retired, none where the current one was the only one; undefined, with nothing
 *   changed, while anything is still sealed under another
 */
export async function retireMasterKeys(context: {
  pool: Pool
  clock: Clock
  keys: { master: MasterKeys }
}): Promise<Buffer[] | undefined> {
  const { fingerprint } = context.keys.master.current
  try {
    return await inTransaction(context.pool, async (client) => {
      await lockMasterKeys.run(client, {})
      const rows = await deleteMasterKeysBut.rows(client, { currentFingerprint: fingerprint })
      const retired = rows.map((row) => row.fingerprint)
      const at = new Date(context.clock.now())
      for (const key of retired) await insertRetiredMasterKey.run(client, { fingerprint: key, at })
      return retired
    })
  } catch (error) {
    if ((error as { code?: unknown }).code === foreignKeyViolation) return undefined
    throw error
  }
}
