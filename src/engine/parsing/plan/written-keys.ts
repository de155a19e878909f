/**
 * The keys of rows as senders write them: each declared name as it is and, if that differs, with everything but ASCII
 * escaped, as many libraries do. A written key has a number; a field may have two.
 */
export class WrittenKeys {
  /** The written keys, quotes included, one after another; key `k` begins at `starts[k]`. */
  readonly bytes: Uint8Array
  readonly starts: Int32Array
  /** By written key: its field. */
  readonly fields: Int32Array
  /**
   * By written key, with the start of a row as the last entry: the key that came next in the row before. Only a guess,
   * so it may stem from another delivery.
   */
  readonly next: Int32Array

  constructor(names: string[]) {
    const keys: Buffer[] = []
    const fields: number[] = []
    for (const [field, name] of names.entries()) {
      for (const written of new Set([JSON.stringify(name), asciiJson(name)])) {
        keys.push(Buffer.from(written, 'utf8'))
        fields.push(field)
      }
    }
    this.bytes = Buffer.concat(keys)
    this.fields = Int32Array.from(fields)
    this.starts = new Int32Array(keys.length + 1)
    for (const [key, { length }] of keys.entries()) this.starts[key + 1] = this.starts[key]! + length
    this.next = Int32Array.from({ length: keys.length + 1 }, (_, key) => (key + 1) % keys.length)
    this.next[keys.length] = 0
  }
}

/** A JSON string with everything but ASCII escaped, in lower case. */
function asciiJson(text: string): string {
  return JSON.stringify(text).replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
