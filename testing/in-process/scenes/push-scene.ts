import { afterAll, beforeEach, expect } from 'vitest'
import { buildApp } from '../../../src/app/app.ts'
import { decompressContent } from '../../../src/engine/deliveries/intake/compress.ts'
import type { App } from '../../../src/platform/http/contract.ts'
import { seedScene } from './scene.ts'
import { createTestContext } from '../test-context.ts'
import { startTestService } from '../test-service.ts'

export interface JsonPush {
  bearer?: string | undefined
  headers?: Record<string, string>
  on?: App
}

export const toPushBody = (key: string, payload: string, shapeVersion: string | number = 1): string =>
  `{"idempotency_key":${JSON.stringify(key)},"shape_version":${shapeVersion},"payload":${payload}}`

/** Status, code and field of an error. */
export const toFault = (answer: { statusCode: number; json: () => { code: string; field?: string } }) => ({
  status: answer.statusCode,
  code: answer.json().code,
  field: answer.json().field,
})
export const invalid = (field: string) => ({ status: 400, code: 'invalid_argument', field })

const environment = { NUMERA_RATE_PER_MINUTE: '1000000', NUMERA_RATE_BURST: '100000' }

/** The service, and for each test a source with a connection that pushes to it. To be called at the top of a file. */
export async function startPushScene() {
  const { database, context, app } = await startTestService({ environment })
  /** The same service once more, as another process would be. */
  const otherApp = await buildApp(createTestContext(database.pool, { environment, clock: context.clock }))
  afterAll(() => otherApp.close())
  const seed = async () => {
    const { source, connection, ...seeded } = await seedScene(context, { source: {}, connection: {} })
    return { source, connection, seeded }
  }
  const scene = {} as Awaited<ReturnType<typeof seed>>
  beforeEach(async () => {
    Object.assign(scene, await seed())
  })

  const pushBytes = (payload: string | Buffer, options: JsonPush = {}) =>
    (options.on ?? app).inject({
      method: 'POST',
      url: '/v1/ingest',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${options.bearer ?? scene.connection.credential}`,
        ...options.headers,
      },
      payload,
    })

  /** `payload` is JSON text, so that a test controls every byte. */
  const push = (key: string, payload: string, options: JsonPush & { shapeVersion?: number } = {}) =>
    pushBytes(toPushBody(key, payload, options.shapeVersion), options)

  const storedCount = async (): Promise<number> => {
    const { rows } = await database.pool.query<{ count: string }>(
      'select count(*) from deliveries where source_id = $1',
      [scene.source.sourceId],
    )
    return Number(rows[0]!.count)
  }

  const stored = async (key: string) => {
    const { rows } = await database.pool.query(
      `select deliveries.*, backlog.projection_id, backlog.queue
    from deliveries
    left join backlog using (company_id, receive_number)
    where deliveries.source_id = $1 and idempotency_key = $2`,
      [scene.source.sourceId, key],
    )
    expect(rows).toHaveLength(1)
    const row = rows[0]
    const content = decompressContent({ content: row.content, contentEncoding: row.content_encoding })
    return { ...row, text: Buffer.from(content).toString() }
  }

  const pause = (pausedAt: Date | null) =>
    database.pool.query('update sources set paused_at = $2 where source_id = $1', [
      scene.source.sourceId,
      pausedAt,
    ])

  return Object.assign(scene, {
    database,
    context,
    app,
    otherApp,
    pushBytes,
    push,
    stored,
    storedCount,
    pause,
  })
}
