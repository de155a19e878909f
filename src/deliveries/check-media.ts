import type { IncomingHttpHeaders } from 'node:http'
import { invalidArgument } from '../http/errors.ts'

const mediaType = /^[\t ]*([!#$%&'*+.^_`|~\w-]+\/[!#$%&'*+.^_`|~\w-]+)[\t ]*(?:;(.*))?$/s
const utf8Only = /^[\t ]*(?:charset[\t ]*=[\t ]*"?utf-?8"?)?[\t ]*;?[\t ]*$/i

/**
 * Checks what a pushed body says it is (reading `push.media`): JSON in UTF-8, not encoded. Throws 400 with the header
 * as the field.
 */
export const checkMedia = (headers: IncomingHttpHeaders): void => {
  const type = headers['content-type']
  if (type !== 'application/json') {
    const [, essence, parameters = ''] = mediaType.exec(type ?? '') ?? []
    if (essence?.toLowerCase() !== 'application/json') {
      throw invalidArgument('Content-Type is not application/json.', 'Content-Type')
    }
    if (/charset/i.test(parameters) && !utf8Only.test(parameters)) {
      throw invalidArgument('JSON is sent in UTF-8.', 'Content-Type')
    }
  }
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
    throw invalidArgument('The body is sent without a Content-Encoding.', 'Content-Encoding')
  }
}
