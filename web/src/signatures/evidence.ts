import type { ApiResponse } from '../api/call-api.ts'

export type Signature = ApiResponse<'GET /console/signatures'>['signatures'][number]
export type Evidence = ApiResponse<'GET /console/signatures/{signature_id}/evidence'>

/** What proves a signature, as a file: all that the service gives of it, and nothing else. */
export function evidenceFile(evidence: Evidence): Blob {
  return new Blob([`${JSON.stringify(evidence, undefined, 2)}\n`], { type: 'application/json' })
}

/** Named after when it was signed, so that a folder of them is in that order. */
export function evidenceName({
  signed_at,
  signature_id,
}: Pick<Signature, 'signed_at' | 'signature_id'>): string {
  return `numera-signature-${signed_at.slice(0, 10)}-${signature_id}.json`
}
