import { describe, expect, test } from 'vitest'
import { lookOver } from '../../../testing/browser/screens.ts'
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
import { exampleSession, exampleSource } from '../testing/examples.ts'
import { startPages } from '../testing/start-pages.ts'

const open = startPages()

describe('The companies', () => {
  test('of a demo can be created from the company switch, by keyboard', async () => {
    const { page } = await open('/', {
      ...replies,
      'GET /console/session': () => exampleSession({ companies: [ekeby] }),
    })
    await page.waitForURL(`**/companies/${ekeby.company_id}/reports`)
    await page.getByRole('button', { name: /Ekeby Handel AB/ }).press('Enter')
    await page.getByRole('link', { name: 'Try with a company of your own' }).press('Enter')
    await heading(page, 'Companies').waitFor()
    await expect
      .poll(() => page.getByLabel('Company name').evaluate((field) => field === document.activeElement))
      .toBe(true)
  })
})

test('A refused name for a new company is shown at its field and can be corrected', async () => {
  const { page } = await open('/companies', {
    ...replies,
    'POST /console/demo-companies': () =>
      Response.json({ code: 'invalid_argument', message: 'No.', field: 'name' }, { status: 400 }),
  })
  const field = page.getByLabel('Company name')
  await field.fill('A\u200BB')
  await page.getByRole('button', { name: 'Create company' }).click()
  await page.getByText('The name contains invisible characters.').waitFor()
  expect(await field.getAttribute('aria-invalid')).toBe('true')
  expect(await field.inputValue()).toBe('A\u200BB')
  await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true)
})

describe('Leaving a company', () => {
  test('that was the only one leaves nothing of it, and explains how to be invited again', async () => {
    let companies = [norrsken]
    const { page } = await open(`/companies?leave=${norrsken.company_id}`, {
      ...replies,
      'GET /console/session': () => exampleSession({ companies }),
      [readMembership]: () => membership({ role: 'reader', signed: 1 }),
      [leave]: () => {
        companies = []
        return undefined
      },
    })
    const dialog = page.getByRole('dialog')
    // A reader sees no connections, but may have signed some in an earlier role.
    await dialog.getByText('Ask an owner or a developer to revoke those that should stop.').waitFor()
    expect(await dialog.getByRole('link').count()).toBe(0)
    expect(await dialog.getByText('from other companies').count()).toBe(0)
    await dialog.getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('heading', { name: 'You do not belong to a company yet' }).waitFor()
  })

  test('that fails keeps the membership and can be retried', async () => {
    let isUnavailable = true
    let companies = [ekeby, norrsken]
    const { page } = await open(`/companies?leave=${ekeby.company_id}`, {
      ...replies,
      'GET /console/session': () => exampleSession({ companies }),
      [readMembership]: () => membership(),
      [leave]: () => {
        if (isUnavailable) return Response.error()
        companies = [norrsken]
        return undefined
      },
    })
    const button = page.getByRole('dialog').getByRole('button', { name: 'Leave' })
    await button.click()
    await page.getByRole('alert', { name: 'Could not leave the company' }).waitFor()
    isUnavailable = false
    await button.click()
    await row(page, 'Ekeby').waitFor({ state: 'detached' })
  })

  test('is translated into Swedish, and unusual names do not break the layout', async () => {
    const name = `<b>שלום</b> {{company}} ${'W'.repeat(150)}`
    const { page } = await open(
      `/companies?leave=${ekeby.company_id}`,
      {
        ...replies,
        'GET /console/session': () => exampleSession({ companies: [{ ...ekeby, name }, norrsken] }),
        [readMembership]: () => membership({ signed: 1 }),
      },
      { locale: 'sv-SE' },
    )
    const dialog = page.getByRole('dialog', { name: /^Lämna / })
    await dialog.getByText('Du har 1 underskriven anslutning här, som fortsätter att gälla.').waitFor()
    expect(await dialog.getByRole('heading').textContent()).toContain(name)
    expect(await lookOver(page, 'companies-leave-hostile')).toEqual([])
  })
})

describe('A page without access', () => {
  const sourceId = exampleSource().source_id
  const forDevelopers = [
    'sources',
    'sources/new',
    `sources/${sourceId}`,
    `sources/${sourceId}/metrics`,
    `sources/${sourceId}/change`,
    'connections',
    'connections/new',
    'connections/01900000-0000-7000-8000-0000000000c1',
    'deliveries',
    'deliveries/01900000-0000-7000-8000-0000000000d1',
  ]
  const forOwners = ['members', 'members?part=apps', 'members?part=history']

  test.each([
    ...forDevelopers.map((path) => ['reader', path, 'owners and developers'] as const),
    ...forOwners.map((path) => ['reader', path, 'owners'] as const),
    ...forOwners.map((path) => ['developer', path, 'owners'] as const),
  ])('tells a %s at %s who has access', async (role, path, needed) => {
    const { page, calls } = await open(`/companies/${ekeby.company_id}/${path}`, {
      ...replies,
      'GET /console/session': () => exampleSession({ companies: [{ ...ekeby, role }] }),
    })
    await heading(page, 'Your role does not have access to this page').waitFor()
    await page.getByText(new RegExp(`You are a ${role} in .* This page is for ${needed}\\.$`)).waitFor()
    for (const name of ['Olivia Ägare', 'Per Norrsken']) {
      await page.getByRole('main').getByRole('listitem').filter({ hasText: name }).waitFor()
    }
    // The page makes no calls that would be refused.
    await expect
      .poll(() => calls.map(({ operation }) => operation).toSorted())
      .toEqual(['GET /console/companies', 'GET /console/companies/{company_id}', 'GET /console/session'])
  })
})
