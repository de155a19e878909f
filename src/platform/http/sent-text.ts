import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isKnownTag } from './requests/is-known-tag.ts'
import { preferredEncoding } from './requests/preferred-encoding.ts'

/** Of eleven steps, the last that takes milliseconds and not tenths of a second. */
const brotliQuality = 6

/** A popular text in each encoding in which it is sent. */
export interface SentText {
  bytes: Record<'identity' | 'br' | 'gzip', Buffer>
  /** Of the text as it is; its other forms have others. */
  tag: string
}

/** Compresses a text, off the event loop. */
export async function prepareText(text: string): Promise<SentText> {
  const identity = Buffer.from(text)
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
    promisify(gzip)(identity),
  ])
  return {
    bytes: { identity, br, gzip: zipped },
    tag: hash('sha256', identity, 'base64url').slice(0, 27),
  }
}

/**
 * Sends a text in the form that the client prefers, or 304 where it has that already. The forms have different tags, since they
 * are different bytes (RFC 9110, section 8.8.3.3).
 */
export function sendText(
  request: FastifyRequest,
  reply: FastifyReply,
  type: string,
  { bytes, tag }: SentText,
): FastifyReply {
  const encoding = preferredEncoding(request.headers['accept-encoding'])
  const etag = encoding === 'identity' ? `"${tag}"` : `"${tag}-${encoding}"`
  reply.headers({ etag, vary: 'accept-encoding' })
  if (isKnownTag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.type(type).send(bytes[encoding])
}
