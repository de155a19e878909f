import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { formBytesMax } from '../../../oauth/client/client-request.ts'
import { webhookSignature } from '../../../engine/deliveries/webhooks/signature.ts'
import { openRaw, type RawConnection } from '../../../../testing/process/raw-connection.ts'
import {
  seedCompany,
  seedConnection,
  seedSource,
  seedWebhookSource,
} from '../../../../testing/in-process/seed.ts'
import { startTestService } from '../../../../testing/in-process/test-service.ts'

// What senders who hold back the end of their bodies can take from others. They come from a network of their own.

const { context, app } = await startTestService({
  environment: {
    NUMERA_RATE_PER_MINUTE: '1000000',
    NUMERA_RATE_BURST: '100000',
    NUMERA_CONNECTIONS: '20000',
  },
})
let url: string
beforeAll(async () => {
  url = await app.listen({ host: '127.0.0.1', port: 0 })
})

/** The outcome of a body that is begun, and then not continued. */
interface SlowBody {
  head: string
  answer: string
}
let slowBodies: Promise<SlowBody[]>
beforeAll(async () => {
  // Slow bodies have their seconds while the other tests run. They come from others than those of the other tests.
  const pusher = await seedPusher()
  const { sourceId } = await seedWebhookSource(context, pusher.companyId)
  const length = 10_000
  const heads = [
    webhookHead(sourceId, length),
    head(
      '/v1/ingest',
      length,
      `Authorization: Bearer ${pusher.credential}`,
      'Content-Type: application/json',
    ),
    head('/console/sign-in', length, 'Content-Type: application/json'),
    head('/oauth/register', length, 'Content-Type: application/json'),
    head('/oauth/token', length, 'Content-Type: application/x-www-form-urlencoded'),
    head('/oauth/revoke', length, 'Content-Type: application/x-www-form-urlencoded'),
  ]
  const connections = await Promise.all(heads.map(() => openRaw(url, '127.0.78.1')))
  for (const [index, connection] of connections.entries()) connection.send(`${heads[index]}slow`)
  slowBodies = Promise.all(
    connections.map(async (connection, index) => ({
      head: heads[index]!,
      answer: await connection.untilClosed(20_000),
    })),
  )
  // Their callers get the error.
  slowBodies.catch(() => {})
})

const opened: RawConnection[] = []
const openFrom = async (localAddress: string): Promise<RawConnection> => {
  const connection = await openRaw(url, localAddress)
  opened.push(connection)
  return connection
}
afterEach(() => {
  for (const connection of opened.splice(0)) connection.socket.destroy()
})

const seedPusher = async () => {
  const seeded = await seedCompany(context)
  const source = await seedSource(context, seeded.company.companyId)
  const { credential } = await seedConnection(context, { ...seeded, source })
  return { companyId: seeded.company.companyId, credential: credential! }
}
let credential: string
let webhookSource: Awaited<ReturnType<typeof seedWebhookSource>>
beforeEach(async () => {
  const pusher = await seedPusher()
  credential = pusher.credential
  webhookSource = await seedWebhookSource(context, pusher.companyId)
})

let sent = 0
const push = async (as: string, bytes = 100): Promise<number> => {
  const body = `{"idempotency_key":"key-${++sent}","shape_version":1,"payload":{"amount":"1"}}`
  const answer = await fetch(`${url}/v1/ingest`, {
    method: 'POST',
    headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
    body: body.padEnd(bytes),
  })
  await answer.text()
  return answer.status
}
const nowSeconds = (): number => Math.floor(context.clock.now() / 1_000)
const deliver = async (bytes = 100): Promise<number> => {
  const t = nowSeconds()
  const id = `id-${++sent}`
  const body = Buffer.from(`{"amount":"${sent}"}`.padEnd(bytes))
  const answer = await fetch(`${url}/v1/webhooks/${webhookSource.sourceId}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'service-delivery-id': id,
      'service-signature': `t=${t},v1=${webhookSignature(webhookSource.signingSecret, t, id, body)}`,
    },
    body,
  })
  await answer.text()
  return answer.status
}

const head = (path: string, bytes: number, ...headers: string[]): string =>
  [`POST ${path} HTTP/1.1`, 'Host: localhost', `Content-Length: ${bytes}`, ...headers, '', ''].join('\r\n')
/** Of anyone who knows how webhooks look. */
const webhookHead = (sourceId: string, bytes: number): string =>
  head(
    `/v1/webhooks/${sourceId}`,
    bytes,
    'Content-Type: application/json',
    'Service-Delivery-Id: a',
    `Service-Signature: t=${nowSeconds()},v1=${'0'.repeat(64)}`,
  )

describe('delayed bodies', () => {
  test('1,250 connections that hold back a byte keep no other sender out, of webhooks nor of pushes', async () => {
    const bytes = 65_536
    const begun = webhookHead(webhookSource.sourceId, bytes) + ' '.repeat(bytes - 1)
    const statuses: number[] = []
    for (let opening = 0; opening < 1_250; opening += 50) {
      const some = await Promise.all(Array.from({ length: 50 }, () => openFrom('127.0.77.1')))
      for (const connection of some) connection.send(begun)
      statuses.push(
        await deliver(),
        await deliver(60_000),
        await push(credential),
        await push(credential, 60_000),
      )
    }
    for (let round = 0; round < 5; round++)
      statuses.push(await deliver(1_000_000), await push(credential, 1_000_000))
    expect(statuses.filter((status) => status !== 202)).toEqual([])
  })

  test('36 large bodies of one company keep no large push of another out', async () => {
    const neighbour = await seedPusher()
    const begun = head(
      '/v1/ingest',
      8_388_608,
      `Authorization: Bearer ${neighbour.credential}`,
      'Content-Type: application/json',
    )
    const connections = await Promise.all(Array.from({ length: 36 }, () => openFrom('127.0.77.1')))
    const most = Buffer.alloc(8_388_607, ' ')
    for (const { socket } of connections) {
      socket.write(begun)
      socket.write(most)
    }
    await Promise.any(connections.map((connection) => connection.until('HTTP/1.1 503')))
    const statuses = [
      await push(credential, 8_388_608),
      await deliver(8_000_000),
      await push(credential, 8_388_608),
      // Large ones leave room for small ones of the same company too.
      await push(neighbour.credential),
    ]
    expect(statuses).toEqual([202, 202, 202, 202])
  })

  test('bodies without a length are counted as they come', async () => {
    const chunked = webhookHead(webhookSource.sourceId, 0).replace(
      'Content-Length: 0',
      'Transfer-Encoding: chunked',
    )
    const connections = await Promise.all(Array.from({ length: 12 }, () => openFrom('127.0.77.1')))
    const chunk = Buffer.alloc(0x7f0000, ' ')
    for (const { socket } of connections) {
      socket.write(`${chunked}7f0000\r\n`)
      socket.write(chunk)
    }
    await Promise.any(connections.map((connection) => connection.until('HTTP/1.1 503')))
    expect([await deliver(1_000_000), await push(credential, 1_000_000)]).toEqual([202, 202])
  })

  test('a form that is larger than its address takes is 413 in the shape of OAuth', async () => {
    const answer = await fetch(`${url}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'a'.repeat(formBytesMax + 1),
    })
    expect(answer.status).toBe(413)
    expect(await answer.json()).toMatchObject({ error: 'invalid_request' })
  })

  test('a body that comes too slowly is 408 wherever it is sent, and its connection ends', async () => {
    for (const { head, answer } of await slowBodies) {
      expect(answer, head).toMatch(/^HTTP\/1\.1 408 /)
      const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) as object
      expect(body).toMatchObject(
        head.includes('/oauth/') ? { error: 'temporarily_unavailable' } : { code: 'internal' },
      )
    }
  })
})
