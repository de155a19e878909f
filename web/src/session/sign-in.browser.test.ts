import { describe, expect, test } from 'vitest'
import { lookOver } from '../../../testing/browser/screens.ts'
import type { Replies } from '../testing/api-stub.ts'
import { expectCollectsEvery } from '../testing/collects.ts'
import { exampleOrder, exampleSession } from '../testing/examples.ts'
import { signedOut } from '../testing/replies.ts'
import { type OpenedCompanyPage, startPages } from '../testing/start-pages.ts'

const open = startPages()

describe('Signing in', () => {
  const start = { name: 'Sign in with electronic identity' }

  /** A visitor starts to sign in. */
  async function startSignIn(replies: Replies): Promise<OpenedCompanyPage> {
    const result = await open('/sign-in', {
      'GET /console/session': signedOut,
      'POST /console/sign-in': () => exampleOrder(),
      ...replies,
    })
    await result.page.getByRole('button', start).click()
    return result
  }

  test('polls the order every two seconds until the person has answered, then shows their companies', async () => {
    let answered = false
    const { page } = await open('/sign-in', {
      'GET /console/session': () => (answered ? exampleSession() : signedOut()),
      'POST /console/sign-in': () => exampleOrder(),
      'POST /console/sign-in/{order_id}/collect': ({ path }) => {
        expect(path).toEqual(['order-1'])
        return { state: answered ? 'complete' : 'pending' }
      },
    })
    await expectCollectsEvery(page, 2_000, page.getByRole('button', start))
    await page.getByText('Waiting for you to identify yourself').waitFor()
    await page.getByRole('note').getByText('anyone can sign in as anyone').waitFor()
    const link = page.getByRole('link', { name: 'Open the demo identity' })
    expect(await link.getAttribute('href')).toBe('https://identity.example/order-1')

    answered = true
    await page.clock.resume()
    await page.waitForURL('https://numera.test/')
    await page.getByRole('heading', { level: 1, name: 'Companies' }).waitFor()
  })

  test('begins with a card with one title, and a mark on a demo', async () => {
    const { page } = await open('/sign-in', { 'GET /console/session': signedOut }, { facts: { demo: true } })
    await page.getByRole('button', start).waitFor()
    expect(await page.getByText('Sign in', { exact: true }).count()).toBe(1)
    await page.getByRole('note').getByText('anyone can sign in as anyone').waitFor()
    expect(await page.getByRole('banner').innerText()).toContain('Demo')
    expect(await lookOver(page, 'sign-in')).toEqual([])
  })

  test('shows a refusal by the person calmly, and an error as one', async () => {
    let reason = 'refused'
    const { page } = await startSignIn({
      'POST /console/sign-in/{order_id}/collect': () => ({ state: 'failed' as const, reason }),
    })
    const alert = page.getByRole('alert', { name: 'Could not sign you in' })
    const background = () => alert.evaluate((element) => getComputedStyle(element).backgroundColor)
    await alert.getByText('You refused').waitFor()
    const neutral = await background()
    reason = 'expired'
    await page.getByRole('button', { name: 'Try again' }).click()
    await alert.getByText('It was not answered in time').waitFor()
    expect(await background()).not.toBe(neutral)
  })
})
