import type { ApiResponse } from '../api/call-api.ts'

/** An order at the electronic identity that waits for the person. */
export type Order = ApiResponse<'POST /console/sign-in'>

/** Where an order stands, whether it signs someone in or signs a text. */
export interface Progress {
  state: string
  hint?: string
  reason?: string
  presentation?: Order['presentation']
}

/** Where the person has BankID's app: on the device that shows the page, or on another. */
export type Device = 'this' | 'other'

/** Who people sign in or sign with. */
export type Provider = 'demo' | 'bankid' | 'oidc'

/** An order that this page began, or one begun before that it goes on with. */
export interface OrderInHand extends Pick<Order, 'order_id' | 'expires_at'> {
  /** What is known of it when the page goes on with it, until the service is asked. */
  presentation: Order['presentation']
  /** Which it is for. */
  device: Device
  /** Begun by a page that was left meanwhile, or in another tab. */
  isResumed: boolean
  /** The person has opened the app on this device. */
  isLaunched: boolean
}

/** An order as the page has it from the service. */
export function begunOrder({ order_id, expires_at, presentation }: Order, device: Device): OrderInHand {
  return { order_id, expires_at, presentation, device, isResumed: false, isLaunched: false }
}

/** A provider as people know it; one that is not known here in the word that is kept with the signature. */
export function providerName(provider: string): string {
  return provider === 'bankid' ? 'BankID' : provider
}
