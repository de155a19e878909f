import type { ApiResponse } from '../api/call-api.ts'

export type Signature = ApiResponse<'GET /console/signatures'>['signatures'][number]

/** What a signature proves, as a file: all that the service gives of it, and nothing else. */
export function evidenceOf(signature: Signature): Blob {
  return new Blob([`${JSON.stringify(signature, undefined, 2)}\n`], { type: 'application/json' })
}

/** Named after when it was signed, so that a folder of them is in that order. */
export function evidenceName({ signed_at, signature_id }: Signature): string {
  return `numera-signature-${signed_at.slice(0, 10)}-${signature_id}.json`
}

/** How long the browser may take to begin with the file. */
const downloadMsMax = 60_000

/** Gives the browser a file to keep. */
export function download(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), downloadMsMax)
}
