import type { Clock } from '../src/platform/clock/clock.ts'
import { webhookSignature } from '../src/engine/deliveries/webhooks/signature.ts'
import type { DemoDelivery } from './day-deliveries.ts'
import type { DemoScene, DemoSourceName } from './demo-scene.ts'

export interface SenderOptions {
  /** Where the service listens, without a slash at the end. */
  url: string
  /** The service's. */
  clock: Clock
  sources: DemoScene['sources']
  /** The static credential of a source, or the signing secret of a webhook source. */
  secretOf: (source: DemoSourceName) => string | Promise<string>
}

export interface SentDelivery {
  status: number
  /** Of the `Error` body, where it was refused. */
  code: string | undefined
  /** Of the receipt, where it was taken. */
  artifactId: string | undefined
}

/** Sends a delivery as the system that it comes from does, and tells what became of it. Throws where nobody answers. */
export type SendDelivery = (delivery: DemoDelivery) => Promise<SentDelivery>

interface DeliveryRequest {
  path: string
  headers: Record<string, string>
  body: string | Buffer
}

/** How each kind is sent, by a system that has the source's `secret` at `nowMs`. */
function toRequest(delivery: DemoDelivery, sourceId: string, secret: string, nowMs: number): DeliveryRequest {
  const { key } = delivery
  const authorization = `Bearer ${secret}`
  switch (delivery.way) {
    case 'rows': {
      const { rows, shapeVersion } = delivery
      const headers = { authorization, 'content-type': 'application/json' }
      const body = JSON.stringify({ idempotency_key: key, shape_version: shapeVersion, payload: rows })
      return { path: '/v1/ingest', headers, body }
    }
    case 'document': {
      const type = 'application/octet-stream'
      const headers = { authorization, 'content-type': type, 'idempotency-key': key }
      return { path: '/v1/ingest', headers, body: delivery.body }
    }
    case 'webhook': {
      const t = Math.floor(nowMs / 1_000)
      const headers = {
        'content-type': 'application/json',
        'service-delivery-id': key,
        'service-signature': `t=${t},v1=${webhookSignature(secret, t, key, delivery.body)}`,
      }
      return { path: `/v1/webhooks/${sourceId}`, headers, body: delivery.body }
    }
  }
}

/** How the systems of the demo send what they have: over HTTP, with the credentials of their sources. */
export function createSender({ url, clock, sources, secretOf }: SenderOptions): SendDelivery {
  return async (delivery) => {
    const { source } = delivery
    const secret = await secretOf(source)
    const { path, headers, body } = toRequest(delivery, sources[source].sourceId, secret, clock.now())
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body })
    const { artifact_id: artifactId, code } = (await answer.json()) as Record<string, string | undefined>
    return { status: answer.status, code, artifactId }
  }
}
