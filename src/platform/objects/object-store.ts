/** The largest object, in bytes: one is in memory as a whole. */
export const objectBytesMax = 256 * 1_048_576

export interface StoredObject {
  key: string
  bytes: number
  storedAt: Date
}

/** In bytes, `to` exclusive and above `from`. */
export interface ByteRange {
  from: number
  to: number
}

/**
 * A place for objects: immutable contents under keys (`checkKey`). An object is there as a whole or not at all. No key may be
 * the folder of another one. Several processes may use a place; of concurrent puts with `ifAbsent`, one is `stored`.
 */
export interface ObjectStore {
  /** For messages to the operator, without secrets: `file:///backup` or `s3://bucket/prefix`. */
  readonly place: string
  /**
   * Resolves once it is durable. With `ifAbsent` an object that is there is left as it is.
   *
   * @throws RangeError for more than `objectBytesMax`
   */
  put(key: string, content: Uint8Array, options?: { ifAbsent?: boolean }): Promise<'stored' | 'present'>
  /**
   * Undefined if there is none. Of a range, the bytes up to the object's end.
   *
   * @throws RangeError for a range that is empty or of more than `objectBytesMax`
   */
  get(key: string, range?: ByteRange): Promise<Buffer | undefined>
  /**
   * In the order of their keys, page by page. Anything else in the place is left out.
   *
   * @param prefix of the keys; it may end inside a name
   */
  list(prefix: string): AsyncIterable<StoredObject>
  /** No error if there is none. */
  delete(key: string): Promise<void>
}
