import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createPool } from '../../../platform/database/pool.ts'
import { createTestDatabase, type TestDatabase } from '../../../../testing/in-process/test-database.ts'
import { buildApp } from '../../../app/app.ts'
import type { App } from '../../../platform/http/contract.ts'
import {
  createBreakableDatabase,
  type BreakableDatabase,
} from '../../../../testing/faults/breakable-database.ts'
import { openRaw, type RawConnection } from '../../../../testing/process/raw-connection.ts'
import { createTestContext } from '../../../../testing/in-process/test-context.ts'
import { seedScene } from '../../../../testing/in-process/scene.ts'

// What a socket can do to a push, and what a database can.

const environment = { NUMERA_RATE_PER_MINUTE: '1000000', NUMERA_RATE_BURST: '100000' }

let database: TestDatabase
let breakable: BreakableDatabase
let app: App
let url: string
let credential: string
let sourceId: string
beforeAll(async () => {
  database = await createTestDatabase()
  breakable = await createBreakableDatabase(database.url)
  const pool = createPool({ url: breakable.url })
  app = await buildApp(createTestContext(pool, { environment }))
  app.addHook('onClose', () => pool.end())
  url = await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  await app.close()
  await breakable[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})
beforeEach(async () => {
  const context = createTestContext(database.pool)
  const { source, connection } = await seedScene(context, { source: {}, connection: {} })
  credential = connection.credential!
  sourceId = source.sourceId
})

const opened: RawConnection[] = []
const open = async (): Promise<RawConnection> => {
  const connection = await openRaw(url)
  opened.push(connection)
  return connection
}
afterEach(() => {
  for (const connection of opened.splice(0)) connection.socket.destroy()
})

const storedKeys = async (): Promise<string[]> => {
  const { rows } = await database.pool.query<{ idempotency_key: string }>(
    'select idempotency_key from deliveries where source_id = $1 order by receive_number',
    [sourceId],
  )
  return rows.map((row) => row.idempotency_key)
}

const bodyOf = (key: string): string =>
  `{"idempotency_key":"${key}","shape_version":1,"payload":{"amount":"1"}}`
const headOf = (...headers: string[]): string =>
  [
    'POST /v1/ingest HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${credential}`,
    'Content-Type: application/json',
    ...headers,
    '',
    '',
  ].join('\r\n')

const push = (key: string, space = '') =>
  fetch(`${url}/v1/ingest`, {
    method: 'POST',
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
    body: bodyOf(key) + space,
  })

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe('a connection', () => {
  test('that delays the end of a large body, with many others, leaves budget for small ones', async () => {
    const large = headOf('Content-Length: 8388608') + ' '.repeat(8_388_600)
    const held = await Promise.all(Array.from({ length: 33 }, () => open()))
    for (const connection of held) connection.send(large)
    // One more than there is room for.
    await Promise.any(held.map((connection) => connection.until('HTTP/1.1 503')))
    for (let index = 0; index < 40; index++) {
      expect((await push(`small-${index}`, ' '.repeat(10_000))).status).toBe(202)
    }
  }, 30_000)

  test('that trickles its body is served to the end without delaying others', async () => {
    const slow = await open()
    const body = bodyOf('slow')
    slow.send(headOf(`Content-Length: ${body.length}`))
    for (const [index, letter] of [...body].entries()) {
      slow.send(letter)
      if (index % 10 === 0) {
        expect((await push(`quick-${index}`)).status).toBe(202)
      }
    }
    expect(await slow.until('"delivers":"events"}')).toMatch(/^HTTP\/1\.1 202 /)
    expect((await storedKeys()).at(-1)).toBe('slow')
  })

  test('may send its body in chunks', async () => {
    const chunked = await open()
    const body = bodyOf('chunked')
    chunked.send(headOf('Transfer-Encoding: chunked'))
    for (const letter of body) chunked.send(`1\r\n${letter}\r\n`)
    chunked.send('0\r\n\r\n')
    await chunked.until('"delivers":"events"}')
    expect(await storedKeys()).toEqual(['chunked'])
  })

  test('that hangs up in the middle leaves nothing behind', async () => {
    const body = bodyOf('gone')
    for (const part of [0, 1, body.length - 1]) {
      const gone = await open()
      gone.send(headOf(`Content-Length: ${body.length}`) + body.slice(0, part))
      await sleep(30)
      gone.socket.destroy()
    }
    await sleep(50)
    expect(await storedKeys()).toEqual([])
    expect((await push('after')).status).toBe(202)
  })

  test('with a body longer than its Content-Length is validated by what it announced', async () => {
    const cut = await open()
    cut.send(headOf('Content-Length: 20') + bodyOf('long'))
    const answer = await cut.untilClosed()
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('"field":"body"')
    expect(await storedKeys()).toEqual([])
  })

  test('with a body shorter than its Content-Length is waited for', async () => {
    const short = await open()
    const body = bodyOf('short')
    short.send(headOf(`Content-Length: ${body.length + 1}`) + body)
    await sleep(100)
    expect(await storedKeys()).toEqual([])
    short.send(' ')
    await short.until('HTTP/1.1 202 ')
    expect(await storedKeys()).toEqual(['short'])
  })

  test('without any body gets 400: the body is empty', async () => {
    const empty = await open()
    empty.send(headOf('Content-Length: 0'))
    expect(await empty.until('"field":"body"')).toMatch(/^HTTP\/1\.1 400 /)
  })

  test('that sends Expect: 100-continue gets 100', async () => {
    const polite = await open()
    const body = bodyOf('polite')
    polite.send(headOf(`Content-Length: ${body.length}`, 'Expect: 100-continue'))
    await polite.until('HTTP/1.1 100 Continue')
    polite.send(body)
    await polite.until('HTTP/1.1 202 ')
  })

  test('serves pushes one after another, and several concurrently', async () => {
    const kept = await open()
    const keys = ['a', 'b', 'c', 'd']
    for (const key of keys) {
      const body = bodyOf(key)
      kept.send(headOf(`Content-Length: ${body.length}`) + body)
      if (key === 'a') await kept.until('"delivers":"events"}')
    }
    await expect.poll(async () => (await kept.until('202')).match(/HTTP\/1\.1 202 /g)?.length).toBe(4)
    expect((await storedKeys()).toSorted()).toEqual(keys)
  })

  test('that announces too much is answered immediately, and can send another push', async () => {
    const large = await open()
    large.send(headOf('Content-Length: 8388609'))
    const answer = await large.until('"field":"body"')
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(answer).toContain('"code":"invalid_argument"')
    // What is sent regardless is discarded, and the next push is served.
    large.send('x'.repeat(8_388_609))
    large.send(headOf(`Content-Length: ${bodyOf('next').length}`) + bodyOf('next'))
    await large.until('HTTP/1.1 202 ')
  })

  test('that sends too much without announcing it sees the answer while it sends', async () => {
    const large = await open()
    large.send(headOf('Transfer-Encoding: chunked'))
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
    for (let index = 0; index < 128; index++) large.send(chunk)
    await sleep(50)
    large.send('1\r\nx\r\n')
    expect(await large.until('"field":"body"')).toMatch(/^HTTP\/1\.1 413 /)
    for (let index = 0; index < 20; index++) large.send(chunk)
    large.send('0\r\n\r\n')
    large.send(headOf(`Content-Length: ${bodyOf('next').length}`) + bodyOf('next'))
    await large.until('HTTP/1.1 202 ')
  })

  test('that sends too much for ever is closed', async () => {
    const large = await open()
    large.send(headOf('Transfer-Encoding: chunked'))
    const chunk = `100000\r\n${'x'.repeat(1_048_576)}\r\n`
    for (let index = 0; index < 120; index++) large.send(chunk)
    const answer = await large.untilClosed()
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  })

  test('with a refused credential is answered without its body', async () => {
    const refused = await open()
    refused.send(headOf('Content-Length: 1000000').replace(credential, 'nsk_unknown'))
    expect(await refused.until('"code":"unauthenticated"')).toMatch(/^HTTP\/1\.1 401 /)
  })
})

describe('a database', () => {
  test('that is unavailable is 503 with Retry-After; after it returns the same push is stored once', async () => {
    expect((await push('before')).status).toBe(202)
    await breakable.takeAway()
    const answers = await Promise.all([push('a'), push('b'), push('before')])
    for (const answer of answers) {
      expect(answer.status).toBe(503)
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
      expect(await answer.json()).toMatchObject({ code: 'internal' })
    }
    expect(await storedKeys()).toEqual(['before'])
    await breakable.giveBack()
    const back = await Promise.all([push('a'), push('b'), push('before')])
    expect(back.map((answer) => answer.status)).toEqual([202, 202, 202])
    expect(back[2]!.headers.get('idempotent-replayed')).toBe('true')
    expect((await storedKeys()).toSorted()).toEqual(['a', 'b', 'before'])
  })

  const endOfConnections = `select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'numera' and datname = current_database()`

  test('that ends its connections under load loses no answer, and stores no delivery twice', async () => {
    const ended: Promise<unknown>[] = []
    const seen: string[] = []
    await Promise.all(
      Array.from({ length: 8 }, async (_, client) => {
        for (let index = 0; index < 25; index++) {
          const key = `${client}-${index}`
          for (;;) {
            const answer = await push(key)
            if (answer.status === 202) break
            expect(answer.status).toBe(503)
          }
          seen.push(key)
          // While seven others are under way. Counted, so that a slow machine gets on too.
          if (seen.length % 5 === 0) ended.push(database.pool.query(endOfConnections))
        }
      }),
    )
    await Promise.all(ended)
    expect((await storedKeys()).toSorted()).toEqual(seen.toSorted())
  })
})
