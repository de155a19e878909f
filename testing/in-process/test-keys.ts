import { createSecretKey } from 'node:crypto'
import { systemClock } from '../../src/platform/clock/clock.ts'
import { createPool } from '../../src/platform/database/pool.ts'
import { openDeploymentKeys, type DeploymentKeys } from '../../src/platform/keys/deployment-keys.ts'
import { toMasterKey, type MasterKeys } from '../../src/platform/keys/master-key.ts'

/** As `NUMERA_MASTER_KEY` has it: 64 hexadecimal digits. */
export const testMasterKey = '07'.repeat(32)

const bytes = (length: number): Buffer => Buffer.alloc(length, 7)
const key = createSecretKey(bytes(32))

/** The keys of every test's deployment. */
export const testKeys: DeploymentKeys = {
  master: { current: toMasterKey(Buffer.from(testMasterKey, 'hex')) },
  personalNumbers: key,
  csrfTokens: key,
}

/** Master keys that open nothing of a test's deployment. */
export const strangeMasterKeys: MasterKeys = { current: toMasterKey(Buffer.alloc(32, 8)) }

/** Makes a migrated database one that `testKeys` belong to. */
export const recordTestKeys = async (url: string): Promise<void> => {
  const pool = createPool({ url, name: 'numera test' })
  try {
    await openDeploymentKeys({ pool, clock: systemClock }, { ...testKeys.master, from: 'the test' }, bytes)
  } finally {
    await pool.end()
  }
}
