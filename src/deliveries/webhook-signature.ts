import { createHmac } from 'node:crypto'

/**
 * The signature that a sender writes behind `v1=` (specification "deliver one webhook", published with test vectors in
 * docs/webhook-signature.md): HMAC-SHA256 of `<t>.<delivery id>.<raw body>`, in lower-case hex.
 *
 * @param secret the signing secret exactly as shown, `nws_` included
 * @param t Unix seconds, the very digits of the header
 * @param body the bytes as they arrived
 */
export const webhookSignature = (
  secret: string,
  t: number | string,
  deliveryId: string,
  body: Uint8Array,
): string => createHmac('sha256', secret).update(`${t}.${deliveryId}.`).update(body).digest('hex')
