import type { Queryable } from '../../platform/database/pool.ts'

/** That a session began or ended by itself. Rooms above record it: `company/audit`. */
export interface SessionEvent {
  memberId: string
  action: 'signed_in' | 'session_ended'
  details: Record<string, string>
}

/** Records an event in the transaction that begins or ends the session. */
export type RecordSessionEvent = (on: Queryable, event: SessionEvent) => Promise<void>

declare module 'fastify' {
  interface FastifyInstance {
    recordSessionEvent: RecordSessionEvent
  }
}
