/**
 * A thin load generator: keep-alive HTTP over raw sockets, one request at a time on each. Takes its job as JSON on the
 * command line and prints its result as JSON.
 *
 *   node bench/accept/load.ts '{"port":8080,"clients":64,"seconds":5,"bodyBytes":1024,"credentials":["nsk_…"],"run":"a"}'
 */
import { createHmac } from 'node:crypto'
import { connect, type Socket } from 'node:net'

export interface LoadJob {
  port: number
  clients: number
  /** Of the measurement, after a warm-up of a fifth of them. */
  seconds: number
  bodyBytes: number
  /** Connections that push or senders that sign, used by the clients in turn. */
  credentials: string[] | WebhookSender[]
  /** Part of every idempotency key, so that they are unique across runs. */
  run: string
}

export interface WebhookSender {
  sourceId: string
  secret: string
}

export interface LoadResult {
  answers: number
  /** Including those before and after the measurement. */
  sent: number
  /** Answers other than 202. */
  refused: number
  perSecond: number
  megabytesPerSecond: number
  p50Ms: number
  p99Ms: number
  maxMs: number
}

const keyDigits = 12

/** Rows of a shop's orders, with a last one that fills the body to exactly `bytesMax`. */
const createBody = (bytesMax: number, write: (rows: object[]) => string): string => {
  const rows: object[] = []
  let bytes = write([]).length + 100
  for (let order = 0; ; order++) {
    const row = {
      at: new Date(1_767_225_600_000 + order * 61_000).toISOString(),
      amount: `${(order * 7919) % 5000}.${String(order % 100).padStart(2, '0')}`,
      country: ['SE', 'NO', 'DK', 'FI'][order % 4],
      customer: `customer-${((order * 2_654_435_761) % 1_000_000).toString(36)}`,
    }
    const rowBytes = JSON.stringify(row).length + 1
    if (bytes + rowBytes > bytesMax) break
    bytes += rowBytes
    rows.push(row)
  }
  const last = { at: '2026-01-01T00:00:00Z', amount: '1', country: 'SE', customer: '' }
  const missing = bytesMax - write([...rows, last]).length
  return write([...rows, { ...last, customer: 'x'.repeat(Math.max(0, missing)) }])
}

/** The requests of one client, in one buffer. */
interface Requests {
  buffer: Buffer
  /** Turns the buffer into the request of this number, from 1. */
  stamp(request: number): void
}

const writeDigits = (buffer: Buffer, at: number, value: number): void => {
  for (let digit = keyDigits - 1, rest = value; digit >= 0; digit--, rest = Math.trunc(rest / 10)) {
    buffer[at + digit] = 48 + (rest % 10)
  }
}

const createPushes = (job: LoadJob, credential: string, prefix: string): Requests => {
  const key = prefix + '0'.repeat(keyDigits)
  const body = createBody(job.bodyBytes, (payload) =>
    JSON.stringify({ idempotency_key: key, shape_version: 1, payload }),
  )
  const buffer = Buffer.from(
    `POST /v1/ingest HTTP/1.1\r\nHost: 127.0.0.1:${job.port}\r\nAuthorization: Bearer ${credential}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
  const keyAt = buffer.indexOf(key) + prefix.length
  return { buffer, stamp: (request) => writeDigits(buffer, keyAt, request) }
}

/** More than any machine here reaches. */
const webhooksPerSecondMax = 40_000
const signatureBytes = 64

/**
 * Signs in advance, since signing during the load would take processor time from the service. Each request has a new body
 * and id, because equal bodies are one delivery.
 */
const createWebhooks = (job: LoadJob, { sourceId, secret }: WebhookSender, prefix: string): Requests => {
  const id = prefix + '0'.repeat(keyDigits)
  const t = Math.floor(Date.now() / 1_000)
  const body = Buffer.from(
    createBody(job.bodyBytes, (rows) => JSON.stringify([{ customer: id, amount: '1' }, ...rows])),
  )
  const buffer = Buffer.from(
    `POST /v1/webhooks/${sourceId} HTTP/1.1\r\nHost: 127.0.0.1:${job.port}\r\nService-Delivery-Id: ${id}\r\n` +
      `Service-Signature: t=${t},v1=${'0'.repeat(signatureBytes)}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.toString()}`,
  )
  const idAt = buffer.indexOf(id) + prefix.length
  const signatureAt = buffer.indexOf(',v1=') + 4
  const bodyIdAt = buffer.lastIndexOf(id) + prefix.length
  const bodyAt = buffer.length - body.length

  const requests = Math.ceil((webhooksPerSecondMax * job.seconds * 1.3) / job.clients)
  const signatures = Buffer.alloc(requests * signatureBytes)
  for (let request = 1; request < requests; request++) {
    writeDigits(buffer, bodyIdAt, request)
    const signed = createHmac('sha256', secret)
      .update(`${t}.${prefix}${String(request).padStart(keyDigits, '0')}.`)
      .update(buffer.subarray(bodyAt))
    signatures.write(signed.digest('hex'), request * signatureBytes, 'latin1')
  }
  return {
    buffer,
    stamp: (request) => {
      if (request >= requests) throw new Error('more webhooks were accepted than signed in advance')
      writeDigits(buffer, idAt, request)
      writeDigits(buffer, bodyIdAt, request)
      signatures.copy(buffer, signatureAt, request * signatureBytes, (request + 1) * signatureBytes)
    },
  }
}

const createRequests = (job: LoadJob, index: number): Requests => {
  const prefix = `${job.run}-${index}-`
  const sender = job.credentials[index % job.credentials.length]!
  return typeof sender === 'string' ? createPushes(job, sender, prefix) : createWebhooks(job, sender, prefix)
}

const histogramStepUs = 10
const histogram = new Uint32Array(1_000_000)

const quantileMs = (count: number, quantile: number): number => {
  let seen = 0
  for (let index = 0; index < histogram.length; index++) {
    seen += histogram[index]!
    if (seen >= count * quantile && seen > 0) return ((index + 1) * histogramStepUs) / 1_000
  }
  return 0
}

const answerBytesMax = 4_096

const isWhole = (answer: string): boolean => {
  const headEnd = answer.indexOf('\r\n\r\n')
  if (headEnd < 0) return false
  const lengthAt = answer.indexOf('ontent-length: ')
  const bodyBytes = lengthAt < 0 ? 0 : Number.parseInt(answer.slice(lengthAt + 15, lengthAt + 25), 10)
  return answer.length >= headEnd + 4 + bodyBytes
}

const runClient = (
  job: LoadJob,
  requests: Requests,
  state: { measuring: boolean; done: boolean; refused: number; sent: number },
): Promise<void> =>
  new Promise((resolve, reject) => {
    let sent = 0
    let sentAt = 0

    let received = ''
    // All answers share one buffer.
    const socket: Socket = connect({
      port: job.port,
      host: '127.0.0.1',
      noDelay: true,
      onread: {
        buffer: Buffer.allocUnsafe(answerBytesMax),
        callback: (bytes, buffer) => {
          const answer = received + (buffer as Buffer).toString('latin1', 0, bytes)
          if (isWhole(answer)) {
            received = ''
            onAnswer(answer)
          } else received = answer
          return true
        },
      },
    })
    const send = (): void => {
      requests.stamp(++sent)
      sentAt = performance.now()
      socket.write(requests.buffer)
    }
    const onAnswer = (answer: string): void => {
      state.sent++
      const accepted = answer.startsWith('202', 'HTTP/1.1 '.length)
      if (!accepted && state.refused++ === 0) process.stderr.write(`${answer}\n`)
      if (state.measuring && accepted) {
        const durationUs = (performance.now() - sentAt) * 1_000
        histogram[Math.min(histogram.length - 1, Math.floor(durationUs / histogramStepUs))]!++
      }
      if (state.done) socket.end()
      else send()
    }
    socket.on('connect', send)
    socket.on('close', () => resolve())
    socket.on('error', reject)
  })

const run = async (job: LoadJob): Promise<LoadResult> => {
  const state = { measuring: false, done: false, refused: 0, sent: 0 }
  const requests = Array.from({ length: job.clients }, (_, index) => createRequests(job, index))
  const clients = requests.map((each) => runClient(job, each, state))
  await new Promise((resolve) => setTimeout(resolve, job.seconds * 200))
  state.measuring = true
  const startedMs = performance.now()
  await new Promise((resolve) => setTimeout(resolve, job.seconds * 1_000))
  state.measuring = false
  const seconds = (performance.now() - startedMs) / 1_000
  state.done = true
  const answers = histogram.reduce((sum, count) => sum + count, 0)
  await Promise.all(clients)
  return {
    answers,
    sent: state.sent,
    refused: state.refused,
    perSecond: answers / seconds,
    megabytesPerSecond: (answers * job.bodyBytes) / seconds / 1e6,
    p50Ms: quantileMs(answers, 0.5),
    p99Ms: quantileMs(answers, 0.99),
    maxMs: quantileMs(answers, 1),
  }
}

if (import.meta.main) process.stdout.write(JSON.stringify(await run(JSON.parse(process.argv[2]!) as LoadJob)))
