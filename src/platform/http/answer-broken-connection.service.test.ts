import { once } from 'node:events'
import { createServer, type Server, type ServerOptions } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { openRaw } from '../../../testing/process/raw-connection.ts'
import { createErrorBodyWriter } from '../../app/error-body.ts'
import { createBrokenConnectionHandler } from './answer-broken-connection.ts'

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

/** As a test that waits for it. */
const impatient: ServerOptions = { requestTimeout: 200, headersTimeout: 100, connectionsCheckingInterval: 20 }

/** A server that reads a body and answers. */
const start = async (limits: ServerOptions = {}): Promise<string> => {
  server = createServer(limits, (request, response) => {
    request.resume().on('end', () => response.end('done'))
    request.on('error', () => {})
  })
  server.on('clientError', createBrokenConnectionHandler(createErrorBodyWriter('https://numera.example')))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const expectTimeout = (answer: string): void => {
  expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
  expect(answer).toMatch(/\r\nX-Request-Id: [\w-]+\r\n/)
  expect(answer).toContain('\r\nLink: <https://numera.example/docs/errors#internal>; rel="help"\r\n')
  // What the code tells a client to do is to send it again.
  expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({
    code: 'internal',
    request_id: /\r\nX-Request-Id: ([\w-]+)\r\n/.exec(answer)![1],
  })
}

test('a head that trickles in is not waited for', async () => {
  const raw = await openRaw(await start(impatient))
  raw.send('GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ')
  expectTimeout(await raw.untilClosed())
})

test('a body that trickles in is not waited for', async () => {
  const raw = await openRaw(await start(impatient))
  raw.send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nslow')
  expectTimeout(await raw.untilClosed())
})

test('a body that breaks off its own encoding is 400', async () => {
  const raw = await openRaw(await start())
  raw.send('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nnot a length\r\n')
  expect(await raw.untilClosed()).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
})

test('a client that goes away is no fault', async () => {
  const url = await start()
  const raw = await openRaw(url)
  raw.send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nslow')
  raw.socket.resetAndDestroy()
  const answer = await fetch(url)
  expect(await answer.text()).toBe('done')
})

const toBody = (answer: string): unknown => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))
const inOauthShape = (error: string) => ({ error, error_description: expect.stringMatching(/\.$/) as string })

const saidTo = async (url: string, text: string): Promise<[number, unknown]> => {
  const raw = await openRaw(url)
  raw.send(text)
  const answer = await raw.untilClosed()
  return [Number(answer.slice(9, 12)), toBody(answer)]
}

test('what trickles in under /oauth is answered in the shape of OAuth', async () => {
  const slow = 'POST /oauth/token HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nslow'
  expect(await saidTo(await start(impatient), slow)).toEqual([408, inOauthShape('temporarily_unavailable')])
})

test('what breaks under /oauth is answered in the shape of OAuth', async () => {
  const url = await start()
  const said = (text: string) => saidTo(url, text)
  const large = `X-Large: ${'a'.repeat(40_000)}\r\n\r\n`
  const chunked = 'Host: a\r\nTransfer-Encoding: chunked\r\n\r\n'
  const refused = inOauthShape('invalid_request')
  expect(await said(`POST /oauth/token HTTP/1.1\r\nHost: a\r\n${large}`)).toEqual([431, refused])
  expect(await said(`GET /oauth/authorize?x=${'a'.repeat(40_000)} HTTP/1.1\r\nHost: a\r\n\r\n`)).toEqual([
    431,
    refused,
  ])
  expect(await said(`POST http://a/oauth/token HTTP/1.1\r\nHost: a\r\n${large}`)).toEqual([431, refused])
  expect(await said(`POST /oauth/token HTTP/1.1\r\nHost: a\r\nNo colon\r\n\r\n`)).toEqual([400, refused])
  expect(await said(`POST /oauth/token HTTP/1.1\r\n${chunked}no length\r\n`)).toEqual([400, refused])
  // The request that broke counts, not one before it or what it says of itself.
  const others = await said(
    `POST / HTTP/1.1\r\nHost: a\r\nReferer: http://a/oauth/token\r\nX-Large: /oauth/${large}`,
  )
  expect(others).toEqual([
    431,
    {
      code: 'invalid_argument',
      message: expect.any(String) as string,
      help: 'https://numera.example/docs/errors#invalid_argument',
      request_id: expect.stringMatching(/^[\w-]+$/) as string,
    },
  ])
})
