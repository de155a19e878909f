import { afterAll, afterEach, beforeEach } from 'vitest'
import { buildApp } from '../../../src/app/app.ts'
import { createPool } from '../../../src/platform/database/pool.ts'
import { createBreakableDatabase, type BreakableDatabase } from '../../faults/breakable-database.ts'
import { openRaw, type RawConnection } from '../../process/raw-connection.ts'
import { seedScene } from './scene.ts'
import { createTestContext } from '../test-context.ts'
import { createTestDatabase, type TestDatabase } from '../test-database.ts'

export interface SocketScene {
  database: TestDatabase
  /** The database as the service reaches it. */
  breakable: BreakableDatabase
  /** The credential of the test's own connection. */
  credential(): string
  /** A socket to the service, closed after the test. */
  open(): Promise<RawConnection>
  /** The head of a push, with these headers besides the usual ones. */
  head(...headers: string[]): string
  body(key: string): string
  push(key: string, space?: string): Promise<Response>
  /** The keys that are stored for the test's source, in the order of receipt. */
  storedKeys(): Promise<string[]>
}

const body = (key: string): string =>
  `{"idempotency_key":"${key}","shape_version":1,"payload":{"amount":"1"}}`

/**
 * The service on a port of its own, in front of a database that can be made unavailable, for tests of what a socket or the
 * database can do to a push. To be called at the top of a file; each test has its own source and connection.
 */
export async function startSocketScene(): Promise<SocketScene> {
  const environment = { NUMERA_RATE_PER_MINUTE: '1000000', NUMERA_RATE_BURST: '100000' }
  const database = await createTestDatabase()
  const breakable = await createBreakableDatabase(database.url)
  const pool = createPool({ url: breakable.url })
  const app = await buildApp(createTestContext(pool, { environment }))
  app.addHook('onClose', () => pool.end())
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  afterAll(async () => {
    await app.close()
    await breakable[Symbol.asyncDispose]()
    await database[Symbol.asyncDispose]()
  })

  let credential: string
  let sourceId: string
  beforeEach(async () => {
    const context = createTestContext(database.pool)
    const { source, connection } = await seedScene(context, { source: {}, connection: {} })
    credential = connection.credential!
    sourceId = source.sourceId
  })
  const opened: RawConnection[] = []
  afterEach(() => {
    for (const connection of opened.splice(0)) connection.socket.destroy()
  })

  return {
    database,
    breakable,
    credential: () => credential,
    open: async () => {
      const connection = await openRaw(url)
      opened.push(connection)
      return connection
    },
    head: (...headers) =>
      [
        'POST /v1/ingest HTTP/1.1',
        'Host: localhost',
        `Authorization: Bearer ${credential}`,
        'Content-Type: application/json',
        ...headers,
        '',
        '',
      ].join('\r\n'),
    body,
    push: (key, space = '') =>
      fetch(`${url}/v1/ingest`, {
        method: 'POST',
        headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
        body: body(key) + space,
      }),
    storedKeys: async () => {
      const { rows } = await database.pool.query<{ idempotency_key: string }>(
        'select idempotency_key from deliveries where source_id = $1 order by receive_number',
        [sourceId],
      )
      return rows.map((row) => row.idempotency_key)
    },
  }
}
