import { mutateBytes } from './mutations.ts'
import type { Random } from '../random.ts'

const inner = 'GET /health/live HTTP/1.1\r\nHost: inner\r\n\r\n'
const post = 'POST /v1/ingest HTTP/1.1\r\nHost: 127.0.0.1\r\n'

/** Requests whose end two parsers may see in different places (RFC 9112, 11.2), and bytes that are no requests. */
const shapes: readonly ((bearer: string) => string)[] = [
  (bearer) => `${post}${bearer}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`,
  (bearer) => `${post}${bearer}\r\nContent-Length: 5\r\nContent-Length: 50\r\n\r\nabcde${inner}`,
  (bearer) => `${post}${bearer}\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${inner}`,
  (bearer) => `${post}${bearer}\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n${inner}`,
  (bearer) => `${post}${bearer}\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
  (bearer) => `${post}${bearer}\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n`,
  (bearer) =>
    `${post}${bearer}\r\nTransfer-Encoding: chunked\r\n\r\n5;${'x'.repeat(20_000)}\r\nabcde\r\n0\r\n\r\n`,
  (bearer) => `${post}${bearer}\r\nContent-Length: -1\r\n\r\n`,
  (bearer) => `${post}${bearer}\r\nContent-Length: 1e1\r\n\r\n0123456789`,
  (bearer) => `${post}Host: other\r\n${bearer}\r\nContent-Length: 2\r\n\r\n{}`,
  () => `GET http://other.example/v1/samples HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`,
  () => `GET /v1/samples HTTP/1.1\r\n\r\n`,
  () => `GET /v1/samples HTTP/9.9\r\nHost: a\r\n\r\n`,
  () => `GET  /v1/samples\tHTTP/1.1\nHost: a\n\n`,
  () => `GET /v1/samples HTTP/1.1\r\nHost: a\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`,
  () => `POST /oauth/token HTTP/1.1\r\nHost: a\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`,
  () => `GET /v1/samples HTTP/1.1\r\nHost: a\r\n aggregated: b\r\n\r\n`,
  () => `CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: a\r\n\r\n`,
  () => `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`,
  () => `GET /v1/samples HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n`,
  () => `POST /v1/ingest HTTP/1.1\r\nHost: a\r\nExpect: 200-ok\r\nContent-Length: 2\r\n\r\n{}`,
  () => `\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}`,
]

export const createSmuggledRequest = (random: Random, bearer: string): Buffer => {
  const bytes = Buffer.from(random.pick(shapes)(bearer), 'latin1')
  return random() < 0.5 ? mutateBytes(random, bytes) : bytes
}
