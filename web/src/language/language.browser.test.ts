import { describe, expect, test } from 'vitest'
import type { Replies } from '../testing/api-stub.ts'
import { exampleApp } from '../testing/examples.ts'
import { signedIn } from '../testing/replies.ts'
import { startPages } from '../testing/start-pages.ts'

const open = startPages()

describe('The language', () => {
  const replies: Replies = {
    ...signedIn,
    'GET /console/apps': () => ({ apps: [exampleApp()], next_cursor: null }),
  }

  test('changes texts, dates and the document immediately, and persists', async () => {
    const { page, calls } = await open('/apps', replies)
    await page.getByText('1 November 2026').waitFor()
    const called = calls.length
    await page.getByRole('button', { name: 'Svenska' }).click()
    await page.getByRole('heading', { level: 1, name: 'Dina appar' }).waitFor()
    await page.getByText('1 november 2026').waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('sv')
    expect(await page.title()).toBe('Dina appar · Numera')
    expect(calls).toHaveLength(called)
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Dina appar' }).waitFor()
  })
})
