/** The secret that a webhook source's sender signs with: how it is made and stored [all.secrets]. */
import { newSecret } from './secrets.ts'
import type { MasterKeys } from './master-key.ts'
import { seal, unseal } from './seal.ts'

export function newSigningSecret(): string {
  return newSecret('nws_')
}

/** What a signing secret is sealed for. */
export function signingSecretPlace(sourceId: string): string {
  return `signing-secret:${sourceId}`
}

/** The stored form of a signing secret. It opens only for its own source. */
export function sealSigningSecret(keys: MasterKeys, secret: string, sourceId: string): Buffer {
  return seal(keys, secret, signingSecretPlace(sourceId))
}

/** The service runs under another master key than the one that a secret was sealed under. */
export class SigningSecretClosedError extends Error {
  constructor(sourceId: string, cause: unknown) {
    super(
      `The signing secret of source ${sourceId} does not open: it was sealed under another NUMERA_MASTER_KEY.`,
      { cause },
    )
    this.name = 'SigningSecretClosedError'
  }
}

/**
 * The secret again, for verifying a signature.
 *
 * @param sourceId in lower case, as the database has it
 * @throws SigningSecretClosedError where it was sealed under another master key, or for another source
 */
export function unsealSigningSecret(keys: MasterKeys, sealed: Uint8Array, sourceId: string): string {
  try {
    return unseal(keys, sealed, signingSecretPlace(sourceId)).toString()
  } catch (error) {
    throw new SigningSecretClosedError(sourceId, error)
  }
}
