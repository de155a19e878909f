/** Credentials: how they are created and stored [all.secrets]. */
import { hash, randomBytes } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 62⁴³ is above 2²⁵⁶. */
const secretLength = 43

/** Static credential, client secret, access token, refresh token, authorization code, webhook signing secret, invitation, read-only link. */
export type SecretPrefix = 'nsk_' | 'ncs_' | 'nat_' | 'nrt_' | 'nac_' | 'nws_' | 'niv_' | 'nrl_'

/** A new random value of 256 bits behind its prefix: 43 letters and digits, so that a double click selects it. */
export function newSecret(prefix: SecretPrefix): string {
  let rest = BigInt(`0x${randomBytes(32).toString('hex')}`)
  let text = ''
  for (let index = 0; index < secretLength; index++) {
    text = alphabet.charAt(Number(rest % 62n)) + text
    rest /= 62n
  }
  return prefix + text
}

/** What is stored of a secret: its SHA-256, 32 bytes. It needs no salt, since every secret has 256 random bits. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}

/** A secret's last four characters, by which people recognise it. The rest is still beyond guessing. */
export function getLastFour(secret: string): string {
  return secret.slice(-4)
}
