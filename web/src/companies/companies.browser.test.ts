import { describe, expect, test } from 'vitest'
import { lookOver } from '../../../testing/browser/screens.ts'
import { apiError } from '../testing/api-stub.ts'
import {
  ekeby,
  heading,
  leave,
  membership,
  norrsken,
  readMembership,
  replies,
  row,
} from '../testing/companies-scene.ts'
import { exampleCompany, exampleSession } from '../testing/examples.ts'
import { startPages } from '../testing/start-pages.ts'

const open = startPages()

describe('The companies', () => {
  test('are listed with role and late sources, even if there is only one', async () => {
    let companies = [ekeby, norrsken]
    const { page } = await open('/companies', {
      ...replies,
      'GET /console/session': () => exampleSession({ companies }),
    })
    await heading(page, 'Companies').waitFor()
    await row(page, 'Ekeby').getByText('1 late source').waitFor()
    expect(await row(page, 'Norrsken').innerText()).toContain('Reader')
    expect(await lookOver(page, 'companies')).toEqual([])
    companies = [norrsken]
    await page.reload()
    await row(page, 'Norrsken').waitFor()
    expect(new URL(page.url()).pathname).toBe('/companies')
  })

  test('cannot be created outside a demo', async () => {
    const { page } = await open('/companies', {
      ...replies,
      'GET /console/session': () =>
        exampleSession({ companies: [ekeby], identity: { provider: 'broker', demo: false, signs: true } }),
    })
    await row(page, 'Ekeby').waitFor()
    expect(await page.getByLabel('Company name').count()).toBe(0)
    await page.getByRole('link', { name: 'Ekeby' }).click()
    await heading(page, 'Reports').waitFor()
    await page.getByRole('button', { name: /Ekeby Handel AB/ }).click()
    await page.getByRole('link', { name: 'All companies' }).waitFor()
    expect(await page.getByRole('link', { name: 'Try with a company of your own' }).count()).toBe(0)
  })
})

describe('Leaving a company', () => {
  test('asks first, lists what keeps working, and leads to the remaining companies, by keyboard', async () => {
    let companies = [ekeby, norrsken]
    const { page, calls } = await open('/companies', {
      ...replies,
      'GET /console/session': () => exampleSession({ companies }),
      [readMembership]: () => membership({ signed: 2 }),
      [leave]: () => {
        companies = [norrsken]
        return undefined
      },
    })
    const menu = page.getByRole('button', { name: /Actions: .*Ekeby/ })
    await menu.press('Enter')
    await page.getByRole('link', { name: 'Leave company' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: /Leave .*Ekeby Handel AB.*\?/ })
    await dialog.getByText('You have 2 signed connections here, which will keep working.').waitFor()
    await dialog.getByText('Your connections from other companies can no longer be used for it.').waitFor()
    expect(await dialog.getByRole('link', { name: 'Show connections' }).getAttribute('href')).toBe(
      `/companies/${ekeby.company_id}/connections?maker=member-1&state=signed`,
    )
    expect(await lookOver(page, 'companies-leave')).toEqual([])

    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => menu.evaluate((button) => button === document.activeElement)).toBe(true)
    expect(calls.some(({ operation }) => operation === leave)).toBe(false)

    await menu.press('Enter')
    await page.getByRole('link', { name: 'Leave company' }).press('Enter')
    await dialog.getByRole('button', { name: 'Leave' }).press('Enter')
    await row(page, 'Ekeby').waitFor({ state: 'detached' })
    await row(page, 'Norrsken').waitFor()
    expect(new URL(page.url()).href).toBe('https://numera.test/companies')
    await expect.poll(() => page.locator(':focus').textContent()).toBe('Companies')
    expect(calls.find(({ operation }) => operation === leave)).toMatchObject({
      path: [ekeby.company_id, 'member-1'],
      csrfToken: 'csrf-1',
    })
  })

  test('is refused for the last owner, known beforehand or not', async () => {
    const sole = { ...ekeby, role: 'owner' as const }
    let last = true
    const { page } = await open(`/companies?leave=${sole.company_id}`, {
      ...replies,
      'GET /console/session': () => exampleSession({ companies: [sole, norrsken] }),
      [readMembership]: () => membership({ role: 'owner', last }),
      [leave]: () => apiError(409, 'conflict', 'The company must keep an owner.'),
    })
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('alert').getByText('Give another member the owner role first.').waitFor()
    expect(await dialog.getByRole('button', { name: 'Leave' }).count()).toBe(0)
    last = false
    await page.reload()
    await dialog.getByRole('button', { name: 'Leave' }).click()
    await dialog.getByRole('alert').getByText('Give another member the owner role first.').waitFor()
    expect(await dialog.getByRole('button', { name: 'Leave' }).count()).toBe(0)
  })
})

test('On a demo, a company is created and its pages open', async () => {
  const own = exampleCompany({ company_id: '01900000-0000-7000-8000-000000000008', name: 'Mitt AB' })
  let isMade = false
  const { page, sentTo } = await open('/', {
    ...replies,
    'GET /console/session': () => exampleSession({ companies: isMade ? [own] : [] }),
    'POST /console/demo-companies': () => {
      isMade = true
      return own
    },
    'GET /console/companies/{company_id}/sources': () => ({ sources: [], next_cursor: null }),
    'GET /console/known-metrics': () => ({ metrics: [] }),
    'GET /console/companies/{company_id}': () => ({ ...own, created_at: '2026-01-01T08:00:00Z', owners: [] }),
  })
  await page.getByRole('button', { name: 'Create company' }).click()
  await page.getByText('Enter a name of at most 100 characters.').waitFor()
  await page.getByLabel('Company name').fill('Mitt AB')
  await page.getByRole('button', { name: 'Create company' }).click()
  await page.waitForURL(`**/companies/${own.company_id}/reports`)
  expect(sentTo('POST /console/demo-companies')).toEqual([{ name: 'Mitt AB' }])
})
