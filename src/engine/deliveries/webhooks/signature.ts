import { createHmac, type Hmac } from 'node:crypto'

/**
 * Begins the signature that a sender writes after `v1=` (specification "deliver one webhook", published with test
 * vectors in docs/guides/webhooks.md): HMAC-SHA256 of `<t>.<delivery id>.<raw body>`. The body is still to be
 * added, in one piece or several.
 *
 * @param secret the signing secret exactly as shown, `nws_` included
 * @param t Unix seconds, exactly as in the header
 */
export function beginWebhookSignature(secret: string, t: number | string, deliveryId: string): Hmac {
  return createHmac('sha256', secret).update(`${t}.${deliveryId}.`)
}

/** The whole signature of a body's raw bytes, in lower-case hex. */
export function webhookSignature(
  secret: string,
  t: number | string,
  deliveryId: string,
  body: Uint8Array,
): string {
  return beginWebhookSignature(secret, t, deliveryId).update(body).digest('hex')
}
