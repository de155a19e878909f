import { Type } from 'typebox'
import type { HeaderDescription } from '../http/contract.ts'

/** Headers that answers of many routes carry, by their name in the document's components. */
export const defaultHeaders = {
  'X-Request-Id': {
    description: 'Names the request in the log of the service. A safe short one that was sent is kept.',
    schema: Type.String(),
    required: true,
  },
  Link: {
    description:
      'Where the error is explained, with its usual cause and its fix: one link whose relation is `help`.',
    schema: Type.String(),
    required: true,
  },
  'RateLimit-Limit': {
    description: 'Requests allowed in the window of a minute.',
    schema: Type.Integer({ minimum: 1 }),
    required: true,
  },
  'RateLimit-Remaining': {
    description: 'Requests left now.',
    schema: Type.Integer({ minimum: 0 }),
    required: true,
  },
  'RateLimit-Reset': {
    description: 'Seconds until all of the burst is there again.',
    schema: Type.Integer({ minimum: 0 }),
    required: true,
  },
  'Retry-After': {
    description: 'Seconds to wait before the same request is sent again.',
    schema: Type.Integer({ minimum: 1 }),
    required: true,
  },
  'WWW-Authenticate': {
    description:
      'A `Bearer` challenge (RFC 6750) with `resource_metadata`, the address of the metadata of the path that was ' +
      'called. With a credential that does not work `error` is `invalid_token`; where a permission is missing it is ' +
      '`insufficient_scope`, and `scope` names the permission.',
    schema: Type.String(),
    required: true,
  },
} satisfies Record<string, HeaderDescription>

export type DefaultHeader = keyof typeof defaultHeaders

export const rateHeaderNames: DefaultHeader[] = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']
