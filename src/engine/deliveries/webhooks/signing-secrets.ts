import { LRUCache } from 'lru-cache'
import type { MasterKeys } from '../../../platform/keys/master-key.ts'
import {
  newSigningSecret,
  sealSigningSecret,
  unsealSigningSecret,
} from '../../../platform/keys/signing-secret.ts'

export interface SigningSecret {
  secret: string
  /** False for a stand-in, which makes a missing secret cost as much time as an existing one. */
  works: boolean
}

/** The current and the previous secret of a source, or stand-ins for them. */
export type SigningSecrets = readonly [current: SigningSecret, previous: SigningSecret]

/** Opens the sealed secrets of an address, null where there is none. */
export type OpenSigningSecrets = (
  sourceId: string,
  current: Uint8Array | null,
  previous: Uint8Array | null,
) => SigningSecrets

interface Opened {
  current: Uint8Array | null
  previous: Uint8Array | null
  secrets: SigningSecrets
}

/** Addresses whose secrets are cached; beyond it the least recently used ones are dropped. */
const rememberedSecretsMax = 10_000

function isSame(a: Uint8Array | null, b: Uint8Array | null): boolean {
  return a === null || b === null ? a === b : Buffer.compare(a, b) === 0
}

/**
 * Opens the sealed secrets of an address once, and again when they change: unsealing takes longer than verifying. An
 * address that belongs to no source is cached just the same, so that the first call costs the same for either kind.
 */
export function createOpenSigningSecrets(keys: MasterKeys): OpenSigningSecrets {
  const standInPlace = 'stand-in'
  const standIn = sealSigningSecret(keys, newSigningSecret(), standInPlace)
  const open = (sourceId: string, sealed: Uint8Array | null): SigningSecret =>
    sealed === null
      ? { secret: unsealSigningSecret(keys, standIn, standInPlace), works: false }
      : { secret: unsealSigningSecret(keys, sealed, sourceId), works: true }

  const remembered = new LRUCache<string, Opened>({ max: rememberedSecretsMax })
  return (sourceId, current, previous) => {
    const known = remembered.get(sourceId)
    if (known !== undefined && isSame(known.current, current) && isSame(known.previous, previous)) {
      return known.secrets
    }
    const secrets = [open(sourceId, current), open(sourceId, previous)] as const
    remembered.set(sourceId, { current, previous, secrets })
    return secrets
  }
}
