import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'
import type { MasterKeys } from '../../platform/keys/master-key.ts'
import { seal, unseal } from '../../platform/keys/seal.ts'
import type { ObjectStore } from '../../platform/objects/object-store.ts'
import { BackupError } from './backup-error.ts'
import { currentKeyKey } from './layout.ts'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** The fastest: it gives most of what slower levels give. */
const options = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** A sealed object opens under its own key only, and as nothing else that is sealed with the master key. */
function toPlace(key: string): string {
  return `backup:${key}`
}

/** Objects that are compressed and sealed, each for the key under which it is stored. */
export interface SealedStore {
  readonly store: ObjectStore
  readonly keys: MasterKeys
  /** The fingerprint of the key that new objects are sealed with, as hexadecimal digits. */
  readonly fingerprint: string
  put(key: string, content: Uint8Array, options?: { ifAbsent?: boolean }): Promise<'stored' | 'present'>
  /**
   * Undefined if there is none.
   *
   * @throws BackupError if it is sealed with another key, or was changed
   */
  get(key: string): Promise<Buffer | undefined>
}

export function createSealedStore(store: ObjectStore, keys: MasterKeys): SealedStore {
  return {
    store,
    keys,
    fingerprint: keys.current.fingerprint.toString('hex'),
    put: async (key, content, given) =>
      store.put(key, seal(keys, await compress(content, options), toPlace(key)), given),
    get: async (key) => {
      const sealed = await store.get(key)
      if (sealed === undefined) return undefined
      try {
        return await decompress(unseal(keys, sealed, toPlace(key)))
      } catch (error) {
        throw new BackupError(`${key} in ${store.place} does not open: ${(error as Error).message}.`, {
          cause: error,
        })
      }
    },
  }
}

/**
 * Makes sure that this process has the key of the newest objects, or a newer one. Where it has a newer one, that of others is
 * refused from now on.
 *
 * @throws BackupError for a process that was given an old key, or another one
 */
export async function requireCurrentKey({ store, keys, fingerprint }: SealedStore): Promise<void> {
  const marked = (await store.get(currentKeyKey))?.toString('utf8')
  if (marked === fingerprint) return
  if (marked === undefined || marked === keys.previous?.fingerprint.toString('hex')) {
    await store.put(currentKeyKey, Buffer.from(fingerprint))
    return
  }
  throw new BackupError(
    `The backup in ${store.place} is sealed with another key (${marked}) than this process has (${fingerprint}): ` +
      'set NUMERA_BACKUP_KEY to it. To change the key, set NUMERA_BACKUP_KEY_PREVIOUS to the one before.',
  )
}
