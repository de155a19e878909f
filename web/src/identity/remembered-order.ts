import { readStored, store } from '../api/browser-storage.ts'
import type { Language } from '../language/language.ts'
import type { PageOrder } from './order.ts'

const purposes = ['sign-in', 'connection', 'consent', 'deletion'] as const

/** What an order is for. A page continues only its own orders. */
export interface Purpose {
  of: (typeof purposes)[number]
  /** The connection, the app's request, or the company; empty for signing in, which any page continues. */
  place: string
  /** Of the text to be signed. */
  language?: Language
}

interface RememberedOrder extends Pick<PageOrder, 'order_id' | 'expires_at' | 'device' | 'isLaunched'> {
  place: string
  language?: Language
  /** By this device's clock, which may be wrong but is always the same one. */
  forgottenAtMs: number
}

/**
 * How long a browser remembers an order, in milliseconds: as long as the longest one lasts (`src/people/identity/order.ts`). One that ends
 * earlier is dropped when the service says so.
 */
const rememberedMsMax = 15 * 60_000

function toKey(of: Purpose['of']): string {
  return `numera.order.${of}`
}

/**
 * Remembers an order for a page that is loaded again or opened in another tab, as happens when the person returns from their
 * electronic identity. What opens the app and what is signed are not stored: the service repeats both, to the same browser or
 * member only.
 */
export function rememberOrder(
  { of, place, language }: Purpose,
  { order_id, expires_at, device, isLaunched }: PageOrder,
): void {
  const remembered: RememberedOrder = {
    order_id,
    expires_at,
    device,
    isLaunched,
    place,
    ...(language !== undefined && { language }),
    forgottenAtMs: Date.now() + rememberedMsMax,
  }
  store('localStorage', toKey(of), JSON.stringify(remembered))
}

/** The order that was started for this purpose, with the language of its text. */
export function recallOrder({
  of,
  place,
}: Purpose): (PageOrder & { language: Language | undefined }) | undefined {
  const remembered = read(of)
  if (remembered?.place !== place) return undefined
  const { order_id, expires_at, device, isLaunched, language } = remembered
  return { order_id, expires_at, device, isLaunched, language, presentation: {}, isResumed: true }
}

/** Removes an order that has ended, unless a newer one has replaced it. */
export function removeRememberedOrder({ of }: Purpose, { order_id }: Pick<PageOrder, 'order_id'>): void {
  if (read(of)?.order_id === order_id) store('localStorage', toKey(of), null)
}

/** Removes expired orders, since the page that would continue them may never be opened. */
export function removeExpiredOrders(): void {
  for (const of of purposes) read(of)
}

function read(of: Purpose['of']): RememberedOrder | undefined {
  try {
    const remembered = JSON.parse(readStored('localStorage', toKey(of)) ?? 'null') as RememberedOrder | null
    if (remembered === null) return undefined
    const leftMs = remembered.forgottenAtMs - Date.now()
    if (leftMs > 0 && leftMs <= rememberedMsMax) return remembered
  } catch {
    // Not JSON, so not written by a page.
  }
  store('localStorage', toKey(of), null)
  return undefined
}
