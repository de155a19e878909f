import { describe, expect, test } from 'vitest'
import { signedOut, unreachable } from '../testing/replies.ts'
import { startPages } from '../testing/start-pages.ts'

const open = startPages()

const nonce = 'n0nce-_'.padEnd(43, 'A')
const comeBack = 'POST /console/sign-in/return'
const facts = { signIn: 'bankid' }

describe('The page that BankID’s app opens', () => {
  test('keeps its nonce while offline, and sends it on retry', async () => {
    let isThere = false
    const { page, sentTo } = await open(
      `/bankid/return#nonce=${nonce}`,
      {
        'GET /console/session': signedOut,
        [comeBack]: () => (isThere ? { return_to: '/sign-in' } : unreachable()),
      },
      { facts },
    )
    const again = page.getByRole('button', { name: 'Try again' })
    await again.waitFor()
    isThere = true
    await again.click()
    await page.waitForURL('https://numera.test/sign-in')
    expect(sentTo(comeBack)).toEqual([{ return_nonce: nonce }, { return_nonce: nonce }])
  })

  test.each([
    ['without a nonce', '/bankid/return'],
    ['with one that is too long', `/bankid/return#nonce=${nonce}B`],
    ['with one in its query', `/bankid/return?nonce=${nonce}`],
  ])('sends nothing when opened %s, and leads to the start page', async (_how, path) => {
    const { page, sentTo } = await open(path, { 'GET /console/session': signedOut }, { facts })
    await page.waitForURL('https://numera.test/')
    expect(sentTo(comeBack)).toEqual([])
  })

  test('is the only one that reads a nonce', async () => {
    const { page, sentTo } = await open(
      `/sign-in#nonce=${nonce}`,
      { 'GET /console/session': signedOut },
      { facts },
    )
    await page.getByRole('button', { name: 'Sign in with BankID' }).waitFor()
    expect(sentTo(comeBack)).toEqual([])
  })
})
