/**
 * What a call of a guarded route is admitted as. Its route says what it needs in its contract: `permission`, and
 * `source: 'required'` where the call is about one source.
 * Source: specification "Authentication", readings `push.order`, `push.company`, `push.source`.
 */
import type { Delivers } from '../sources/declaration.ts'
import type { DocumentForm } from '../sources/source.ts'

export type ConnectionKind = 'production' | 'sandbox' | 'demo'

export interface AdmittedCompany {
  companyId: string
  /** The kept digits (reading `all.orgnr`). */
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
  documentForm: DocumentForm | null
  delivers: Delivers
  /** The current shape version; every version from 1 to it exists. */
  shapeVersion: number
  paused: boolean
  /** The fold that is read. */
  foldId: number
  /** Grows with every change of that fold's samples; decimal digits. */
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
  kind: ConnectionKind
  /** What the call stores or reads is test data (reading `read.sandbox`). */
  sandbox: boolean
  permissions: string[]
  /** The source that the connection is bound to, whatever the call is about; null where it is bound to none. */
  boundSourceId: string | null
  company: AdmittedCompany
  /** Present where the route says `source: 'required'`, absent elsewhere. */
  source: AdmittedSource | undefined
  rate: AdmittedRate
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on guarded routes, before any byte of the body is read. */
    admission: Admission
  }
}
