/**
 * What a store answered, or why there is no answer. Contains nothing else that the store says, which could be part of a
 * credential.
 */
export class ObjectStoreError extends Error {
  override name = 'ObjectStoreError'
  /** S3's own, such as `NoSuchBucket`; of the connection, such as `ECONNREFUSED`; or `ContentMismatch`. */
  readonly code: string

  constructor(message: string, code: string) {
    super(message)
    this.code = code
  }
}
