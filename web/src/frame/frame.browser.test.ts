import { describe, expect, test } from 'vitest'
import { exampleSession, exampleSource } from '../testing/examples.ts'
import { at, ekeby, field, focused, heading, norrsken, replies, sideLinks } from '../testing/frame-scene.ts'
import { later } from '../testing/replies.ts'
import { startPages } from '../testing/start-pages.ts'

const open = startPages()

describe('The side', () => {
  const all = ['Reports', 'Attention', 'Sources', 'Connections', 'Deliveries', 'Members']
  const own = ['Your apps', 'Your signatures', 'Your sessions']

  test.each([
    ['owner', [...all, ...own]],
    ['developer', [...all.slice(0, 5), ...own]],
    ['reader', [...all.slice(0, 2), ...own]],
  ] as const)('links an %s only to what the role has access to', async (role, links) => {
    const company = { ...ekeby, role }
    const { page } = await open(at('/reports'), {
      ...replies,
      'GET /console/session': () => exampleSession({ companies: [company] }),
    })
    await heading(page, 'Reports').waitFor()
    expect(await sideLinks(page)).toEqual(links)
  })

  test('marks the current part, names it in the tab, and focuses its heading', async () => {
    const { page } = await open(at('/reports'), replies)
    await heading(page, 'Reports').waitFor()
    await page.getByRole('link', { name: 'Sources', exact: true }).click()
    await heading(page, 'Sources').waitFor()
    await expect.poll(() => focused(page)).toBe('Sources')
    expect(await page.title()).toBe('Sources · Numera')
    expect(await page.getByRole('link', { name: 'Sources', exact: true }).getAttribute('aria-current')).toBe(
      'page',
    )
    await page.goBack()
    await heading(page, 'Reports').waitFor()
  })

  test('switches to the same part of another company, or to its reports if the role has no access', async () => {
    const owned = { ...norrsken, role: 'owner' as const }
    let companies = [ekeby, owned]
    const { page } = await open(at('/sources'), {
      ...replies,
      'GET /console/session': () => exampleSession({ companies }),
    })
    await page.getByRole('button', { name: /Ekeby Handel AB/ }).click()
    await page.getByRole('link', { name: /Norrsken/ }).click()
    await page.waitForURL(`**${at('/sources', norrsken)}`)
    await heading(page, 'Sources').waitFor()

    companies = [ekeby, norrsken]
    await page.goto(`https://numera.test${at('/sources')}`)
    await page.getByRole('button', { name: /Ekeby Handel AB/ }).click()
    await page.getByRole('link', { name: /Norrsken/ }).click()
    await page.waitForURL(`**${at('/reports', norrsken)}`)
  })
})

describe('An address', () => {
  test('of the start page leads to the only company’s reports, a list of companies, or how to be invited', async () => {
    let companies = [ekeby]
    const { page } = await open('/', {
      ...replies,
      'GET /console/session': () => exampleSession({ companies }),
    })
    await page.waitForURL(`**${at('/reports')}`)
    companies = [ekeby, norrsken]
    await page.goto('https://numera.test/')
    await page.getByRole('main').getByRole('link', { name: 'Norrsken Kaffe AB' }).waitFor()
    companies = []
    await page.reload()
    await page.getByRole('heading', { name: 'You do not belong to a company yet' }).waitFor()
  })

  test('without access for the role names the roles that have it', async () => {
    const { page, calls } = await open(at('/members', norrsken), replies)
    await heading(page, 'Your role does not have access to this page').waitFor()
    await page.getByText(/You are a reader in .Norrsken Kaffe AB.. This page is for owners./).waitFor()
    await page.getByRole('listitem').filter({ hasText: 'Per Norrsken' }).waitFor()
    expect(calls.some(({ operation }) => operation === 'GET /console/companies/{company_id}/members')).toBe(
      false,
    )
    await page.getByRole('main').getByRole('link', { name: 'Go to reports' }).click()
    await heading(page, 'Reports').waitFor()
  })

  test('of a foreign company reveals nothing about it', async () => {
    const { page } = await open('/companies/01900000-0000-7000-8000-00000000ffff/sources', replies)
    await heading(page, 'You are not a member of this company').waitFor()
  })
})

describe('Search', () => {
  test('finds by name, moves through the results with the arrow keys, and opens one', async () => {
    const { page } = await open(at('/reports'), replies)
    await heading(page, 'Reports').waitFor()
    await page.keyboard.press('Control+k')
    await field(page).fill('le')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('link', { name: /Ledger nightly/ }).waitFor()
    await dialog.getByRole('status').getByText('4 results. Press Enter to open the first.').waitFor()
    await page.keyboard.press('ArrowDown')
    expect(await focused(page)).toContain('Mobile app')
    await page.keyboard.press('ArrowDown')
    expect(await focused(page)).toContain('Ledger nightly')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    expect(await focused(page)).toMatch(/^RevenueLedger · /)
    // Typing a letter continues the text.
    await page.keyboard.press('d')
    expect(await field(page).inputValue()).toBe('led')
    await page.keyboard.press('Enter')
    await heading(page, 'Ledger').waitFor()
    expect(await dialog.count()).toBe(0)
    expect(new URL(page.url()).pathname).toBe(at(`/sources/${exampleSource().source_id}/start`))
  })

  test('finds a delivery by its key, figures with their latest value, and what can be done', async () => {
    const { page, calls } = await open(at('/reports'), replies)
    await heading(page, 'Reports').waitFor()
    await page.keyboard.press('Control+k')
    const dialog = page.getByRole('dialog')
    await field(page).fill('order-batch')
    await dialog.getByRole('link', { name: /order-batch-20931/ }).waitFor()
    expect(calls.find(({ query }) => query['search'] !== undefined)?.query['search']).toBe('order-batch')
    await field(page).fill('revenue')
    await dialog.getByRole('link', { name: /Revenue.*· [\d,.]+ SEK/ }).waitFor()
    await field(page).fill('svenska')
    await page.keyboard.press('Enter')
    await heading(page, 'Rapporter').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('searchbox').fill('pausa ledger')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: /Ledger/ }).waitFor()
    expect(page.url()).toContain('?ask=pause')
  })

  test('shows a reader only what the role has access to', async () => {
    const { page, calls } = await open(at('/reports', norrsken), replies)
    await page.getByRole('button', { name: /^Search/ }).click()
    await field(page).fill('e')
    await page.getByRole('dialog').getByRole('link', { name: 'Reports' }).waitFor()
    expect(await page.getByRole('dialog').getByRole('link', { name: 'Sources' }).count()).toBe(0)
    expect(calls.some(({ operation }) => operation.endsWith('/connections'))).toBe(false)
  })
})

describe('Keys', () => {
  test('pressed before the pages or the session have loaded are acted upon once they have', async () => {
    const session = later(exampleSession({ companies: [ekeby] }))
    const { page, calls } = await open(at('/reports'), {
      ...replies,
      'GET /console/session': () => session.reply(),
    })
    await expect.poll(() => calls.some(({ operation }) => operation === 'GET /console/session')).toBe(true)
    await page.keyboard.press('g')
    await page.keyboard.press('s')
    session.send()
    await heading(page, 'Sources').waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('Show keyboard shortcuts').waitFor()
  })

  test('typed while the search is loading are its text', async () => {
    const { page } = await open(at('/reports'), replies)
    await heading(page, 'Reports').waitFor()
    await page.route('**/palette-*.js', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 500))
      await route.fallback()
    })
    await page.keyboard.press('Control+k')
    await page.keyboard.type('gs')
    await expect.poll(() => field(page).inputValue()).toBe('gs')
  })

  test('the member’s own pages keep the company in the side, also when reloaded', async () => {
    const { page } = await open(at('/reports'), {
      ...replies,
      'GET /console/session': () => exampleSession({ companies: [ekeby, norrsken] }),
    })
    await page.getByRole('link', { name: 'Your signatures' }).click()
    await heading(page, 'Your signatures').waitFor()
    await page.reload()
    await page.getByRole('link', { name: 'Sources', exact: true }).waitFor()
  })
})
