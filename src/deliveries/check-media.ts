import type { IncomingHttpHeaders } from 'node:http'
import { invalidArgument } from '../http/errors.ts'
import { readMediaType } from './media-type.ts'

/** Whether a body is sent as it is (RFC 9110, 8.4). */
export const isUnencoded = (headers: IncomingHttpHeaders): boolean => {
  const encoding = headers['content-encoding']
  return encoding === undefined || encoding.trim().toLowerCase() === 'identity'
}

/**
 * Checks what a pushed body says it is (reading `push.media`): JSON in UTF-8, not encoded. Throws 400 with the header
 * as the field.
 */
export const checkMedia = (headers: IncomingHttpHeaders): void => {
  const type = headers['content-type']
  if (type !== 'application/json') {
    const media = readMediaType(type)
    if (media?.essence !== 'application/json') {
      throw invalidArgument('Content-Type is not application/json.', 'Content-Type')
    }
    if (!media.isUtf8) throw invalidArgument('JSON is sent in UTF-8.', 'Content-Type')
  }
  if (!isUnencoded(headers)) {
    throw invalidArgument('The body is sent without a Content-Encoding.', 'Content-Encoding')
  }
}
