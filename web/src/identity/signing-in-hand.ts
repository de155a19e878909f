import type { Language } from '../language/language.ts'
import { begunOrder, type Device, type Order, type OrderInHand } from './order.ts'
import { type Purpose, recallOrder } from './remembered-order.ts'

/** A text that is being signed. */
export interface SigningInHand {
  order: OrderInHand
  /** What is signed; of an order that was begun before it is known once the service is asked. */
  text: string | undefined
  /** Of the text. */
  language: Language | undefined
}

/** What a page has of an order that it has begun. */
export function begunSigning(order: Order, language: Language, device: Device): SigningInHand {
  return { order: begunOrder(order, device), text: order.visible_text, language }
}

/** An order that was begun before, in a page that was left or in another tab. */
export function recallSigning(purpose: Purpose): SigningInHand | undefined {
  const order = recallOrder(purpose)
  return order && { order, text: undefined, language: order.language }
}
