import { afterAll, beforeEach, expect } from 'vitest'
import { buildApp } from '../../../src/app/app.ts'
import { decompressContent } from '../../../src/engine/deliveries/intake/compress.ts'
import { webhookSignature } from '../../../src/engine/deliveries/webhooks/signature.ts'
import type { App } from '../../../src/platform/http/contract.ts'
import { saveSourceAsOperator } from '../save-source.ts'
import { seedCompany, seedWebhookSource } from '../seed.ts'
import { createTestContext, type TestContext } from '../test-context.ts'
import { createTestDatabase } from '../test-database.ts'

export interface WebhookSend {
  /** In the path. */
  sourceId?: string
  secret?: string
  t?: number | string
  /** Undefined as a value leaves the header out. */
  headers?: Record<string, string | undefined>
  address?: string
  on?: App
}

export interface WebhookAnswer {
  statusCode: number
  headers: Record<string, string>
  body: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read answers as they come
  json: () => any
}

export const csv = { headers: { 'content-type': 'text/csv' } }

/** The status and code of an error, and its field. */
export const toErrorText = (answer: WebhookAnswer): string => {
  const { code, field } = answer.json() as { code: string; field?: string }
  return field === undefined ? `${answer.statusCode} ${code}` : `${answer.statusCode} ${code} ${field}`
}

/** The id in a receipt. */
export const toArtifactId = (answer: WebhookAnswer): string => {
  expect(answer.statusCode, answer.body).toBe(202)
  return (answer.json() as { artifact_id: string }).artifact_id
}

export const isReplay = (answer: WebhookAnswer): boolean => answer.headers['idempotent-replayed'] === 'true'

const environment = {
  NUMERA_TRUST_PROXY: '1',
  NUMERA_RATE_PER_MINUTE: '1000000',
  NUMERA_RATE_BURST: '100000',
}

/**
 * The service on ports of its own, and a company with a webhook source for each test. To be called at the top of a file. Calls go
 * over the wire: whether a body is there with its headers makes a difference inside, and none outside.
 */
export async function startWebhookScene() {
  const database = await createTestDatabase()
  const context = createTestContext(database.pool, { environment })
  const { clock } = context
  const urls = new Map<App, string>()
  /** The service on a port of its own. */
  const open = async (options: TestContext): Promise<App> => {
    const opened = await buildApp(options)
    urls.set(opened, await opened.listen({ host: '127.0.0.1', port: 0 }))
    return opened
  }
  const app = await open(context)
  /** The same service once more, as another process would be. */
  const otherApp = await open(createTestContext(database.pool, { environment, clock }))
  /** The same with the specification's rates. */
  const limitedApp = await open(
    createTestContext(database.pool, { environment: { NUMERA_TRUST_PROXY: '1' }, clock }),
  )
  afterAll(async () => {
    for (const each of [app, otherApp, limitedApp]) await each.close()
    await database[Symbol.asyncDispose]()
  })

  let networks = 0
  /** Of a network that has not called yet. */
  const newAddress = (): string => `10.${++networks >> 8}.${networks & 255}.1`
  const seed = async () => {
    const seeded = await seedCompany(context)
    return {
      seeded,
      source: await seedWebhookSource(context, seeded.company.companyId),
      /** Of this test only, so that failed attempts of others do not count. */
      address: newAddress(),
    }
  }
  const hooks = {} as Awaited<ReturnType<typeof seed>>
  beforeEach(async () => {
    Object.assign(hooks, await seed())
  })

  const nowSeconds = (): number => Math.floor(clock.now() / 1_000)
  const toUrl = (on: App): string => urls.get(on)!
  const call = async (
    on: App,
    url: string,
    method: string,
    headers: Record<string, string | undefined>,
    body?: Uint8Array,
  ): Promise<WebhookAnswer> => {
    const answer = await fetch(`${toUrl(on)}${url}`, {
      method,
      headers: Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
      ...(body === undefined ? {} : { body: body as Uint8Array<ArrayBuffer> }),
    })
    const text = await answer.text()
    return {
      statusCode: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: text,
      json: () => JSON.parse(text),
    }
  }

  const send = (id: string, body: string | Buffer, options: WebhookSend = {}): Promise<WebhookAnswer> => {
    const t = options.t ?? nowSeconds()
    const bytes = Buffer.from(body)
    const headers = {
      'content-type': 'application/json',
      'service-delivery-id': id,
      'service-signature': `t=${t},v1=${webhookSignature(options.secret ?? hooks.source.signingSecret, t, id, bytes)}`,
      'x-forwarded-for': options.address ?? hooks.address,
      ...options.headers,
    }
    return call(
      options.on ?? app,
      `/v1/webhooks/${options.sourceId ?? hooks.source.sourceId}`,
      'POST',
      headers,
      bytes,
    )
  }

  const storedRows = async () => {
    const { rows } = await database.pool.query(
      `select deliveries.*, backlog.projection_id
    from deliveries
    left join backlog using (company_id, receive_number)
    where deliveries.source_id = $1
    order by receive_number`,
      [hooks.source.sourceId],
    )
    return rows.map((row) => ({
      ...row,
      text: Buffer.from(
        decompressContent({ content: row.content, contentEncoding: row.content_encoding }),
      ).toString(),
    }))
  }
  const storedCount = async (): Promise<number> => (await storedRows()).length

  const pause = (pausedAt: Date | null) =>
    database.pool.query('update sources set paused_at = $2 where source_id = $1', [
      hooks.source.sourceId,
      pausedAt,
    ])

  return Object.assign(hooks, {
    database,
    context,
    app,
    otherApp,
    limitedApp,
    open,
    toUrl,
    newAddress,
    nowSeconds,
    call,
    send,
    storedRows,
    storedCount,
    pause,
    setChannel: (channel: 'push' | 'webhook') =>
      saveSourceAsOperator(context, { ...hooks.seeded.company, ...hooks.source }, { channel }),
  })
}
