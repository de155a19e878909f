/*
 * Idempotency keys. Source: specification, "Delivery" (at most 200 characters, `service:` reserved) and "Errors": a connector
 * derives its key from the input, never from a clock or a random value.
 */

/** A calendar day or an instant; `Temporal.PlainDate` and `Temporal.Instant` are such. */
interface TemporalPart {
  readonly [Symbol.toStringTag]: 'Temporal.PlainDate' | 'Temporal.Instant'
  toString(): string
}

export type KeyPart = string | number | bigint | Date | TemporalPart

export const keyCharactersMax = 200

/** Thrown before anything is sent. */
export class InvalidKey extends TypeError {
  override readonly name = 'InvalidKey'
}

/**
 * A key of strings, whole numbers and dates: `keyFor('order', 1001)` is `order:1001`. Different parts never give the same key; a
 * number is the same part as its digits. It has only letters, digits, `-`, `:` and `_`, so it is also a valid delivery id of a
 * webhook: every other byte of UTF-8 is written `_` and two hexadecimal digits, `_` itself as `_5F`.
 *
 * @throws InvalidKey for an empty part, a number that is not a whole one, or more than 200 characters
 */
export function keyFor(...parts: [KeyPart, ...KeyPart[]]): string {
  const key = parts.map((part, index) => escapePart(part, index + 1)).join(':')
  const fault = findKeyFault(key)
  if (fault !== undefined) throw new InvalidKey(fault)
  return key
}

/** The key of one part of a file: `<key>#<part>/<first 12 digits of the SHA-256 of the whole>`. */
export const partKey = (key: string, part: number, sha256: string): string =>
  `${key}#${part}/${sha256.slice(0, 12)}`

const encoder = new TextEncoder()

function escapePart(part: KeyPart, position: number): string {
  const text = partText(part)
  if (text === undefined || text === '') {
    const what = text === '' ? 'is empty' : 'is neither a text, a whole number nor a date'
    throw new InvalidKey(`Part ${position} of the key ${what}.`)
  }
  if (/^[A-Za-z0-9-]*$/.test(text)) return text
  if (!text.isWellFormed()) throw new InvalidKey(`Part ${position} of the key has half of a surrogate pair.`)
  return text.replace(/[^A-Za-z0-9-]/gu, escapeCharacter)
}

function escapeCharacter(character: string): string {
  const bytes = character < '\x80' ? [character.charCodeAt(0)] : Array.from(encoder.encode(character))
  return bytes.map((byte) => `_${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
}

function partText(part: unknown): string | undefined {
  switch (typeof part) {
    case 'string':
      return part
    case 'bigint':
      return part.toString()
    case 'number':
      return Number.isSafeInteger(part) ? (part + 0).toString() : undefined
    case 'object': {
      if (part instanceof Date) {
        // Without zeros at the end of its fraction, as `Temporal.Instant` writes it.
        return Number.isNaN(part.getTime()) ? undefined : part.toISOString().replace(/\.?0*Z$/, 'Z')
      }
      const tag = Object.prototype.toString.call(part)
      return tag === '[object Temporal.PlainDate]' || tag === '[object Temporal.Instant]'
        ? `${part}`
        : undefined
    }
    default:
      return undefined
  }
}

/** What is wrong with a key, in a sentence; undefined if nothing is. */
export function findKeyFault(key: string): string | undefined {
  const characters = key.length <= keyCharactersMax ? key.length : Array.from(key).length
  if (characters === 0) return 'The key is empty: use the id of the event, batch or file.'
  if (characters > keyCharactersMax) {
    return `The key has ${characters} characters; at most ${keyCharactersMax} are accepted.`
  }
  if (key.startsWith('service:')) return 'Keys that begin with `service:` are reserved.'
  if (!key.isWellFormed() || key.includes('\0')) return 'The key has a NUL or half of a surrogate pair.'
  return undefined
}

/** A UUID of version 4 (RFC 9562), which is random. */
const randomUuid =
  /(?<![0-9a-f])[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}(?![0-9a-f])/i

/** Unix time in seconds, milliseconds, microseconds or nanoseconds. */
const unixTime = /(?<![0-9])(?:[0-9]{10}|[0-9]{13}|[0-9]{16}|[0-9]{19})(?![0-9])/g
const instant =
  /(?<![0-9])([0-9]{4})-?([0-9]{2})-?([0-9]{2})[Tt ]?([0-9]{2}):?([0-9]{2}):?([0-9]{2})(?![0-9]{3,})(?:[.,][0-9]+)?(Z|[+-][0-9]{2}:?[0-9]{2})?/g

/** An instant this close to the present one is taken from the clock. */
const presentMs = 2000

/**
 * Why a key would be another one if the same delivery were sent again: it has the present instant, or a random UUID. Undefined if it
 * has neither.
 */
export function findUnsafeKey(key: string, nowMs: number): string | undefined {
  if (randomUuid.test(key)) {
    return 'The key has a random UUID: sent again after a crash, the same rows would have another key and count twice. Derive it from the content, or pass `unsafeKey: true` if the UUID is the id of the event itself.'
  }
  const text = key.replace(/_([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  const isPresent = [...readUnixTimes(text), ...readInstants(text)].some(
    (at) => Math.abs(at - nowMs) <= presentMs,
  )
  return isPresent
    ? 'The key has the present time: sent again after a crash, the same rows would have another key and count twice. Derive it from the content, or pass `unsafeKey: true` if the time is that of the event itself.'
    : undefined
}

function readUnixTimes(text: string): number[] {
  return Array.from(text.matchAll(unixTime), ([digits]) => Number(digits) / 10 ** (digits.length - 13))
}

function readInstants(text: string): number[] {
  return Array.from(text.matchAll(instant), ([, year, month, day, hour, minute, second, offset = 'Z']) => {
    const zone = offset === 'Z' || offset.includes(':') ? offset : `${offset.slice(0, 3)}:${offset.slice(3)}`
    return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`)
  })
}

export interface KeyOptions {
  /** Accepts a key with the present time or a random UUID, where that is the event's own. */
  unsafeKey?: boolean
}

/** @throws InvalidKey with a sentence that says why */
export function checkKey(key: string, nowMs: number, { unsafeKey = false }: KeyOptions = {}): void {
  const fault = findKeyFault(key) ?? (unsafeKey ? undefined : findUnsafeKey(key, nowMs))
  if (fault !== undefined) throw new InvalidKey(fault)
}
