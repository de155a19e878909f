import type { EnvironmentReader } from './environment-reader.ts'
import { keyFormats, parseKey } from './parse-key.ts'
import { Secret } from './secret.ts'

/** A key of 32 bytes. */
export function readKey(read: EnvironmentReader, name: string): Buffer | undefined {
  const text = read.text(name)
  if (text === undefined) return undefined
  const key = parseKey(text)
  if (key === undefined) read.refuse(name, `must be ${keyFormats}`)
  return key ?? Buffer.from(text)
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
