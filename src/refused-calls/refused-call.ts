/** `read`: anything over a connection that is no push. */
export const refusedChannels = ['push', 'webhook', 'read'] as const
export type RefusedChannel = (typeof refusedChannels)[number]

/** A call of a company's system that was answered with an error of its sender's. Never a body, a query or a credential. */
export interface RefusedCall {
  /** The connection; of a webhook the source whose address was called, whether or not there is one. */
  callerId: string
  /** Whether it is known who called. Anybody can have sent an unsigned webhook. */
  signed: boolean
  channel: RefusedChannel
  /** The company that it was about; null where it named none, and then it is the caller's. */
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
