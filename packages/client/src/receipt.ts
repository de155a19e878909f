import type { NumeraApi } from './api-types.ts'
import { type CamelCase, toCamelCase } from './camel-case.ts'
import type { Answer } from './transport.ts'

/** What was stored: the answer to a push or a webhook. */
export type Receipt = CamelCase<NumeraApi['POST /v1/ingest']['answer']> & {
  /** The delivery was already stored; this is its first receipt. */
  replayed: boolean
}

/** Only this answer means that a delivery was stored: a 202 of something on the way does not. */
export function isReceipt(json: Record<string, unknown>): boolean {
  return (
    typeof json['artifact_id'] === 'string' &&
    json['status'] === 'queued' &&
    Number.isInteger(json['shape_version']) &&
    typeof json['sandbox'] === 'boolean' &&
    Array.isArray(json['dropped_keys']) &&
    typeof json['delivers'] === 'string'
  )
}

export function toReceipt({ json, headers }: Answer): Receipt {
  const receipt = toCamelCase(json as unknown as NumeraApi['POST /v1/ingest']['answer'])
  return { ...receipt, replayed: headers.get('idempotent-replayed') === 'true' }
}
