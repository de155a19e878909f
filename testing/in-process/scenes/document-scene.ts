import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeEach, expect } from 'vitest'
import { decompressContent } from '../../../src/engine/deliveries/intake/compress.ts'
import { seedScene } from './scene.ts'
import { seedConnection, seedSource } from '../seed.ts'
import { startTestService } from '../test-service.ts'

export interface DocumentPush {
  key?: string | string[] | undefined
  bearer?: string | undefined
  headers?: Record<string, string | string[]>
}

export interface DocumentAnswer {
  status: number
  headers: Record<string, unknown>
  body: string
  json: Record<string, unknown>
}

export const csv = 'at,amount\n2026-01-15,1.50\n'

/** Status, code and field of an error. */
export const toFault = ({ status, json }: DocumentAnswer) => ({
  status,
  code: json['code'],
  field: json['field'],
})
export const invalid = (field: string) => ({ status: 400, code: 'invalid_argument', field })

/** A header's text such that it is sent as UTF-8. */
const asBytes = (text: string): string => Buffer.from(text).toString('latin1')

const environment = { NUMERA_RATE_PER_MINUTE: '1000000', NUMERA_RATE_BURST: '100000' }

/** The service on a port, and for each test a source with a connection that pushes to it. To be called at the top of a file. */
export async function startDocumentScene() {
  const { database, context, app } = await startTestService({ environment })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const seed = async () => {
    const { source, connection, ...seeded } = await seedScene(context, { source: {}, connection: {} })
    return { source, connection, seeded }
  }
  const scene = {} as Awaited<ReturnType<typeof seed>>
  beforeEach(async () => {
    Object.assign(scene, await seed())
  })

  /** Pushes over HTTP. */
  const pushBytes = (payload: string | Uint8Array, options: DocumentPush = {}): Promise<DocumentAnswer> =>
    new Promise((resolve, reject) => {
      const { port } = app.server.address() as AddressInfo
      const headers: Record<string, string | string[]> = {
        'content-type': 'application/octet-stream',
        authorization: `Bearer ${options.bearer ?? scene.connection.credential}`,
        ...(options.key === undefined ? {} : { 'idempotency-key': options.key }),
        ...options.headers,
      }
      const sent = request({
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: '/v1/ingest',
        headers: Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [
            name,
            typeof value === 'string' ? asBytes(value) : value.map(asBytes),
          ]),
        ),
      })
      sent.on('error', reject).on('response', (answer) => {
        const chunks: Buffer[] = []
        answer
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('end', () => {
            const body = Buffer.concat(chunks).toString()
            resolve({
              status: answer.statusCode!,
              headers: answer.headers,
              body,
              json: JSON.parse(body) as Record<string, unknown>,
            })
          })
      })
      // As bytes: with a text, the client would encode the headers like the text.
      sent.end(Buffer.from(payload))
    })
  const push = (
    key: string,
    payload: string | Uint8Array,
    options: Omit<DocumentPush, 'key'> = {},
  ): Promise<DocumentAnswer> => pushBytes(payload, { key, ...options })

  const stored = async (key: string) => {
    const { rows } = await database.pool.query(
      'select * from deliveries where source_id = $1 and idempotency_key = $2',
      [scene.source.sourceId, key],
    )
    expect(rows).toHaveLength(1)
    const row = rows[0]
    const content = decompressContent({ content: row.content, contentEncoding: row.content_encoding })
    return { ...row, bytes: Buffer.from(content), text: Buffer.from(content).toString() }
  }
  const storedCount = async (): Promise<number> => {
    const { rows } = await database.pool.query('select from deliveries where source_id = $1', [
      scene.source.sourceId,
    ])
    return rows.length
  }

  /** Makes another source the one of the test, with a connection of its own. */
  const useSource = async (options: Parameters<typeof seedSource>[2]): Promise<void> => {
    scene.source = await seedSource(context, scene.seeded.company.companyId, options)
    const { seeded, source } = scene
    scene.connection = await seedConnection(context, { ...seeded, source })
  }

  return Object.assign(scene, { database, context, app, pushBytes, push, stored, storedCount, useSource })
}
