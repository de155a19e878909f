/*
 * Webhook signatures. Source: specification, "POST {base_url}/v1/webhooks/{source_id}".
 */

export interface Signed {
  /** The signing secret exactly as shown, `nws_` included. */
  secret: string
  deliveryId: string
  /** Every byte that is sent. A string is signed as UTF-8. */
  body: string | Uint8Array
}

const encoder = new TextEncoder()
const hmac = { name: 'HMAC', hash: 'SHA-256' }

/** Letters, digits, dashes, underscores or colons: 1 to 200, not beginning with `service:`. */
export const isDeliveryId = (id: string): boolean =>
  /^[A-Za-z0-9_:-]{1,200}$/.test(id) && !id.startsWith('service:')

/** The value of `Service-Signature`, of a time in whole seconds since 1970. */
export async function signDelivery({ secret, deliveryId, body, t }: Signed & { t: number }): Promise<string> {
  const key = await importSecret(secret, 'sign')
  const signature = new Uint8Array(await crypto.subtle.sign(hmac, key, signedBytes(t, deliveryId, body)))
  return `t=${t},v1=${Array.from(signature, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

export type SignatureFault = 'malformed' | 'clock' | 'signature'

/**
 * Checks a signature as the service does, for tests of a sender: undefined if it is right, else what is wrong. The comparison takes the
 * same time for every signature.
 */
export async function verifyDelivery({
  secret,
  deliveryId,
  body,
  signature,
  nowMs,
}: Signed & { signature: string; nowMs: number }): Promise<SignatureFault | undefined> {
  const [, digits, hex] = /^t=([0-9]{1,12}),v1=([0-9a-f]{64})$/.exec(signature) ?? []
  if (digits === undefined || hex === undefined || !isDeliveryId(deliveryId)) return 'malformed'
  const t = Number(digits)
  if (Math.abs(Math.floor(nowMs / 1000) - t) > 300) return 'clock'
  const bytes = Uint8Array.from({ length: 32 }, (_, at) => Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16))
  const key = await importSecret(secret, 'verify')
  const isRight = await crypto.subtle.verify(hmac, key, bytes, signedBytes(digits, deliveryId, body))
  return isRight ? undefined : 'signature'
}

const importSecret = (secret: string, use: 'sign' | 'verify'): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', encoder.encode(secret), hmac, false, [use])

function signedBytes(
  t: number | string,
  deliveryId: string,
  body: string | Uint8Array,
): Uint8Array<ArrayBuffer> {
  const head = encoder.encode(`${t}.${deliveryId}.`)
  const bytes = typeof body === 'string' ? encoder.encode(body) : body
  const signed = new Uint8Array(head.length + bytes.length)
  signed.set(head)
  signed.set(bytes, head.length)
  return signed
}
