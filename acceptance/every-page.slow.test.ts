import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, signIn } from './browser.ts'
import { call } from './call.ts'
import { type Chromium, startChromium } from './chromium.ts'
import { isTooWide, looks, painted, sizes, speak, violations } from './screens.ts'
import { type Service, startService } from './service.ts'

/**
 * Every page of the demo, as each role sees it. The pages are found by following their links, so that a new one is walked
 * without being named here. With `NUMERA_PICTURES=yes` it takes the pictures under `docs/screens/`.
 */
const folder =
  process.env['NUMERA_PICTURES'] === 'yes'
    ? fileURLToPath(new URL('../docs/screens', import.meta.url))
    : undefined

const people = {
  owner: { personalNumber: '191212121212', name: 'Tolvan Tolvansson' },
  developer: { personalNumber: '199001012385', name: 'Disa Utvecklare' },
  reader: { personalNumber: '198112189876', name: 'Lena Läsare' },
} satisfies Record<string, Person>
type Role = keyof typeof people
const roles: readonly Role[] = ['owner', 'developer', 'reader']

/** What a role opens of a company, by the first part of the address there. */
const opens: Record<Role, readonly string[]> = {
  owner: ['reports', 'sources', 'connections', 'deliveries', 'members'],
  developer: ['reports', 'sources', 'connections', 'deliveries'],
  reader: ['reports'],
}

/** Pages that are walked in all: more than there are, so that links that never end are noticed. */
const pagesMax = 60
const widths = [320, 390, 768, 1_280, 2_560]

let service: Service
let chromium: Chromium
let companyId: string
/** A delivery with refused rows, and its address. */
let artifactId: string

beforeAll(async () => {
  ;[service, chromium] = await Promise.all([
    startService({ words: ['demo'], isDatabaseNew: true, environment: { NUMERA_BASE_URL: '' } }),
    startChromium(),
  ])
  const credential = /Bearer (nsk_\w+)/.exec(await printed())![1]!
  artifactId = await pushRefusedRows(credential)
  const owner = await signIn(service.url, people.owner)
  const { body: session } = await owner.get('/console/session')
  companyId = (await companyOfDelivery(owner, session.companies))!
  for (const role of ['developer', 'reader'] as const) {
    const { personalNumber } = people[role]
    await owner.post(`/console/companies/${companyId}/members`, { personal_number: personalNumber, role })
  }
}, 120_000)
afterAll(async () => {
  await chromium?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

async function printed(): Promise<string> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const text = service.output()
    if (text.includes('Stop with Ctrl-C')) return text
    await sleep(100)
  }
  throw new Error(`it printed no first steps: ${service.output()}`)
}

async function pushRefusedRows(credential: string): Promise<string> {
  const headers = { authorization: `Bearer ${credential}` }
  const at = new Date().toISOString()
  const payload = [
    { at, amount: '349.00', country: 'SE' },
    { at, amount: '1 249,00', country: 'SE' },
    { at: at.slice(0, 10), amount: '89.00', country: 'FI' },
    { at: at.slice(0, 16).replace('T', ' '), amount: '59.00', country: 'NO' },
  ]
  const push = (idempotency_key: string, more: object = {}) =>
    call(`${service.url}/v1/ingest`, {
      method: 'POST',
      headers,
      body: { idempotency_key, shape_version: 1, payload, ...more },
    })
  const { body } = await push('order-batch-20931', { coupon: 'x' })
  // Refused calls, too.
  await push('order-batch-20931', { payload: [] })
  await push('order-batch-20932', { shape_version: 99 })
  return body.artifact_id
}

async function companyOfDelivery(
  owner: Awaited<ReturnType<typeof signIn>>,
  companies: { company_id: string }[],
): Promise<string | undefined> {
  for (const { company_id } of companies) {
    const { status } = await owner.get(`/console/companies/${company_id}/deliveries/${artifactId}`)
    if (status === 200) return company_id
  }
  return undefined
}

async function openAs(role: Role): Promise<{ context: BrowserContext; page: Page; complaints: string[] }> {
  const context = await chromium.browser.newContext({
    locale: 'en-GB',
    timezoneId: 'Europe/Stockholm',
    reducedMotion: 'reduce',
    viewport: sizes.desktop,
  })
  context.setDefaultTimeout(20_000)
  const complaints: string[] = []
  context.on('weberror', (error) => complaints.push(String(error.error())))
  const page = await context.newPage()
  await page.goto(`${service.url}/sign-in`)
  await page.getByRole('button', { name: 'Sign in with electronic identity' }).click()
  const opening = context.waitForEvent('page')
  await page.getByRole('link', { name: /demo identity/ }).click()
  const identity = await opening
  await identity.getByLabel('Personal number').fill(people[role].personalNumber)
  await identity.getByLabel('Name').fill(people[role].name)
  await identity.getByRole('button', { name: /^Sign/ }).click()
  await page
    .getByRole('navigation', { name: 'Yours' })
    .or(page.getByRole('link', { name: 'Your apps' }))
    .first()
    .waitFor()
  await identity.close()
  return { context, page, complaints }
}

const id = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g

/** Which page an address is: `sources-one-metrics`; ids, keys of metrics and most of the query do not tell pages apart. */
function nameOf(address: string): string {
  const { pathname, searchParams } = new URL(address, service.url)
  const parts = pathname
    .replace(/^\/companies\/[^/]+(?=\/)/, '')
    .replaceAll(id, 'one')
    .split('/')
    .filter(Boolean)
  if (parts[0] === 'reports' && parts.length > 2) parts[2] = 'metric'
  const tab = searchParams.get('tab')
  return [...parts, ...(tab === null ? [] : [tab])].join('-') || 'companies'
}

/** Waits until a page shows what it has to say: its heading, and no more that is loading. */
async function settle(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  const loading = page.locator('main [role=status]').filter({ hasText: /^(One moment|Ett ögonblick)/ })
  await expect.poll(() => loading.count(), { timeout: 20_000 }).toBe(0)
  await painted(page)
}

/** Follows links from the start, one for each page. Gives an address for each name. */
async function findPages(page: Page): Promise<Map<string, string>> {
  const company = `/companies/${companyId}`
  const waiting = [
    '/',
    `${company}/reports`,
    `${company}/deliveries/${artifactId}`,
    `${company}/deliveries?tab=calls`,
  ]
  const found = new Map<string, string>()
  while (waiting.length > 0 && found.size < pagesMax) {
    const address = waiting.shift()!
    const name = nameOf(address)
    if (found.has(name)) continue
    await page.goto(new URL(address, service.url).href)
    await settle(page)
    found.set(name, address)
    const links = (await page
      .locator('a[href^="/"]')
      .evaluateAll((all) => all.map((each) => each.getAttribute('href')))) as string[]
    // Those of other companies are the same pages.
    const ours = links.filter((each) => !each.startsWith('/companies/') || each.startsWith(company))
    waiting.push(...ours.filter((each) => !/^\/(docs|openapi|assets|oauth)\b/.test(each)))
  }
  return found
}

async function takePicture(page: Page, picture: string): Promise<void> {
  if (folder === undefined) return
  await mkdir(folder, { recursive: true })
  // What is seen at once: whole pages would be large, and a list is a list.
  await page.screenshot({ path: `${folder}/${picture}.png` })
}

/** What is wrong with a page, in any of the ways that people see it. */
async function lookAtAll(page: Page, name: string): Promise<string[]> {
  const wrong: string[] = []
  for (const language of ['en', 'sv']) {
    await speak(page, language)
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 })
      await painted(page)
      if (await isTooWide(page)) wrong.push(`${name}, ${language}: wider than ${width}`)
    }
  }
  for (const { language, scheme, size } of looks) {
    await speak(page, language)
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    await page.setViewportSize(sizes[size])
    await settle(page)
    await takePicture(page, `${name}-${size}-${scheme}-${language}`)
    // Those of a phone will do: light and dark, once each.
    if (size === 'desktop') continue
    wrong.push(...(await violations(page)).map((each) => `${name}, ${size}, ${scheme}, ${language}: ${each}`))
  }
  await speak(page, 'en')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(sizes.desktop)
  return wrong
}

describe('Every page of the demo', () => {
  test('is found from the start, fits every width in both languages, and keeps nobody out', async () => {
    const { context, page, complaints } = await openAs('owner')
    const found = await findPages(page)
    expect(found.size).toBeLessThan(pagesMax)
    expect([...found.keys()]).toEqual(
      expect.arrayContaining([
        'companies',
        ...opens.owner,
        'deliveries-one',
        'deliveries-calls',
        'apps',
        'signatures',
      ]),
    )
    const wrong: string[] = []
    for (const [name, address] of found) {
      await page.goto(new URL(address, service.url).href)
      await settle(page)
      wrong.push(...(await lookAtAll(page, name)))
    }
    expect(wrong).toEqual([])
    expect(complaints).toEqual([])
    await context.close()
  }, 900_000)

  test.each(roles)(
    'opens for an %s as the role says, and otherwise says which role it needs',
    async (role) => {
      const { context, page, complaints } = await openAs(role)
      for (const part of opens.owner) {
        await page.goto(`${service.url}/companies/${companyId}/${part}`)
        await settle(page)
        const isClosed =
          (await page.getByRole('heading', { name: 'Your role does not open this page' }).count()) > 0
        expect([part, isClosed]).toEqual([part, !opens[role].includes(part)])
        if (isClosed) await takePicture(page, `${part}-as-${role}-desktop-light-en`)
      }
      const links = await page
        .getByRole('navigation', { name: 'Sections' })
        .getByRole('link')
        .allTextContents()
      expect(
        links.filter((text) => !text.startsWith('Your')).map((text) => text.toLowerCase().split(/\d/)[0]),
      ).toEqual(opens[role])
      expect(complaints).toEqual([])
      await context.close()
    },
  )
})
