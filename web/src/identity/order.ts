import type { ApiResponse } from '../api/call-api.ts'

/** An order at the electronic identity, as the service creates it. */
export type Order = ApiResponse<'POST /console/sign-in'>
export type Presentation = Order['presentation']

/** The state of an order, for a sign-in or for a signature. */
export interface Progress {
  state: string
  hint?: string
  reason?: string
  presentation?: Presentation
}

/** Where the person has BankID's app: on the device that shows the page, or on another. */
export type Device = 'this' | 'other'

export type Provider = 'demo' | 'bankid' | 'oidc'

/** An order that this page started or continues. */
export interface PageOrder extends Pick<Order, 'order_id' | 'expires_at'> {
  /** Until the service sends another one; empty for a continued order. */
  presentation: Presentation
  /** The device that it is for. */
  device: Device
  /** Started by an earlier page, or in another tab. */
  isResumed: boolean
  /** The person has opened the app on this device. */
  isLaunched: boolean
}

/** A new order, from the service's answer. */
export function toPageOrder({ order_id, expires_at, presentation }: Order, device: Device): PageOrder {
  return { order_id, expires_at, presentation, device, isResumed: false, isLaunched: false }
}

/** The name that people know a provider by; for other providers, the word that is stored with the signature. */
export function providerName(provider: string): string {
  return provider === 'bankid' ? 'BankID' : provider
}
