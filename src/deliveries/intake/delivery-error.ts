/**
 * What is wrong with a body, thrown where bodies are read and nothing is known of HTTP. It is answered with 400
 * `invalid_argument`; `field` is the member that the sender has to fix, or `body`.
 */
export class DeliveryError extends Error {
  override name = 'DeliveryError'
  readonly field: string

  constructor(message: string, field: string) {
    super(message)
    this.field = field
  }
}
