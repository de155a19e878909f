import { expect, test } from 'vitest'
import { openRaw } from '../../testing/process/raw-connection.ts'
import { startTestService } from '../../testing/in-process/test-service.ts'

const { app } = await startTestService()
const url = await app.listen({ host: '127.0.0.1', port: 0 })

const readBody = (raw: string): unknown => JSON.parse(raw.slice(raw.indexOf('\r\n\r\n') + 4))

/** Sends a request with these lines as its head. @returns the answer */
const requestWithHead = async (...lines: string[]): Promise<string> => {
  const raw = await openRaw(url)
  raw.send(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`)
  return raw.untilClosed()
}

test('bytes that are not HTTP, and headers that are too large, get a short answer and a closed connection', async () => {
  const noise = await openRaw(url)
  noise.send('HELLO THERE\r\n\r\n')
  const answer = await noise.untilClosed()
  expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
  expect(answer).toMatch(/\r\nConnection: close\r\n/)
  expect(readBody(answer)).toMatchObject({ code: 'invalid_argument' })

  const large = await openRaw(url)
  large.send(`GET /v1/samples HTTP/1.1\r\nHost: a\r\nX-Large: ${'a'.repeat(40_000)}\r\n\r\n`)
  const refused = await large.untilClosed()
  expect(refused).toMatch(/^HTTP\/1\.1 431 /)
  expect(readBody(refused)).toMatchObject({ code: 'invalid_argument' })
})

test('a request without a host is 400, and an unknown expectation is ignored', async () => {
  const hostless = await openRaw(url)
  hostless.send('GET /v1/nothing HTTP/1.1\r\nConnection: close\r\n\r\n')
  expect(readBody(await hostless.untilClosed())).toMatchObject({ code: 'invalid_argument', field: 'Host' })
  const expecting = await openRaw(url)
  expecting.send('GET /v1/nothing HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\nConnection: close\r\n\r\n')
  expect(readBody(await expecting.untilClosed())).toMatchObject({ code: 'not_found' })
})

test('a request with two hosts, or an impossible one, is 400 with field Host', async () => {
  for (const lines of [
    ['Host: a', 'Host: b'],
    ['Host: a', 'hOsT: a'],
    ['Host: a b'],
    ['Host: a/b'],
    ['Host: user@a'],
    ['Host: a, b'],
    ['Host: a:b'],
    ['Host: [::1'],
    ['Host: "a"'],
  ]) {
    const answer = await requestWithHead('GET /health/live HTTP/1.1', ...lines)
    expect(answer, lines.join()).toMatch(/^HTTP\/1\.1 400 /)
    expect(readBody(answer), lines.join()).toMatchObject({ code: 'invalid_argument', field: 'Host' })
  }
  // One that the router refuses before any hook.
  const unread = await requestWithHead(`GET /v1/deliveries/${'x'.repeat(200)} HTTP/1.1`, 'Host: a', 'Host: b')
  expect(readBody(unread)).toMatchObject({ code: 'invalid_argument', field: 'Host' })
  for (const host of [
    'a',
    'a.example:8080',
    '127.0.0.1:80',
    '[::1]:8080',
    'xn--bcher-kva.example',
    'a_b',
    '',
  ]) {
    expect(await requestWithHead('GET /health/live HTTP/1.1', `Host: ${host}`), host).toMatch(
      /^HTTP\/1\.1 200 /,
    )
  }
})

test('an absolute target is read by its path, with any Host', async () => {
  expect(
    readBody(await requestWithHead('POST http://a/v1/ingest HTTP/1.1', 'Host: other', 'Content-Length: 0')),
  ).toMatchObject({ code: 'unauthenticated' })
  expect(
    readBody(await requestWithHead('POST http://a/oauth/token HTTP/1.1', 'Host: other', 'Content-Length: 0')),
  ).toMatchObject({ error: 'invalid_request' })
  expect(
    readBody(await requestWithHead('POST http://a HTTP/1.1', 'Host: other', 'Content-Length: 0')),
  ).toMatchObject({ code: 'not_found' })
  expect(
    await requestWithHead('POST ftp://a/v1/ingest HTTP/1.1', 'Host: other', 'Content-Length: 0'),
  ).toMatch(/^HTTP\/1\.1 4/)
})

test('an address that is too long is 431', async () => {
  const answer = await fetch(`${url}/v1/samples?from=${'a'.repeat(20_000)}`)
  expect(answer.status).toBe(431)
  expect(await answer.json()).toMatchObject({ code: 'invalid_argument' })
})

test('bytes after a request do not replace its answer', async () => {
  const raw = await openRaw(url)
  raw.send('GET /health/ready HTTP/1.1\r\nHost: a\r\n\r\n\x01\x02 noise\r\n\r\n')
  const answer = await raw.untilClosed()
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
})
