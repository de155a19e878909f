import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isTooWide, looks, show, showAsUsual, violations } from '../testing/browser/screens.ts'
import { testCompanyPages } from './every-page/company-pages.ts'
import { testMemberPages } from './every-page/member-pages.ts'
import { at, openBrowserAs, opens, scene, seen, settle, startPages, toPageName } from './every-page/walk.ts'

/**
 * Every page and state of the demo, as each role sees it: in both languages, light and dark, at every width. With
 * `NUMERA_PICTURES=yes` (`npm run screens`) it takes pictures of them.
 */
beforeAll(startPages)
afterAll(async () => {
  await scene()?.[Symbol.asyncDispose]()
})

/** More than there are, so that links that never end are noticed. */
const pagesMax = 60

describe('Looked at in every way,', () => {
  testMemberPages()
  testCompanyPages()
})

/** Follows links from the start, one for each page, and looks at each of them. Gives their names. */
async function followLinks(page: Page, look: (name: string) => Promise<void>): Promise<Set<string>> {
  const { company } = scene()
  const waiting = ['/', `${company}/reports`]
  const found = new Set<string>()
  while (waiting.length > 0 && found.size < pagesMax) {
    const address = waiting.shift()!
    const name = toPageName(address)
    if (found.has(name)) continue
    found.add(name)
    await page.goto(at(address))
    await settle(page)
    await look(name)
    const links = await page
      .locator('a[href^="/"]')
      .evaluateAll((all) => all.map((each) => each.getAttribute('href')!))
    // Other companies have the same pages.
    const ours = links.filter((each) => !each.startsWith('/companies/') || each.startsWith(company))
    waiting.push(
      ...ours.filter(
        (each) =>
          !/^\/(docs|openapi|assets|oauth)\b/.test(each) && !/\.(?:csv|json|ndjson|xlsx)\b/.test(each),
      ),
    )
  }
  return found
}

describe('Walked by its links,', () => {
  let looked = 0

  test.each([
    ['an owner', 'owner'],
    ['a developer', 'developer'],
    ['a reader', 'reader'],
  ] as const)('%s can open all that the role allows, and nothing else', async (_name, role) => {
    const { context, page, complaints } = await openBrowserAs(role)
    const closed = page.getByRole('heading', { name: 'Your role does not have access to this page' })
    const wrong: string[] = []
    const found = await followLinks(page, async (name) => {
      if ((await closed.count()) > 0) wrong.push(`${name}: a link to what the role does not open`)
      const each = looks[looked++ % looks.length]!
      await show(page, each)
      if (await isTooWide(page)) wrong.push(`${name}: too wide`)
      wrong.push(...(await violations(page)).map((violation) => `${name}: ${violation}`))
      await showAsUsual(page)
    })
    expect(wrong).toEqual([])
    expect(found.size).toBeLessThan(pagesMax)
    const parts = new Set([...found].map((name) => name.split('-', 1)[0]!))
    expect([...parts].toSorted()).toEqual(
      ['apps', 'companies', ...opens[role], 'sessions', 'signatures', 'views'].toSorted(),
    )
    // A new page that the tests above do not look at is noticed here.
    if (seen.size > 0) expect([...found].filter((name) => !seen.has(name))).toEqual([])
    for (const part of opens.owner) {
      await page.goto(at(`${scene().company}/${part}`))
      await settle(page)
      const isOpen = (opens[role] as readonly string[]).includes(part)
      expect([part, (await closed.count()) === 0]).toEqual([part, isOpen])
    }
    expect(complaints).toEqual([])
    await context.close()
  })

  test('without a session only signing in is possible', async () => {
    const { context, page, complaints } = await openBrowserAs()
    const company = opens.owner.map((part) => `${scene().company}/${part}`)
    for (const address of ['/', ...company, '/apps', '/signatures', '/sessions', scene().invitation]) {
      await page.goto(at(address))
      await page.getByRole('button', { name: 'Sign in with electronic identity' }).waitFor()
      expect(await page.getByRole('navigation').count()).toBe(0)
    }
    expect(complaints).toEqual([])
    await context.close()
  })
})
