import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { ApiResponse } from '../api/call-api.ts'
import type { Call, Replies } from './api-stub.ts'
import { exampleCompany, exampleOrder, exampleSession } from './examples.ts'
import { signedOut } from './replies.ts'

export type SignInProgress = ApiResponse<'POST /console/sign-in/{order_id}/collect'>

export const collectSignIn = 'POST /console/sign-in/{order_id}/collect'
export const launch_url = 'https://app.bankid.com/?autostarttoken=67df3917'
export const facts = { signIn: 'bankid' }
export const iPhone = {
  userAgent:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
  viewport: { width: 390, height: 844 },
  hasTouch: true,
}

export const byBankId = { provider: 'bankid', demo: false, signs: true }
export const ekeby = exampleCompany()
export const member = () => exampleSession({ companies: [ekeby], identity: byBankId })

/** Polls for longer than by default, for busy machines. */
export const eventually = <Value>(read: () => Value | Promise<Value>) =>
  expect.poll(read, { timeout: 10_000 })

/** The content of a second's code, as long as BankID's. */
export function toCode(second: number): string {
  return `bankid.67df3917-fa0d-44e5-b327-edcc928297f8.${second}.${'d69be3'.repeat(10)}${1000 + second}`
}

export type Presentation = NonNullable<SignInProgress['presentation']>

/** The presentation of an order for the device. */
export const presentations = {
  this: { launch_url },
  other: { qr_text: toCode(0) },
} satisfies Record<string, Presentation>

export function pending(hint: string, presentation: Presentation = presentations.other) {
  return { state: 'pending' as const, hint, presentation }
}

export const waiting = () => pending('outstandingTransaction')

/** The presentation of an order for this device. */
export const waitingHere = () => pending('outstandingTransaction', presentations.this)

/** An order for the requested device. */
export const begun = ({ body }: { body?: unknown }) =>
  exampleOrder({
    demo: false,
    presentation: presentations[(body as { device?: 'this' | 'other' }).device ?? 'other'],
  })

export type Collected = SignInProgress | Response | Promise<Response>

/** A call without a response. */
export const unanswered = () => new Promise<Response>(() => {})

/** A visitor, and the progress of their order. */
export function signingIn(collect: () => Collected): Replies {
  return {
    'GET /console/session': signedOut,
    'POST /console/sign-in': begun,
    [collectSignIn]: collect,
    'POST /console/sign-in/{order_id}/cancel': () => undefined,
  }
}

export const startNames = /^(Sign in|Logga in) (with|med) BankID$/
const hereNames = /^(Open BankID on this device|Öppna BankID på den här enheten)$/
const otherNames = /^(Use BankID on another device|Använd BankID på en annan enhet)$/
export const thisNames = /^(Use BankID on this device|Använd BankID på den här enheten)$/
export const againNames = /^(Try again|Försök igen)$/
export const codeNames = /^(QR code to scan|QR-kod att läsa av) (with the|med) BankID-?\s?app(en)?$/

export const status = (page: Page) => page.getByRole('main').getByRole('status')
export const code = (page: Page) => page.getByRole('img', { name: codeNames })
export const start = (page: Page) => page.getByRole('button', { name: startNames })
export const here = (page: Page) => page.getByRole('link', { name: hereNames })
export const toOther = (page: Page) => page.getByRole('button', { name: otherNames })
export const toThis = (page: Page) => page.getByRole('button', { name: thisNames })
export const focused = (page: Page) => page.locator(':focus').evaluate((element) => element.textContent)

/** Follows the link to the app, which is not installed, so the page stays. */
export async function launch(page: Page): Promise<void> {
  await page.route('https://app.bankid.com/**', (route) => route.fulfill({ status: 204 }))
  await here(page).click()
}

/** A sign-in with numbered orders for the requested device. */
export function inDevices(): {
  replies: Replies
  /** The orders that an operation was called for. */
  calledOrders(operation: Call['operation']): string[]
  /** Sets the hint of all pending orders. */
  wait(hint: string): void
  fail(orderId: string, reason: string): void
} {
  const devices: ('this' | 'other')[] = []
  const called: [operation: Call['operation'], orderId: string][] = []
  const failed = new Map<string, string>()
  let hint = 'outstandingTransaction'
  const getPresentation = (orderId: string) => presentations[devices[Number(orderId.slice(-1)) - 1]!]
  return {
    calledOrders: (operation) => called.flatMap(([each, orderId]) => (each === operation ? [orderId] : [])),
    wait: (next) => void (hint = next),
    fail: (orderId, reason) => void failed.set(orderId, reason),
    replies: {
      'GET /console/session': signedOut,
      'POST /console/sign-in': ({ body }) => {
        devices.push((body as { device: 'this' | 'other' }).device)
        const order_id = `order-${devices.length}`
        return exampleOrder({ order_id, demo: false, presentation: getPresentation(order_id) })
      },
      [collectSignIn]: ({ path: [orderId] }) => {
        called.push([collectSignIn, orderId!])
        const reason = failed.get(orderId!)
        return reason === undefined ? pending(hint, getPresentation(orderId!)) : { state: 'failed', reason }
      },
      'POST /console/sign-in/{order_id}/cancel': ({ operation, path: [orderId] }) => {
        called.push([operation, orderId!])
        return undefined
      },
    },
  }
}

/** A visitor to a page that requires a session, and the progress of their order. */
export function signingInOn(collect: () => Collected, isSignedIn: () => boolean): Replies {
  return {
    ...signingIn(collect),
    'GET /console/session': () => (isSignedIn() ? member() : signedOut()),
    'GET /console/signatures': () => ({ signatures: [], next_cursor: null }),
  }
}
