import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { startSocketScene } from '../../../../testing/in-process/scenes/socket-scene.ts'

const scene = await startSocketScene()
const { database, open, head, body: toBody, push, storedKeys } = scene

describe('a connection', () => {
  test('that delays the end of a large body, as do many others, leaves budget for small ones', async () => {
    const large = head('Content-Length: 8388608') + ' '.repeat(8_388_600)
    const delayed = await Promise.all(Array.from({ length: 33 }, () => open()))
    for (const connection of delayed) connection.send(large)
    // One more than there is room for.
    await Promise.any(delayed.map((connection) => connection.until('HTTP/1.1 503')))
    for (let index = 0; index < 40; index++) {
      expect((await push(`small-${index}`, ' '.repeat(10_000))).status).toBe(202)
    }
  })

  test('that hangs up in the middle leaves nothing behind', async () => {
    const body = toBody('gone')
    for (const part of [0, 1, body.length - 1]) {
      const gone = await open()
      gone.send(head(`Content-Length: ${body.length}`) + body.slice(0, part))
      await sleep(30)
      gone.socket.destroy()
    }
    await sleep(50)
    expect(await storedKeys()).toEqual([])
    expect((await push('after')).status).toBe(202)
  })

  test('with a body shorter than its Content-Length is waited for', async () => {
    const short = await open()
    const body = toBody('short')
    short.send(head(`Content-Length: ${body.length + 1}`) + body)
    await sleep(100)
    expect(await storedKeys()).toEqual([])
    short.send(' ')
    await short.until('HTTP/1.1 202 ')
    expect(await storedKeys()).toEqual(['short'])
  })

  test('that sends too much without announcing it sees the answer while it sends', async () => {
    const large = await open()
    large.send(head('Transfer-Encoding: chunked'))
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
    for (let index = 0; index < 128; index++) large.send(chunk)
    await sleep(50)
    large.send('1\r\nx\r\n')
    expect(await large.until('"field":"body"')).toMatch(/^HTTP\/1\.1 413 /)
    for (let index = 0; index < 20; index++) large.send(chunk)
    large.send('0\r\n\r\n')
    large.send(head(`Content-Length: ${toBody('next').length}`) + toBody('next'))
    await large.until('HTTP/1.1 202 ')
  })

  test('that sends too much for ever is closed', async () => {
    const large = await open()
    large.send(head('Transfer-Encoding: chunked'))
    const chunk = `100000\r\n${'x'.repeat(1_048_576)}\r\n`
    for (let index = 0; index < 120; index++) large.send(chunk)
    const answer = await large.untilClosed()
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  })
})

describe('a database', () => {
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
