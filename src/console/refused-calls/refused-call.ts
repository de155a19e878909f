/** `read`: every call over a connection other than a push. */
export const refusedChannels = ['push', 'webhook', 'read'] as const
export type RefusedChannel = (typeof refusedChannels)[number]

/** A call of a company's system that was refused because of a mistake of its sender's. Never a body, a query or a credential. */
export interface RefusedCall {
  /** The connection; for a webhook the source whose address was called, which may not exist. */
  callerId: string
  /** Whether the caller is known. Anyone can send an unsigned webhook. */
  signed: boolean
  channel: RefusedChannel
  /** The company that it was about; null if it named none, and then it is the caller's. */
  companyId: string | null
  sourceId: string | null
  method: string
  /** Without the query (`http/call-path.ts`). */
  path: string
  status: number
  code: string
  field: string | null
  calledAtMs: number
}
