import { describe, expect, test } from 'vitest'
import { lookOver } from '../../../testing/browser/screens.ts'
import { exampleOrder } from '../testing/examples.ts'
import { signedOut } from '../testing/replies.ts'
import { startPages } from '../testing/start-pages.ts'

const open = startPages()

const start = { name: 'Sign in with electronic identity' }

/** In the page: the colours of an element. */
function getColours(element: Element): string[] {
  const { backgroundColor, color } = getComputedStyle(element)
  return [backgroundColor, color]
}

describe('Signing in for an app', () => {
  const address = '/oauth/authorize?client_id=app-1'
  const facts = { demo: true, app: { name: 'Ledger Insight', host: 'xn--ledgr-2ta.example:8443' } }

  test('names the app and its host before sign-in and at each step, next to the demo mark', async () => {
    const { page, calls } = await open(
      address,
      {
        'GET /console/session': signedOut,
        'POST /console/sign-in': () => exampleOrder(),
        'POST /console/sign-in/{order_id}/collect': () => ({ state: 'pending' }),
      },
      { facts },
    )
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    const said = async (): Promise<string> =>
      (await page.getByRole('main').innerText()).replaceAll(/\s+/g, ' ')
    expect(await said()).toMatch(
      /^Sign in L Ledger Insight wants to read your companies’ numbers You will be sent back to xn--ledgr-2ta\.example:8443 Anyone can register/,
    )
    expect(await page.getByRole('banner').innerText()).toContain('Demo')
    await page.getByRole('note').getByText('anyone can sign in as anyone').waitFor()
    // The app is known without a call. The session, of which there is none, is asked for again.
    await expect
      .poll(() => calls.map(({ operation }) => operation))
      .toEqual(['GET /console/session', 'GET /console/session'])
    expect(await lookOver(page, 'sign-in-for-app')).toEqual([])
    await page.getByRole('button', { name: /electronic identity|e-legitimation/ }).click()
    await page.getByRole('heading', { level: 1, name: /Identify yourself|Legitimera dig/ }).waitFor()
    expect(await said()).toContain('xn--ledgr-2ta.example:8443')
  })

  test('isolates a hostile name: it shifts nothing, has none of our colours, and is no markup', async () => {
    const name = 'שלום <b>Numera</b> {{host}} $t(ui.more)'
    const { page } = await open(
      address,
      { 'GET /console/session': signedOut },
      { facts: { app: { name, host: 'evil.example' } } },
    )
    const shown = page.locator('bdi', { hasText: 'Numera' })
    await shown.waitFor()
    expect(await shown.textContent()).toBe(name)
    const letter = await page.getByText('ש', { exact: true }).evaluate(getColours)
    const ours = await page.getByRole('button', start).evaluate(getColours)
    expect(letter.filter((colour) => ours.includes(colour))).toEqual([])
    expect(await page.getByText('evil.example').isVisible()).toBe(true)
    expect(await lookOver(page, 'sign-in-for-hostile-app')).toEqual([])
  })
})
