/**
 * Values that the database must hold and a copy of the database must not show: AES-256-GCM (NIST SP 800-38D) under a
 * key derived from the deployment's master key. A sealed value is one version byte, 8 bytes of the master key's
 * fingerprint, 12 bytes of nonce, 16 bytes of tag, then the ciphertext. Columns `sealed_under` are cut out of it.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { fingerprintBytes, type MasterKeys } from './master-key.ts'

const version = 2
const nonceBytes = 12
const tagBytes = 16
const nonceStart = 1 + fingerprintBytes
const tagStart = nonceStart + nonceBytes
const headBytes = tagStart + tagBytes

/**
 * Seals a value for one place, under the current master key.
 *
 * @param boundTo what the value belongs to, such as `signature:<id>`: it opens only with the same text, so that a
 *   sealed value that is moved to another row does not open there
 */
export function seal(
  { current }: MasterKeys,
  plaintext: string | Uint8Array,
  boundTo: string,
): Buffer<ArrayBuffer> {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', current.sealingKey, nonce)
  cipher.setAAD(Buffer.from(boundTo))
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()])
  return Buffer.concat([Buffer.of(version), current.fingerprint, nonce, cipher.getAuthTag(), ciphertext])
}

/**
 * Opens what `seal` made, under the current or the previous master key. Throws where the key, the place or a single bit
 * differs.
 */
export function unseal({ current, previous }: MasterKeys, sealed: Uint8Array, boundTo: string): Buffer {
  if (sealed.length < headBytes || sealed[0] !== version)
    throw new Error('not a sealed value of this version')
  const fingerprint = sealed.subarray(1, nonceStart)
  const key = [current, previous].find((each) => each?.fingerprint.equals(fingerprint))
  if (key === undefined) {
    throw new Error(`sealed under another master key: ${Buffer.from(fingerprint).toString('hex')}`)
  }
  const nonce = sealed.subarray(nonceStart, tagStart)
  const decipher = createDecipheriv('aes-256-gcm', key.sealingKey, nonce, { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(boundTo))
  decipher.setAuthTag(sealed.subarray(tagStart, headBytes))
  return Buffer.concat([decipher.update(sealed.subarray(headBytes)), decipher.final()])
}
