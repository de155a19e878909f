import { describe, expect, test } from 'vitest'
import { lookOver } from '../../../testing/browser/screens.ts'
import { apiError } from '../testing/api-stub.ts'
import { signedOut } from '../testing/replies.ts'
import { startPages } from '../testing/start-pages.ts'

const open = startPages()

const nonce = 'n0nce-_'.padEnd(43, 'A')
const comeBack = 'POST /console/sign-in/return'
const facts = { signIn: 'bankid' }

describe('The page that BankID’s app opens', () => {
  test('sends its nonce, stores it nowhere, and then returns to the page that started', async () => {
    const answer = Promise.withResolvers<{ return_to: string }>()
    const { page, sentTo } = await open(
      `/bankid/return#nonce=${nonce}`,
      { 'GET /console/session': signedOut, [comeBack]: () => answer.promise },
      { facts },
    )
    await expect.poll(() => sentTo(comeBack)).toEqual([{ return_nonce: nonce }])
    await page.getByRole('heading', { level: 1, name: 'Back from BankID' }).waitFor()
    expect(page.url()).toBe('https://numera.test/bankid/return')
    const kept = () => page.evaluate(() => JSON.stringify([history.state, localStorage, sessionStorage]))
    expect(await kept()).not.toContain(nonce)
    const entries = await page.evaluate(() => history.length)
    answer.resolve({ return_to: '/sign-in?a=%23' })
    await page.waitForURL('https://numera.test/sign-in?a=%23')
    // It was replaced: Back does not lead to it.
    expect(await page.evaluate(() => history.length)).toBe(entries)
    expect(await kept()).not.toContain(nonce)
  })

  test.each([
    [
      'en-GB',
      'Started in another browser',
      'so you were not signed in here',
      'Never confirm anything in BankID that you did not start yourself',
    ],
    [
      'sv-SE',
      'Påbörjat i en annan webbläsare',
      'så du har inte loggats in här',
      'Bekräfta aldrig något i BankID',
    ],
  ])(
    'warns in a browser that started nothing, where nothing is signed in (%s)',
    async (locale, title, nothing, warning) => {
      const { page, sentTo } = await open(
        `/bankid/return#nonce=${nonce}`,
        { 'GET /console/session': signedOut, [comeBack]: () => apiError(404, 'not_found') },
        { facts, locale },
      )
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
      await page.getByText(nothing).waitFor()
      await page.getByText(warning).waitFor()
      expect(sentTo(comeBack)).toHaveLength(1)
      expect(await lookOver(page, 'bankid-other-browser')).toEqual([])
    },
  )
})
