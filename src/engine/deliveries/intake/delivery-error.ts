/** What identifies a document, whether it is stored or refused. */
export interface SentBody {
  idempotencyKey: string
  /** SHA-256 of the body as received. */
  receivedSha256: Uint8Array
}

/**
 * What is wrong with a body, thrown by code that parses bodies and knows nothing of HTTP. Answered with 400
 * `invalid_argument`; `field` is the member that the sender has to fix, or `body`.
 */
export class DeliveryError extends Error {
  override name = 'DeliveryError'
  readonly field: string
  /**
   * Set for a document: whether it is valid depends on what its source declares now, so it may have been stored before
   * [push.replay]. A JSON push is refused for its bytes alone, so stored ones never are.
   */
  readonly sent: SentBody | undefined

  constructor(message: string, field: string, sent?: SentBody) {
    super(message)
    this.field = field
    this.sent = sent
  }
}

/** Adds what identifies the body to a `DeliveryError`; returns any other error as it is. */
export function withSentBody(error: unknown, sent: SentBody): unknown {
  return error instanceof DeliveryError ? new DeliveryError(error.message, error.field, sent) : error
}
