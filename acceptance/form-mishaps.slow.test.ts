import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Person, signIn } from '../testing/process/console-client.ts'
import { advance } from '../testing/process/call.ts'
import { shareBrowser } from '../testing/browser/chromium.ts'
import { openContext } from '../testing/browser/open-context.ts'
import { comeSignedIn, identify } from '../testing/browser/member-in-browser.ts'
import { type Service, startService } from '../testing/process/start-service.ts'
import { openShop, owner, type Shop } from '../testing/process/shop.ts'

// Mishaps while a form is filled in, and unusual input.

const developer: Person = { personalNumber: '199001012385', name: 'Disa Utvecklare' }

let service: Service
let browser: Browser
let shop: Shop
beforeAll(async () => {
  ;[service, browser] = await Promise.all([
    startService({ environment: { NUMERA_RATE_PER_MINUTE: '10000', NUMERA_RATE_BURST: '10000' } }),
    shareBrowser(),
  ])
  shop = await openShop(service)
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
})

let context: BrowserContext
let page: Page
let complaints: string[]

const open = async (person: Person = owner): Promise<void> => {
  ;({ context, complaints } = await openContext(browser))
  await comeSignedIn(context, service.url, person)
  page = await context.newPage()
}

afterEach(async () => {
  await context?.close()
  expect(complaints).toEqual([])
})

const at = (path: string): string => `${service.url}/companies/${shop.company.companyId}${path}`
const button = (name: string | RegExp): Locator => page.getByRole('button', { name, exact: true })
const field = (name: string): Locator => page.getByLabel(name, { exact: true })
const heading = (name: string | RegExp): Locator => page.getByRole('heading', { level: 1, name })

/** Fills in the first two steps of a new source, up to its fields. */
const beginSource = async (name: string): Promise<void> => {
  await page.goto(at('/sources/new'))
  await field('Name').fill(name)
  await field('Type of system').fill('Till')
  await button('Next').click()
  await page.getByRole('radio', { name: 'Push' }).waitFor()
  await button('Next').click()
  await field('Paste a few rows').waitFor()
}

/** Continues from the fields to the end of the form, as events and without a metric. */
const goToEnd = async (): Promise<void> => {
  await button('Next').click()
  await page.getByRole('radio', { name: 'at' }).check()
  await button('Next').click()
  await page.getByRole('radio', { name: 'Events' }).check()
  await button('Next').click()
  await button('Create source').waitFor()
}

/** A new source but for its making. */
const fillSource = async (name: string): Promise<void> => {
  await beginSource(name)
  await field('Paste a few rows').fill('at,amount\n2026-11-20,80.00\n')
  await button('Read example').click()
  await page.getByText('was read as CSV').waitFor()
  await goToEnd()
}

const sourcesCalled = async (name: string): Promise<{ source_id: string }[]> => {
  const { body } = await shop.browser.get(`${shop.pages}/sources?limit=200`)
  return body.sources.filter((source: { name: string }) => source.name === name)
}

/** Creates a connection, up to the text to sign. */
const sign = async (name: string): Promise<void> => {
  await page.goto(at('/connections'))
  await page.getByRole('link', { name: 'New connection' }).click()
  await heading('New connection').waitFor()
  await field('Name').fill(name)
  await page.getByRole('checkbox', { name: 'Send' }).check()
  await field('Source').selectOption('any')
  await button('Create and sign').click()
  await page.getByRole('blockquote').waitFor()
}

const connectionsCalled = async (name: string): Promise<unknown[]> => {
  const { body } = await shop.browser.get(`${shop.pages}/connections?limit=200`)
  return body.connections.filter((connection: { name: string }) => connection.name === name)
}

/** What only a browser has. */
interface BrowserGlobals {
  DataTransfer: new () => { setData(type: string, text: string): void }
  ClipboardEvent: new (type: string, options: object) => Event
}

describe('An example', () => {
  test('of 8 MiB can be pasted, and its fields are proposed', async () => {
    await open()
    await beginSource('Large')
    const row = '2026-11-20,80.00,"a ""quoted"" name, and more"\n'
    const rows = `at,amount,name\n${row.repeat(Math.floor((8 * 1024 * 1024 - 20) / row.length))}`
    await field('Paste a few rows').evaluate((area, text) => {
      const { DataTransfer, ClipboardEvent } = globalThis as unknown as BrowserGlobals
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', text)
      area.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    }, rows)
    await page.getByText('was read as CSV').waitFor({ timeout: 40_000 })
    expect(await field('Field').count()).toBe(3)
  })

  test('in Latin-1 is read, with a note that deliveries must be UTF-8', async () => {
    await open()
    await beginSource('Latin')
    await field('Choose file').setInputFiles({
      name: 'försäljning.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('at;belopp;köpställe\n2026-11-20;80.00;Örebro\n', 'latin1'),
    })
    await page.getByText(/send UTF-8/).waitFor()
    expect(await field('Field').nth(2).inputValue()).toBe('köpställe')
    await page.getByText('Örebro').first().waitFor()
  })

  test('of 201 fields proposes 200, of which a metric may have 20 as labels, and the source is created', async () => {
    await open()
    await beginSource('Wide')
    const names = ['at', 'amount', ...Array.from({ length: 199 }, (_name, index) => `label_${index}`)]
    const cells = ['2026-11-20', '80.00', ...names.slice(2).map((name) => `of ${name}`)]
    await field('Paste a few rows').fill(`${names.join(',')}\n${cells.join(',')}\n`)
    await button('Read example').click()
    await page.getByText('There are 201 fields. Only the first 200 are suggested.').waitFor()
    expect(await field('Field').count()).toBe(200)
    await goToEnd()
    await button('Add metric').click()
    await field('Metric').selectOption('revenue')
    await field('Calculation').selectOption('sum')
    await field('Sum of').selectOption('amount')
    const labels = field('Labels')
    for (let index = 0; index < 20; index++) await labels.selectOption(`label_${index}`)
    expect(await labels.isDisabled()).toBe(true)
    await page.getByText('Rows read').waitFor()
    await button('Create source').click()
    await heading('Wide').waitFor()
    expect(await sourcesCalled('Wide')).toHaveLength(1)
  })
})

describe('A name', () => {
  test.each([
    ['that is reversed', 'Till \u202Elagel', 'invisible characters'],
    ['with letters of no width', 'Ti\u200Bll', 'invisible characters'],
    ['of 200 characters', 'x'.repeat(200), 'at most 100 characters'],
  ])('%s is refused at its field, for a source and for a connection', async (_which, name, sentence) => {
    await open()
    await page.goto(at('/sources/new'))
    await field('Name').fill(name)
    await field('Type of system').fill('Till')
    await button('Next').click()
    await page.getByRole('alert').getByText(sentence).waitFor()
    expect(await field('Name').getAttribute('aria-invalid')).toBe('true')
    await field('Name').fill('Till')
    await page.goto(at('/connections/new'))
    await field('Name').fill(name)
    await button('Create and sign').click()
    await page
      .getByRole('alert')
      .getByText(/invisible|at most 100 characters/)
      .waitFor()
    expect(await field('Name').getAttribute('aria-invalid')).toBe('true')
  })

  test('of markup and emoji is text everywhere', async () => {
    await open()
    const name = '<img src=x onerror="document.title=1"> {{7*7}} 📦🇸🇪'
    await fillSource(name)
    await button('Create source').click()
    await heading(name).waitFor()
    await page.getByRole('link', { name: 'New connection' }).click()
    await field('Name').fill(name)
    await button('Create and sign').click()
    await page.getByRole('blockquote').getByText(name).waitFor()
    for (const path of ['/sources', '/connections', '/deliveries']) {
      await page.goto(at(path))
      await page.getByText(name).first().waitFor({ state: 'attached' })
      expect(await page.locator('img[src=x]').count()).toBe(0)
      expect(await page.title()).not.toBe('1')
    }
  })
})

describe('A form', () => {
  test('without a service says so, keeps its input, and creates one source afterwards', async () => {
    await open()
    await fillSource('While away')
    await service.stop()
    await button('Create source').click()
    await page
      .getByRole('alert')
      .getByText(/could not be reached/)
      .waitFor()
    await service.start()
    await button('Create source').click()
    await heading('While away').waitFor()
    expect(await sourcesCalled('While away')).toHaveLength(1)
  })

  test('whose session ends keeps its input until a new sign-in', async () => {
    await open()
    await fillSource('Overnight')
    await advance(service.url, 13 * 3_600)
    await shop.signInAgain()
    await button('Create source').click()
    const over = page.getByRole('dialog', { name: 'Sign in' })
    await over.getByText('What you entered is still here.').waitFor()
    await over.getByRole('button', { name: 'Sign in with electronic identity' }).click()
    await identify(context, page, owner)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await sourcesCalled('Overnight')).toEqual([])
    await button('Create source').click()
    await heading('Overnight').waitFor()
    expect(await sourcesCalled('Overnight')).toHaveLength(1)
  })

  test('of a member who has lost the role names the role, and keeps its input until they have it again', async () => {
    const { browser, pages } = shop
    await browser.post(`${pages}/members`, { personal_number: developer.personalNumber, role: 'developer' })
    await open(developer)
    const { body: session } = await (await signIn(service.url, developer)).get('/console/session')
    await fillSource('Taken away')
    await page.getByText(/Draft saved/).waitFor()
    const setRole = (role: string) => browser.patch(`${pages}/members/${session.member_id}`, { role })
    expect((await setRole('reader')).status).toBeLessThan(300)
    await button('Create source').click()
    await heading('Your role does not have access to this page').waitFor()
    await page.getByText(owner.name).waitFor()
    expect((await setRole('developer')).status).toBeLessThan(300)
    await page.reload()
    await page.getByText('You are continuing your draft.').waitFor()
    await button('Create source').click()
    await heading('Taken away').waitFor()
  })

  test('that is open in two tabs loses nothing', async () => {
    await open()
    const sourceId = await shop.createSource({ name: 'Two tabs' })
    await page.goto(at(`/sources/${sourceId}/change`))
    await field('Name').fill('Of the first tab')
    await page.getByText(/Draft saved/).waitFor()
    // It continues with the input of the first one.
    const other = await context.newPage()
    await other.goto(at(`/sources/${sourceId}/change`))
    await other.getByText('You are continuing your draft.').waitFor()
    await other.getByLabel('Type of system', { exact: true }).fill('Of the second tab')
    await other.getByRole('button', { name: 'Save', exact: true }).click()
    await other.getByRole('heading', { level: 1, name: 'Of the first tab' }).waitFor()
    await button('Save').click()
    await page.getByRole('alert').getByText('Your changes are not lost.').waitFor()
    await page.getByRole('row', { name: /Type of system.*Of the second tab/ }).waitFor()
    expect(await field('Name').inputValue()).toBe('Of the first tab')
    await button('Use the saved one').click()
    expect(await field('Type of system').inputValue()).toBe('Of the second tab')
    await field('Name').fill('Of both tabs')
    await button('Save').click()
    await heading('Of both tabs').waitFor()
    expect(await sourcesCalled('Of both tabs')).toMatchObject([{ system_kind: 'Of the second tab' }])
  })
})

describe('A signature', () => {
  test('whose session ends gives its secret after a new sign-in', async () => {
    await open()
    await sign('Interrupted')
    // As in another tab of the same browser.
    const session = await (await context.request.get(`${service.url}/console/session`)).json()
    await context.request.post(`${service.url}/console/sign-out`, {
      data: {},
      headers: { 'x-csrf-token': session.csrf_token },
    })
    const over = page.getByRole('dialog', { name: 'Sign in' })
    await over.getByRole('button', { name: 'Sign in with electronic identity' }).click()
    await over.or(page.getByRole('dialog', { name: 'Identify yourself' })).waitFor()
    const opening = context.waitForEvent('page')
    await page
      .getByRole('dialog')
      .getByRole('link', { name: /demo identity/ })
      .click()
    const identity = await opening
    await identity.getByLabel('Personal identity number').fill(owner.personalNumber)
    await identity.getByLabel('Name').fill(owner.name)
    await identity.getByRole('button', { name: /^Sign/ }).click()
    await identity.getByText('You can close this page').waitFor()
    await identity.close()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await identify(context, page, owner)
    await heading('Save the secret now').waitFor()
    expect(await connectionsCalled('Interrupted')).toMatchObject([{ state: 'signed' }])
  })

  test('cannot be reopened: back leads to the list, and forward shows no secret', async () => {
    await open()
    await sign('Once')
    await identify(context, page, owner)
    await heading('Save the secret now').waitFor()
    const secret = await field('Secret, shown once').inputValue()
    await page.getByRole('checkbox', { name: /^I have saved the secret/ }).check()
    await button('Done').click()
    await heading('Once').waitFor()
    await page.goBack()
    await heading('Connections').waitFor()
    await page.goForward()
    await heading('Once').waitFor()
    expect(await page.content()).not.toContain(secret)
    expect(await connectionsCalled('Once')).toMatchObject([{ state: 'signed' }])
  })
})
