import type { IncomingHttpHeaders } from 'node:http'
import { invalidArgument } from '../../http/errors.ts'
import { isUnencoded, readMediaType } from '../../http/media-type.ts'

/** What a pushed body is: a delivery as JSON, or a document as it is. */
export type PushedMedia = 'json' | 'octets'

function readPushedMedia(type: string | undefined): PushedMedia {
  if (type === 'application/json') return 'json'
  const media = readMediaType(type)
  if (media?.essence === 'application/octet-stream') return 'octets'
  if (media?.essence !== 'application/json') {
    throw invalidArgument(
      'Content-Type is neither application/json nor application/octet-stream.',
      'Content-Type',
    )
  }
  if (!media.isUtf8) throw invalidArgument('JSON is sent in UTF-8.', 'Content-Type')
  return 'json'
}

/**
 * Checks what a pushed body says it is [push.media]: JSON in UTF-8, or octets; not encoded. Throws 400 with the
 * header as the field.
 */
export function checkMedia(headers: IncomingHttpHeaders): PushedMedia {
  const media = readPushedMedia(headers['content-type'])
  if (!isUnencoded(headers)) {
    throw invalidArgument('The body is sent without a Content-Encoding.', 'Content-Encoding')
  }
  return media
}
