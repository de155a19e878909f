/**
 * What a call of a guarded route is admitted as. Its route says what it needs in its contract: `permission`, and
 * `source: 'required'` where the call is about one source.
 * Source: specification "Authentication", [push.order], [push.company], [push.source].
 */

/** Of a service connection; `delegated`: an app calls for a member. */
export type CallerKind = 'production' | 'sandbox' | 'demo' | 'delegated'

export interface AdmittedCompany {
  companyId: string
  /** The kept digits [all.orgnr]. */
  orgnr: string
  name: string
  /** IANA name. */
  timeZone: string
}

export interface AdmittedSource {
  sourceId: string
  name: string
  deliveryWay: 'push' | 'webhook'
  /** Of the documents that it delivers; null: found from the first bytes. */
  documentFormat: 'json' | 'json_lines' | 'csv' | 'sie' | null
  delivers: 'events' | 'statements'
  /** The current shape version; every version from 1 to it exists. */
  shapeVersion: number
  paused: boolean
  /** The projection that is read. */
  projectionId: number
  /** Grows with every change of that projection's samples; decimal digits. */
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

/** Who calls and on what: the outcome of every check up to the source. */
export interface Admission {
  connectionId: string
  kind: CallerKind
  /** For whom an app calls, and which app it is; null for a service connection. */
  memberId: string | null
  clientId: string | null
  /** What the call stores or reads is test data [read.sandbox]. */
  sandbox: boolean
  /** Of an app: what its token, its member's consent and the member's role in the company all have. */
  permissions: string[]
  /** The source that the connection is bound to, which the call need not be about; null where it is bound to none. */
  boundSourceId: string | null
  /** Absent only where the route says `company: 'any'`, and an app of several companies names none. */
  company: AdmittedCompany | undefined
  /** Present where the route says `source: 'required'`, absent elsewhere. */
  source: AdmittedSource | undefined
  rate: AdmittedRate
}

/** What is known of an app's call as soon as its token is known, before the call is refused or answered. */
export interface AppCaller {
  connectionId: string
  /** Of the route that it called. */
  pattern: string
  /** Null where the call is about no company that the app may read, or names none of several. */
  companyId: string | null
  calledAtMs: number
}

/** Whose call over a service connection was refused before it was admitted. */
export interface RefusedCaller {
  connectionId: string
  /** Null where the call is about no company that the connection acts on. */
  companyId: string | null
  /** Null where it is about no source of that company. */
  sourceId: string | null
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on guarded routes, before any byte of the body is read. */
    admission: Admission
    /** Set on guarded routes where an app calls, also when the call is refused. */
    appCaller: AppCaller | undefined
    /** Set on guarded routes where a service connection that opens is refused before it is admitted. */
    refusedCaller: RefusedCaller | undefined
  }
}
