import { referenceHeader } from './docs-origin.ts'
import type { Contract } from './contract.ts'

/** What a script of any origin may read of an answer, in addition to the few headers that are always readable. */
const exposed = [
  'WWW-Authenticate',
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Idempotent-Replayed',
  'X-Request-Id',
  'ETag',
  'Link',
  'Samples-Truncated',
  'Samples-Narrowed',
  'Samples-Next',
].join(', ')

/** On every answer of an open address, errors included [all.cors]. Never with credentials. */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposed,
  'cross-origin-resource-policy': 'cross-origin',
} as const

/** What a script may send. `*` would not cover Authorization. */
const allowedHeaders = [
  'Authorization',
  'Content-Type',
  'If-None-Match',
  'X-Request-Id',
  referenceHeader,
].join(', ')

/** Browsers repeat a preflight after a day. */
const preflightSeconds = 86_400

export function preflightHeaders(methods: string[]): Record<string, string> {
  return {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': allowedHeaders,
    'access-control-max-age': String(preflightSeconds),
  }
}

/** Whether any origin may read the answers: as the contract says, else for every public call that reads. */
export function isOpenToAnyOrigin(method: string, contract: Contract | undefined): boolean {
  return (
    contract !== undefined &&
    (contract.cors ??
      (contract.api === 'public' && contract.guard === 'bearer' && (method === 'GET' || method === 'HEAD')))
  )
}
