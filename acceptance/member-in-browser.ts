import type { BrowserContext, Page } from 'playwright-core'
import type { AppCallback } from './app-callback.ts'
import { approve, type Person } from './browser.ts'
import type { Chromium } from './chromium.ts'

/** A person with a real browser, who stays signed in until it is closed. */
export interface MemberInBrowser extends AsyncDisposable {
  /**
   * Opens the address that an app sent them to, signs in where the page asks for it, allows everything for every company,
   * signs that where there is something to sign, and is sent back. Gives the address that the app is called back at.
   */
  allow(authorizeUrl: URL | string): Promise<URL>
}

/** Answers at the demo's electronic identity, in the window that the page's link opens. */
export const identify = async (context: BrowserContext, page: Page, person: Person): Promise<void> => {
  const opening = context.waitForEvent('page')
  await page.getByRole('link', { name: /demo identity/ }).click()
  const window = await opening
  await window.getByLabel('Personal number').fill(person.personalNumber)
  await window.getByLabel('Name').fill(person.name)
  await window.getByRole('button', { name: /^Sign/ }).click()
  await window.getByText('You can close this page').waitFor()
  await window.close()
}

/** Signs a person in without the pages: the browser has a session when it comes to them. */
export const comeSignedIn = async (
  { request }: BrowserContext,
  url: string,
  person: Person,
): Promise<void> => {
  const begun = await request.post(`${url}/console/sign-in`, { data: {} })
  const order = await begun.json()
  await approve(url, order.presentation.open_url, person)
  await request.post(`${url}/console/sign-in/${order.order_id}/collect`, { data: {} })
}

export const openMember = async (
  { browser }: Chromium,
  person: Person,
  callback: AppCallback,
): Promise<MemberInBrowser> => {
  const context = await browser.newContext({ locale: 'en-GB' })
  context.setDefaultTimeout(15_000)
  const page = await context.newPage()
  const signIn = page.getByRole('button', { name: 'Sign in with electronic identity' })
  const sign = page.getByRole('button', { name: 'Sign and allow' })
  const every = page.getByRole('radio', { name: /^All my companies/ })
  const atApp = page.getByText('Back at the app')

  return {
    allow: async (authorizeUrl) => {
      await page.goto(new URL(authorizeUrl).href)
      await signIn.or(sign).or(atApp).waitFor()
      if (await signIn.isVisible()) {
        await signIn.click()
        await identify(context, page, person)
        await sign.or(atApp).waitFor()
      }
      if (await sign.isVisible()) {
        // A member of one company is not asked which.
        if (await every.isVisible()) await every.check()
        await sign.click()
        await identify(context, page, person)
      }
      return callback.next()
    },
    [Symbol.asyncDispose]: () => context.close(),
  }
}
