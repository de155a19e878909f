import { createHmac } from 'node:crypto'
import type { DemoDelivery } from '../data/day-deliveries.ts'
import type { DemoScene, DemoSourceName } from './demo-scene.ts'

export interface SenderOptions {
  /** Where the service listens, without a slash at the end. */
  url: string
  /** The service's. */
  clock: { now(): number }
  sources: DemoScene['sources']
  /** The static credential of a source, or the signing secret of a webhook source. */
  readSecret: (source: DemoSourceName) => string | Promise<string>
}

export interface SentDelivery {
  status: number
  /** Of the `Error` body of a refused delivery. */
  code: string | undefined
  /** Of the receipt of an accepted one. */
  artifactId: string | undefined
}

/** Sends a delivery as its system does. @throws TypeError if the service does not answer */
export type SendDelivery = (delivery: DemoDelivery) => Promise<SentDelivery>

interface DeliveryRequest {
  path: string
  headers: Record<string, string>
  body: string | Buffer
}

function toRequest(delivery: DemoDelivery, sourceId: string, secret: string, nowMs: number): DeliveryRequest {
  const { key } = delivery
  const authorization = `Bearer ${secret}`
  switch (delivery.kind) {
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
      const signature = createHmac('sha256', secret)
        .update(`${t}.${key}.`)
        .update(delivery.body)
        .digest('hex')
      const headers = {
        'content-type': 'application/json',
        'service-delivery-id': key,
        'service-signature': `t=${t},v1=${signature}`,
      }
      return { path: `/v1/webhooks/${sourceId}`, headers, body: delivery.body }
    }
  }
}

/** Sends deliveries over HTTP with the credentials of their sources. */
export function createSender({ url, clock, sources, readSecret }: SenderOptions): SendDelivery {
  return async (delivery) => {
    const { source } = delivery
    const secret = await readSecret(source)
    const { path, headers, body } = toRequest(delivery, sources[source].sourceId, secret, clock.now())
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body })
    const { artifact_id: artifactId, code } = (await answer.json()) as Record<string, string | undefined>
    return { status: answer.status, code, artifactId }
  }
}
