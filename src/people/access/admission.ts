/**
 * What a call of a guarded route is admitted as (specification "Authentication", [push.order], [push.company],
 * [push.source]).
 */

/** The kind of a service connection; `delegated`: an app calls for a member. */
export type CallerKind = 'production' | 'sandbox' | 'demo' | 'delegated'

export interface AdmittedCompany {
  companyId: string
  shard: number
  /** The stored digits [all.orgnr]. */
  orgnr: string
  name: string
  /** IANA name. */
  timeZone: string
}

export interface AdmittedSource {
  sourceId: string
  name: string
  channel: 'push' | 'webhook'
  /** Of the documents that it delivers; null: found from the first bytes. Checked where they are parsed. */
  format: string | null
  delivers: 'events' | 'statements'
  /** The current one; every version from 1 to it exists. */
  shapeVersion: number
  paused: boolean
  /** The projection that is read. */
  projectionId: number
  /** Increases with every change of that projection's samples; decimal digits. */
  samplesVersion: string
}

export interface AdmittedRate {
  /** Calls a minute. */
  limit: number
  /** Tokens left after this call. */
  remaining: number
  /** Seconds until the bucket is full. */
  resetSeconds: number
}

export interface Admission {
  connectionId: string
  kind: CallerKind
  /** The member for whom an app calls, and the app; null for a service connection. */
  memberId: string | null
  clientId: string | null
  /** What the call stores or reads is test data [read.sandbox]. */
  sandbox: boolean
  /** Of an app: those that its token, its member's consent and the member's role in the company all grant. */
  permissions: string[]
  /** The source that the connection is bound to, if any; the call need not be about it. */
  boundSourceId: string | null
  /** Absent only if the route says `company: 'any'`, and an app of several companies names none. */
  company: AdmittedCompany | undefined
  /** Present if the route says `source: 'required'`. */
  source: AdmittedSource | undefined
  rate: AdmittedRate
}

/** An app's call, known as soon as its token is, before the call is refused or answered. */
interface AppCaller {
  connectionId: string
  /** Of the route. */
  pattern: string
  /** Null if the call is about no company that the app may read, or names none of several. */
  companyId: string | null
  calledAtMs: number
}

/** A call of a service connection that was refused before it was admitted. */
interface RefusedCaller {
  connectionId: string
  /** Null if the call is about no company that the connection acts on. */
  companyId: string | null
  /** Null if it is about no source of that company. */
  sourceId: string | null
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on guarded routes, before any byte of the body is read. */
    admission: Admission
    /**
     * Admits the call once more, for an answer that was long in coming: what it may read can have ended meanwhile. Takes no token
     * of its bucket. Rejects as admission does.
     */
    readmit: () => Promise<Admission>
    /** Set on guarded routes if an app calls, even when the call is refused. */
    appCaller: AppCaller | undefined
    /** Set on guarded routes if a valid service connection is refused before it is admitted. */
    refusedCaller: RefusedCaller | undefined
  }
}
