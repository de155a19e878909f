import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { AppCallback } from '../process/app-callback.ts'
import { approve, type Person } from '../process/console-client.ts'
import { openContext } from './open-context.ts'

/** A member in a browser, signed in from the first `allow` on. */
export interface MemberInBrowser extends AsyncDisposable {
  /**
   * Opens an app's authorization URL, signs in if necessary, allows everything for every company, signs if necessary, and
   * returns to the app. Gives the URL of the app's callback.
   */
  allow(authorizeUrl: URL | string): Promise<URL>
}

/** Answers an order in the window of the demo's electronic identity, which the page's link opens. */
export async function identify(
  context: BrowserContext,
  page: Page,
  person: Person | 'refuse',
): Promise<void> {
  const opening = context.waitForEvent('page')
  await page.getByRole('link', { name: /demo identity/ }).click()
  const window = await opening
  if (person === 'refuse') {
    await window.getByRole('button', { name: 'Refuse' }).click()
  } else {
    await window.getByLabel('Personal identity number').fill(person.personalNumber)
    await window.getByLabel('Name').fill(person.name)
    await window.getByRole('button', { name: /^Sign/ }).click()
  }
  await window.getByText('You can close this page').waitFor()
  await window.close()
}

/** Signs a person in without the pages. */
export async function comeSignedIn({ request }: BrowserContext, url: string, person: Person): Promise<void> {
  const begun = await request.post(`${url}/console/sign-in`, { data: {} })
  const order = await begun.json()
  await approve(url, order.presentation.open_url, person)
  await request.post(`${url}/console/sign-in/${order.order_id}/collect`, { data: {} })
}

export async function openMember(
  browser: Browser,
  person: Person,
  callback: AppCallback,
): Promise<MemberInBrowser> {
  const { context } = await openContext(browser)
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
        // With one company there is no choice.
        if (await every.isVisible()) await every.check()
        await sign.click()
        await identify(context, page, person)
      }
      return callback.next()
    },
    [Symbol.asyncDispose]: () => context.close(),
  }
}
