import { hash } from 'node:crypto'
import { canonicalJson } from '../../../formats/json/canonical-json.ts'

/** Crockford's base32: no letter that is mistaken for a digit or another letter. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** 125 bits. */
const codeCharacters = 25

/** A value in the one form that its hash is made of: no white space, keys in code point order. */
export function toCanonicalText(value: object): string {
  return canonicalJson(Buffer.from(JSON.stringify(value))).toString()
}

/** The SHA-256 of a value's canonical form as hexadecimal digits. */
export function canonicalSha256(value: object): string {
  return hash('sha256', toCanonicalText(value))
}

/** The beginning of {@link canonicalSha256} as five groups that a person can read out. */
export function evidenceCode(value: object): string {
  const bits = BigInt(`0x${canonicalSha256(value)}`) >> BigInt(256 - codeCharacters * 5)
  const characters = Array.from(
    { length: codeCharacters },
    (_character, place) => alphabet[Number((bits >> BigInt((codeCharacters - 1 - place) * 5)) & 31n)],
  )
  return characters.join('').replaceAll(/.{5}(?=.)/g, '$&-')
}
