import { randomUUID } from 'node:crypto'
import { mobilePolicy } from './authority.ts'
import type { Issued } from './certificate.ts'
import type { OrderRequest } from './check-request.ts'
import type { CompletionData } from './completion.ts'

/** The times of an order, in milliseconds. */
export interface Lifetimes {
  /** Until an app must have opened it; after that it has failed with `startFailed`. */
  startMs: number
  /** From there until the person must have signed; after that it has failed with `expiredTransaction`. */
  finishMs: number
  /** For how long a completed order can be collected. */
  completeKeptMs: number
  failedKeptMs: number
  /** For how long a failed order that no app opened can be collected. */
  unstartedKeptMs: number
}

export const usualLifetimes: Lifetimes = {
  startMs: 30_000,
  finishMs: 180_000,
  completeKeptMs: 180_000,
  failedKeptMs: 300_000,
  unstartedKeptMs: 190_000,
}

export interface Order {
  orderRef: string
  autoStartToken: string
  qrStartToken: string
  qrStartSecret: string
  kind: 'auth' | 'sign'
  request: OrderRequest
  relyingParty: Issued
  createdAtMs: number
  status: 'pending' | 'failed' | 'complete'
  hintCode: string | undefined
  startedBy: 'qr' | 'token' | undefined
  startedAtMs: number
  overAtMs: number
  completionData: CompletionData | undefined
  /** The wrong reference that the answer is to give. */
  answeredRef: string | undefined
  /** The relying party has collected it in its final state. */
  isDelivered: boolean
}

/** The answer to `auth` and `sign`. */
export type OrderStart = Pick<Order, 'orderRef' | 'autoStartToken' | 'qrStartToken' | 'qrStartSecret'>

export function createOrder(start: Pick<Order, 'kind' | 'request' | 'relyingParty' | 'createdAtMs'>): Order {
  return {
    ...start,
    orderRef: randomUUID(),
    autoStartToken: randomUUID(),
    qrStartToken: randomUUID(),
    qrStartSecret: randomUUID(),
    status: 'pending',
    hintCode: 'outstandingTransaction',
    startedBy: undefined,
    startedAtMs: 0,
    overAtMs: 0,
    completionData: undefined,
    answeredRef: undefined,
    isDelivered: false,
  }
}

/** For how long an order that is over can be collected. */
export function toKeptMs({ status, startedBy }: Order, lifetimes: Lifetimes): number {
  if (status === 'complete') return lifetimes.completeKeptMs
  return startedBy === undefined ? lifetimes.unstartedKeptMs : lifetimes.failedKeptMs
}

/** Whether the relying party accepts a BankID on a phone. */
export function acceptsMobile({ request }: Order): boolean {
  const policies = request.requirement?.certificatePolicies ?? [mobilePolicy]
  return policies.some((policy) =>
    policy.endsWith('*') ? mobilePolicy.startsWith(policy.slice(0, -1)) : policy === mobilePolicy,
  )
}
