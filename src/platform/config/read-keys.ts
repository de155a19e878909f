import type { EnvironmentReader } from './environment-reader.ts'
import { Secret } from './secret.ts'

const keyPattern = /^(?:[\da-f]{64}|[A-Za-z\d_-]{43})$/i

function readKey(read: EnvironmentReader, name: string): Buffer | undefined {
  const text = read.text(name)
  if (text === undefined) return undefined
  if (!keyPattern.test(text)) {
    read.refuse(name, 'must be 32 bytes: 64 hexadecimal digits, or 43 characters of base64url')
  }
  return Buffer.from(text, text.length === 64 ? 'hex' : 'base64url')
}

/** A key of 32 bytes, and the one before it while it is changed, which makes sense only beside another one. */
export function readKeys(
  read: EnvironmentReader,
  name: string,
  previousName: string,
): { current: Secret<Uint8Array> | undefined; previous: Secret<Uint8Array> | undefined } {
  const current = readKey(read, name)
  const previous = readKey(read, previousName)
  if (previous !== undefined && current === undefined) {
    read.refuse(previousName, `must be set together with ${name}, the new one`)
  }
  if (current !== undefined && previous?.equals(current)) {
    read.refuse(previousName, `must be another key than ${name}`)
  }
  return { current: current && new Secret(current), previous: previous && new Secret(previous) }
}
