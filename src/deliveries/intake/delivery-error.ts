/** What a document is known by once it is stored, and where it is refused too. */
export interface SentBody {
  idempotencyKey: string
  /** SHA-256 of the body as received. */
  receivedSha256: Uint8Array
}

/**
 * What is wrong with a body, thrown where bodies are read and nothing is known of HTTP. It is answered with 400
 * `invalid_argument`; `field` is the member that the sender has to fix, or `body`.
 */
export class DeliveryError extends Error {
  override name = 'DeliveryError'
  readonly field: string
  /**
   * Of a document: whether it can be read depends on what its source declares by now, so it may have been stored before
   * [push.replay]. A JSON push is refused for what its bytes say alone, and those that were stored never are.
   */
  readonly sent: SentBody | undefined

  constructor(message: string, field: string, sent?: SentBody) {
    super(message)
    this.field = field
    this.sent = sent
  }
}

/** Gives `error` with what its body is known by, where it is a `DeliveryError`; any other as it is. */
export function withSentBody(error: unknown, sent: SentBody): unknown {
  return error instanceof DeliveryError ? new DeliveryError(error.message, error.field, sent) : error
}
