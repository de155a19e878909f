import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

/** The receipt of a delivery in the specification. */
export interface Receipt {
  artifact_id: string
  shape_version: number
  status: 'queued'
  sandbox: boolean
  dropped_keys: string[]
  delivers: 'events' | 'statements'
}

export interface Sample {
  metric: string
  period_start: string
  value: string
  labels: Record<string, string>
  sandbox: boolean
  artifact_id?: string
}

export interface Samples {
  source_id: string
  window: { from: string; to: string; max_days: number; narrowed: boolean }
  samples: Sample[]
  truncated: boolean
}

const attemptsMax = 20

/**
 * Sends as the specification requires of a sender: it repeats a delivery after a 429, a 5xx, a time-out or a broken
 * connection, and throws after any other error.
 */
const sendUntilTaken = async (key: string, send: () => Promise<Response>): Promise<Receipt> => {
  for (let attempt = 1; ; attempt++) {
    let answer: Response | undefined
    let fault = ''
    try {
      answer = await send()
      if (answer.status === 202) return (await answer.json()) as Receipt
      fault = `${answer.status} ${await answer.text()}`
    } catch (error) {
      fault = String((error as Error).cause ?? error)
    }
    if (answer !== undefined && answer.status !== 429 && answer.status < 500) throw new Error(fault)
    if (attempt === attemptsMax) throw new Error(`gave up on ${key}: ${fault}`)
    await sleep(1_000 * Number(answer?.headers.get('retry-after') ?? 0.2))
  }
}

const post = (url: string, headers: Record<string, string>, body: string): Promise<Response> =>
  fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(60_000) })

/** Pushes rows. */
export const push = (
  url: string,
  credential: string,
  key: string,
  payload: unknown,
  shapeVersion = 1,
): Promise<Receipt> => {
  const body = JSON.stringify({ idempotency_key: key, shape_version: shapeVersion, payload })
  const headers = { authorization: `Bearer ${credential}`, 'content-type': 'application/json' }
  return sendUntilTaken(key, () => post(`${url}/v1/ingest`, headers, body))
}

/** Pushes a document. */
export const pushDocument = (
  url: string,
  credential: string,
  key: string,
  document: string,
): Promise<Receipt> => {
  const headers = {
    authorization: `Bearer ${credential}`,
    'content-type': 'application/octet-stream',
    'idempotency-key': key,
  }
  return sendUntilTaken(key, () => post(`${url}/v1/ingest`, headers, document))
}

/** The headers of one attempt to deliver a webhook. Each attempt has a signature of its own. */
export const webhookHeaders = (
  secret: string,
  id: string,
  mediaType: string,
  body: string,
): Record<string, string> => {
  const t = Math.floor(Date.now() / 1_000)
  const v1 = createHmac('sha256', secret).update(`${t}.${id}.${body}`).digest('hex')
  return {
    'content-type': mediaType,
    'service-delivery-id': id,
    'service-signature': `t=${t},v1=${v1}`,
  }
}

/** Delivers a webhook. */
export const deliverWebhook = (
  url: string,
  sourceId: string,
  secret: string,
  id: string,
  mediaType: string,
  body: string,
): Promise<Receipt> =>
  sendUntilTaken(id, () =>
    post(`${url}/v1/webhooks/${sourceId}`, webhookHeaders(secret, id, mediaType, body), body),
  )

/** Reads samples with a query of the endpoint. */
export const readSamples = async (
  url: string,
  credential: string,
  query: Record<string, string> = {},
): Promise<Samples> => {
  const answer = await fetch(`${url}/v1/samples?${new URLSearchParams(query)}`, {
    headers: { authorization: `Bearer ${credential}` },
  })
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Samples
}

/** Waits until a delivery has been parsed, and gives the result. */
export const waitUntilRead = async (
  url: string,
  credential: string,
  artifactId: string,
): Promise<{ state: string; rows_accepted: number; rows_refused: number }> => {
  const deadline = Date.now() + 120_000
  // Most are parsed within milliseconds; each call counts towards the rate limit.
  for (let pauseMs = 40; ; pauseMs = 100) {
    const answer = await fetch(`${url}/v1/deliveries/${artifactId}`, {
      headers: { authorization: `Bearer ${credential}` },
    })
    if (answer.ok) {
      const delivery = (await answer.json()) as { state: string; rows_accepted: number; rows_refused: number }
      if (delivery.state !== 'queued') return delivery
    } else {
      await answer.arrayBuffer()
      if (answer.status !== 429) throw new Error(`${answer.status} for delivery ${artifactId}`)
    }
    if (Date.now() > deadline) throw new Error(`delivery ${artifactId} is still queued`)
    await sleep(pauseMs)
  }
}
