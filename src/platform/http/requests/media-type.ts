import type { IncomingHttpHeaders } from 'node:http'

const pattern = /^[\t ]*([!#$%&'*+.^_`|~\w-]+\/[!#$%&'*+.^_`|~\w-]+)[\t ]*(?:;(.*))?$/s
const charset = /charset/gi
const utf8 = /(?:^|;)[\t ]*charset[\t ]*=[\t ]*(?:utf-?8|"utf-?8")[\t ]*(?=;|$)/gi

export interface MediaType {
  /** Type and subtype in lower case, such as `text/csv`. */
  essence: string
  /** It names no charset, or UTF-8. */
  isUtf8: boolean
}

/** Reads a `Content-Type` (RFC 9110, 8.3). Undefined where there is none, or it is malformed. Pure. */
export function readMediaType(header: string | undefined): MediaType | undefined {
  const [, essence, parameters = ''] = pattern.exec(header ?? '') ?? []
  if (essence === undefined) return undefined
  const mentions = parameters.match(charset)?.length ?? 0
  return {
    essence: essence.toLowerCase(),
    isUtf8: mentions === 0 || mentions === parameters.match(utf8)?.length,
  }
}

/** Whether a body is sent as it is (RFC 9110, 8.4). */
export function isUnencoded(headers: IncomingHttpHeaders): boolean {
  const encoding = headers['content-encoding']
  return encoding === undefined || encoding.trim().toLowerCase() === 'identity'
}
