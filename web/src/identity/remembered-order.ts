import type { Language } from '../language/language.ts'
import type { OrderInHand } from './order.ts'

const purposes = ['sign-in', 'connection', 'consent'] as const

/** What an order is for: a page goes on only with its own. */
export interface Purpose {
  of: (typeof purposes)[number]
  /** Which connection, or which request of an app; empty for signing in, which any page goes on with. */
  place: string
  /** Of the text that is signed. */
  language?: Language
}

interface Remembered extends Pick<OrderInHand, 'order_id' | 'expires_at' | 'device' | 'isLaunched'> {
  place: string
  language?: Language
  /** When it is forgotten, by the clock of this device, which may be wrong, and is the same one all along. */
  forgottenAtMs: number
}

/**
 * For how long a browser remembers an order, in milliseconds: no order lasts longer (`src/identity/order.ts`). One that is over
 * before is dropped when the service says so.
 */
const rememberedMsMax = 15 * 60_000

function keyOf({ of }: Pick<Purpose, 'of'>): string {
  return `numera.order.${of}`
}

/**
 * Remembers an order for a page that is loaded anew or opened in another tab, as browsers do when the person comes back from
 * their electronic identity. What opens the app is not kept, nor what is signed: the service says both again, to the browser or
 * the member that began the order alone.
 */
export function rememberOrder(
  purpose: Purpose,
  { order_id, expires_at, device, isLaunched }: OrderInHand,
): void {
  const { place, language } = purpose
  const remembered: Remembered = {
    order_id,
    expires_at,
    device,
    isLaunched,
    place,
    ...(language !== undefined && { language }),
    forgottenAtMs: Date.now() + rememberedMsMax,
  }
  try {
    localStorage.setItem(keyOf(purpose), JSON.stringify(remembered))
  } catch {
    // A browser that stores nothing for this site: the order ends with the page.
  }
}

/** The order that was begun for this, if one was a short while ago, with the language of its text. */
export function recallOrder(
  purpose: Purpose,
): (OrderInHand & { language: Language | undefined }) | undefined {
  const remembered = read(purpose)
  if (remembered?.place !== purpose.place) return undefined
  const { order_id, expires_at, device, isLaunched, language } = remembered
  return { order_id, expires_at, device, isLaunched, language, presentation: {}, isResumed: true }
}

/** Forgets an order that has its outcome; another one that was begun meanwhile stays. */
export function forgetOrder(purpose: Purpose, { order_id }: Pick<OrderInHand, 'order_id'>): void {
  if (read(purpose)?.order_id === order_id) remove(purpose)
}

/** Forgets the orders whose time is past, before any page is shown: the page that would ask for them may never be. */
export function forgetOldOrders(): void {
  for (const of of purposes) read({ of })
}

function read(purpose: Pick<Purpose, 'of'>): Remembered | undefined {
  try {
    const remembered = JSON.parse(localStorage.getItem(keyOf(purpose)) ?? 'null') as Remembered | null
    if (remembered === null) return undefined
    const leftMs = remembered.forgottenAtMs - Date.now()
    if (leftMs > 0 && leftMs <= rememberedMsMax) return remembered
  } catch {
    // Not what a page wrote, or not to be read.
  }
  remove(purpose)
  return undefined
}

function remove(purpose: Pick<Purpose, 'of'>): void {
  try {
    localStorage.removeItem(keyOf(purpose))
  } catch {
    // Then there is none.
  }
}
