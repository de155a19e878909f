import { objectBytesMax, type ByteRange } from './object-store.ts'

const keyCharactersMax = 512
/** What file systems allow. */
const nameCharactersMax = 255
const keyPattern = /^[\w.-]+(?:\/[\w.-]+)*$/
const prefixPattern = /^(?:[\w.-]+(?:\/|$))*$/

function staysInside(path: string): boolean {
  const names = path.split('/')
  return (
    path.length <= keyCharactersMax &&
    names.every((name) => name !== '.' && name !== '..' && name.length <= nameCharactersMax)
  )
}

/** Whether it is relative, of letters, digits, dots, hyphens and underscores between slashes, and leads nowhere else. */
export function isKey(text: string): boolean {
  return keyPattern.test(text) && staysInside(text)
}

/** @throws RangeError */
export function checkKey(key: string): void {
  if (!isKey(key)) throw new RangeError(`${JSON.stringify(key)} is no key of an object`)
}

/** @throws RangeError */
export function checkPrefix(prefix: string): void {
  if (!prefixPattern.test(prefix) || !staysInside(prefix)) {
    throw new RangeError(`${JSON.stringify(prefix)} is no beginning of a key`)
  }
}

/** @throws RangeError */
export function checkRange({ from, to }: ByteRange): void {
  const isRange = Number.isSafeInteger(from) && Number.isSafeInteger(to) && 0 <= from && from < to
  if (!isRange || to - from > objectBytesMax) throw new RangeError(`no range of bytes: ${from} to ${to}`)
}

/** @throws RangeError */
export function checkSize(key: string, bytes: number): void {
  if (bytes > objectBytesMax) {
    throw new RangeError(`${key} has ${bytes} bytes, and an object at most ${objectBytesMax}`)
  }
}
