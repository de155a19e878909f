import { LRUCache } from 'lru-cache'
import type { MasterKeys } from '../../keys/master-key.ts'
import { newSigningSecret, sealSigningSecret, unsealSigningSecret } from '../../sources/signing-secret.ts'

export interface SigningSecret {
  secret: string
  /** False: a stand-in, so that no secret is as much work as one. */
  works: boolean
}

/** What a source's deliveries are verified with: the current secret and the one before, or stand-ins for them. */
export type SigningSecrets = readonly [current: SigningSecret, previous: SigningSecret]

/** Gives the secrets of an address from what is kept of them, null where there is none. */
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

/** Addresses whose secrets are remembered; beyond it those used longest ago are opened again. */
export const rememberedSecretsMax = 10_000

function isSame(a: Uint8Array | null, b: Uint8Array | null): boolean {
  return a === null || b === null ? a === b : Buffer.compare(a, b) === 0
}

/**
 * Opens sealed secrets once for each address, and again when others are sealed there: unsealing takes longer than
 * verifying. An address that is no source's is remembered just the same, so that the first call of either kind costs
 * what the other one's does.
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
