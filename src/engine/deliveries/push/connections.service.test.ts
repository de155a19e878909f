import { describe, expect, test } from 'vitest'
import { startSocketScene } from '../../../../testing/in-process/scenes/socket-scene.ts'

const scene = await startSocketScene()
const { breakable, open, head, body: toBody, push, storedKeys } = scene

describe('a connection', () => {
  test('that trickles its body is served to the end without delaying others', async () => {
    const slow = await open()
    const body = toBody('slow')
    slow.send(head(`Content-Length: ${body.length}`))
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
    const body = toBody('chunked')
    chunked.send(head('Transfer-Encoding: chunked'))
    for (const letter of body) chunked.send(`1\r\n${letter}\r\n`)
    chunked.send('0\r\n\r\n')
    await chunked.until('"delivers":"events"}')
    expect(await storedKeys()).toEqual(['chunked'])
  })

  test('with a body longer than its Content-Length is validated by what it announced', async () => {
    const cut = await open()
    cut.send(head('Content-Length: 20') + toBody('long'))
    const answer = await cut.untilClosed()
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('"field":"body"')
    expect(await storedKeys()).toEqual([])
  })

  test('without any body gets 400: the body is empty', async () => {
    const empty = await open()
    empty.send(head('Content-Length: 0'))
    expect(await empty.until('"field":"body"')).toMatch(/^HTTP\/1\.1 400 /)
  })

  test('that sends Expect: 100-continue gets 100', async () => {
    const polite = await open()
    const body = toBody('polite')
    polite.send(head(`Content-Length: ${body.length}`, 'Expect: 100-continue'))
    await polite.until('HTTP/1.1 100 Continue')
    polite.send(body)
    await polite.until('HTTP/1.1 202 ')
  })

  test('serves pushes one after another, and several concurrently', async () => {
    const kept = await open()
    const keys = ['a', 'b', 'c', 'd']
    for (const key of keys) {
      const body = toBody(key)
      kept.send(head(`Content-Length: ${body.length}`) + body)
      if (key === 'a') await kept.until('"delivers":"events"}')
    }
    await expect.poll(async () => (await kept.until('202')).match(/HTTP\/1\.1 202 /g)?.length).toBe(4)
    expect((await storedKeys()).toSorted()).toEqual(keys)
  })

  test('that announces too much is answered immediately, and can send another push', async () => {
    const large = await open()
    large.send(head('Content-Length: 8388609'))
    const answer = await large.until('"field":"body"')
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(answer).toContain('"code":"invalid_argument"')
    // What is sent regardless is discarded, and the next push is served.
    large.send('x'.repeat(8_388_609))
    large.send(head(`Content-Length: ${toBody('next').length}`) + toBody('next'))
    await large.until('HTTP/1.1 202 ')
  })

  test('with a refused credential is answered without its body', async () => {
    const refused = await open()
    refused.send(head('Content-Length: 1000000').replace(scene.credential(), 'nsk_unknown'))
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
})
