import { describe, expect, test } from 'vitest'
import { apiError } from '../testing/api-stub.ts'
import { exampleConnection, exampleOrder, exampleSession } from '../testing/examples.ts'
import { at, ekeby, focused, heading, norrsken, replies, sideLinks } from '../testing/frame-scene.ts'
import { signedOut } from '../testing/replies.ts'
import { startPages } from '../testing/start-pages.ts'

const open = startPages()

describe('A session', () => {
  test('that ends keeps the page: signing in on top of it continues', async () => {
    let isSignedIn = true
    let csrf_token = 'csrf-1'
    const typed = Promise.withResolvers<void>()
    const { page, calls } = await open(at('/reports'), {
      ...replies,
      'GET /console/session': () =>
        isSignedIn ? exampleSession({ companies: [ekeby], csrf_token }) : signedOut(),
      'GET /console/companies/{company_id}/connections': async () => {
        if (isSignedIn) return { connections: [exampleConnection()], next_cursor: null }
        // Signing in takes the focus, so later keys are ignored.
        await typed.promise
        return signedOut()
      },
      'POST /console/sign-in': () => exampleOrder(),
      'POST /console/sign-in/{order_id}/collect': () => ({ state: isSignedIn ? 'complete' : 'pending' }),
    })
    await heading(page, 'Reports').waitFor()
    isSignedIn = false
    await page.keyboard.press('Control+k')
    const written = page.getByRole('searchbox', { name: /Page, source/ })
    await written.fill('nightly')
    typed.resolve()
    const over = page.getByRole('dialog', { name: 'Sign in' })
    await over.getByText('What you entered is still here.').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await over.getByRole('button', { name: 'Sign in with electronic identity' }).click()
    await page.getByRole('dialog', { name: 'Identify yourself' }).waitFor()
    await expect.poll(() => focused(page)).toBe('Identify yourself')
    isSignedIn = true
    csrf_token = 'csrf-2'
    await page.getByRole('dialog', { name: 'Identify yourself' }).waitFor({ state: 'detached' })
    // Calls that failed without a session have succeeded now.
    await page.getByRole('link', { name: /^Ledger nightly/ }).waitFor()
    expect(await written.inputValue()).toBe('nightly')
    expect(calls.filter(({ operation }) => operation === 'POST /console/sign-in')).toHaveLength(1)
  })

  test('that ended hides the figures while signing in again, and restores the focus', async () => {
    let isSignedIn = true
    const { page } = await open(at('/reports'), {
      ...replies,
      'GET /console/session': () => (isSignedIn ? exampleSession({ companies: [ekeby] }) : signedOut()),
      'POST /console/sign-in': () => exampleOrder(),
      'POST /console/sign-in/{order_id}/collect': () => {
        isSignedIn = true
        return { state: 'complete' }
      },
    })
    const figure = page.getByText(/12,345,678,901/).first()
    await figure.waitFor()
    await page.getByRole('link', { name: 'Sources' }).focus()
    isSignedIn = false
    // As if the person returned to the page.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
    const over = page.getByRole('dialog', { name: 'Sign in' })
    await over.waitFor()
    expect(await figure.isVisible()).toBe(false)
    expect(await page.locator('body').ariaSnapshot()).not.toMatch(/12,345|Ekeby|Olivia/)
    await over.getByRole('button', { name: 'Sign in with electronic identity' }).click()
    await over.waitFor({ state: 'detached' })
    await figure.waitFor()
    await expect.poll(() => focused(page)).toBe('Sources')
  })

  test('that is ended on one page empties the others without a message', async () => {
    let isSignedIn = true
    const { page } = await open(at('/reports'), {
      ...replies,
      'GET /console/session': () => (isSignedIn ? exampleSession({ companies: [ekeby] }) : signedOut()),
      'POST /console/sign-out': () => {
        isSignedIn = false
        return undefined
      },
    })
    await page
      .getByText(/12,345,678,901/)
      .first()
      .waitFor()
    const other = await page.context().newPage()
    await other.goto(new URL(at('/sources'), page.url()).href)
    await other.getByRole('button', { name: 'Sign out' }).click()
    await heading(page, 'Sign in').waitFor()
    expect(await page.locator('body').innerText()).not.toMatch(/12,345|Ekeby|You have been signed out/)
    expect(new URL(page.url()).pathname).toBe(at('/reports'))
  })

  test('of another person starts without anything of the previous one', async () => {
    let session = exampleSession({ companies: [ekeby] })
    const { page } = await open(at('/connections'), {
      ...replies,
      'GET /console/session': () => session,
      'GET /console/companies/{company_id}/last-deliveries': () => apiError(403, 'permission_denied'),
    })
    await page.getByRole('link', { name: 'Ledger nightly' }).waitFor()
    session = exampleSession({
      member_id: 'member-2',
      name: 'Lena Läsare',
      csrf_token: 'csrf-2',
      companies: [norrsken],
    })
    // This page's token is no longer valid.
    await page.getByRole('link', { name: 'Deliveries' }).click()
    await heading(page, 'You are not a member of this company').waitFor()
    await page.getByText('Lena Läsare').waitFor()
    expect(await sideLinks(page)).toEqual([
      'Reports',
      'Attention',
      'Your apps',
      'Your signatures',
      'Your sessions',
    ])
  })

  test('is ended from the side, and Back shows nothing of it', async () => {
    let isSignedIn = true
    const { page } = await open(at('/sources'), {
      ...replies,
      'GET /console/session': () => (isSignedIn ? exampleSession({ companies: [ekeby] }) : signedOut()),
      'POST /console/sign-out': () => {
        isSignedIn = false
        return undefined
      },
    })
    await page.getByRole('link', { name: 'Ledger' }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await heading(page, 'Sign in').waitFor()
    expect(new URL(page.url()).pathname).toBe('/sign-in')
    expect(await page.getByText('You have been signed out').count()).toBe(0)
    await page.goBack()
    await heading(page, 'Sign in').waitFor()
    expect(await page.getByText('Ledger').count()).toBe(0)
  })

  test('is required at the opened address, which is shown afterwards', async () => {
    let isSignedIn = false
    const { page } = await open(at('/sources'), {
      ...replies,
      'GET /console/session': () => (isSignedIn ? exampleSession({ companies: [ekeby] }) : signedOut()),
      'POST /console/sign-in': () => exampleOrder(),
      'POST /console/sign-in/{order_id}/collect': () => {
        isSignedIn = true
        return { state: 'complete' }
      },
    })
    await page.getByRole('button', { name: 'Sign in with electronic identity' }).click()
    await heading(page, 'Sources').waitFor()
    expect(new URL(page.url()).pathname).toBe(at('/sources'))
  })
})
