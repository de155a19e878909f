import { isReceipt, type Receipt, toReceipt } from './receipt.ts'
import { webhookBackoff } from './retry.ts'
import { isDeliveryId, signDelivery } from './sign.ts'
import { type Clock, systemClock, Transport } from './transport.ts'

export interface WebhookOptions {
  /** The address of the source: `https://…/v1/webhooks/<source_id>`. */
  url: string
  /** The signing secret, or a function that reads it for each attempt, so that a rotation needs no restart. */
  secret: string | (() => string | Promise<string>)
  /** The event's own id: 1 to 200 letters, digits, dashes, underscores or colons. */
  deliveryId: string
  /** Sent and signed as it is. Identical bodies are one delivery: put the event's id or time into it. */
  body: string | Uint8Array<ArrayBuffer>
  /** `application/json` by default. */
  contentType?: 'application/json' | 'text/csv'
  /** The source's current version by default. */
  shapeVersion?: number
  signal?: AbortSignal
  /** Of one attempt; a minute by default. */
  timeoutMs?: number
  /** No attempt begins later than this after the first one; three days by default. */
  giveUpAfterMs?: number
  fetch?: typeof fetch
  clock?: Clock
}

/**
 * Signs and sends one webhook until it is accepted: again after 429, 408, 5xx and no answer, for three days, each time with a new signature
 * and the same delivery id.
 *
 * @throws NumeraError for a refusal, and when it gives up
 */
export async function sendWebhook(options: WebhookOptions): Promise<Receipt> {
  const { url, secret, deliveryId, body, signal, clock = systemClock } = options
  if (!isDeliveryId(deliveryId)) {
    throw new TypeError('A delivery id has 1 to 200 letters, digits, dashes, underscores or colons.')
  }
  const transport = new Transport({
    fetch: options.fetch ?? globalThis.fetch,
    clock,
    timeoutMs: options.timeoutMs ?? 60_000,
  })
  const headers: Record<string, string> = {
    'content-type': options.contentType ?? 'application/json',
    'service-delivery-id': deliveryId,
    ...(options.shapeVersion !== undefined && { 'x-service-shape-version': `${options.shapeVersion}` }),
  }
  const answer = await transport.send(
    { url, method: 'POST', headers, body },
    {
      backoff: { ...webhookBackoff, giveUpAfterMs: options.giveUpAfterMs ?? webhookBackoff.giveUpAfterMs },
      isExpected: isReceipt,
      signal,
      prepare: async (request) => {
        const current = typeof secret === 'string' ? secret : await secret()
        const t = Math.floor(clock.now() / 1000)
        const signature = await signDelivery({ secret: current, deliveryId, body, t })
        return { ...request, headers: { ...headers, 'service-signature': signature } }
      },
    },
  )
  return toReceipt(answer)
}
