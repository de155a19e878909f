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

  test('defaults to English', async () => {
    const { page } = await open('/apps', replies, { locale: 'fi-FI' })
    await page.getByRole('heading', { level: 1, name: 'Your apps' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
  })

  test('changes in a browser without storage too', async () => {
    const { page } = await open('/apps', replies)
    await page.addInitScript(
      "Object.defineProperty(globalThis, 'localStorage', { get() { throw new DOMException('No', 'SecurityError') } })",
    )
    await page.reload()
    await page.getByRole('button', { name: 'Svenska' }).click()
    await page.getByRole('heading', { level: 1, name: 'Dina appar' }).waitFor()
  })
})
