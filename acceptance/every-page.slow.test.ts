import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shareBrowser } from '../testing/browser/chromium.ts'
import { approve } from '../testing/process/console-client.ts'
import { comeSignedIn } from '../testing/browser/member-in-browser.ts'
import { openContext } from '../testing/browser/open-context.ts'
import { type PagesScene, people, type Role, startPagesScene } from '../testing/browser/pages-scene.ts'
import {
  isTooWide,
  type Look,
  looks,
  painted,
  screensFolder,
  show,
  showAsUsual,
  sizes,
  speak,
  savePicture,
  savesPictures,
  violations,
} from '../testing/browser/screens.ts'

/**
 * Every page and state of the demo, as each role sees it: in both languages, light and dark, at every width. With
 * `NUMERA_PICTURES=yes` (`npm run screens`) it takes pictures of them.
 */
const readmePictures = fileURLToPath(new URL('../docs/images', import.meta.url))

/** What a role opens of a company, by the first part of the address there. */
const opens = {
  owner: ['reports', 'sources', 'connections', 'deliveries', 'members'],
  developer: ['reports', 'sources', 'connections', 'deliveries'],
  reader: ['reports'],
} as const satisfies Partial<Record<Role, readonly string[]>>

/** Beside those of the pictures. */
const widths = [320, 768, 2_560]

/** More than there are, so that links that never end are noticed. */
const pagesMax = 60

let scene: PagesScene
let browser: Browser
beforeAll(async () => {
  ;[scene, browser] = await Promise.all([startPagesScene(), shareBrowser()])
}, 120_000)
afterAll(async () => {
  await scene?.[Symbol.asyncDispose]()
})

const at = (path: string): string => new URL(path, scene.url).href

/** A browser with a session, without the sign-in page; without a session if no role is given. */
async function openBrowserAs(
  role?: Role,
): Promise<{ context: BrowserContext; page: Page; complaints: string[] }> {
  const { context, complaints } = await openContext(browser, { viewport: sizes.desktop })
  context.setDefaultTimeout(20_000)
  if (role !== undefined) await comeSignedIn(context, scene.url, people[role])
  return { context, page: await context.newPage(), complaints }
}

/** Waits until a page shows what it has to say: its heading, and nothing that is loading. */
async function settle(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  const loading = page.getByRole('status').filter({ hasText: /^(One moment|Ett ögonblick)/ })
  await expect.poll(() => loading.count(), { timeout: 20_000 }).toBe(0)
  await painted(page)
}

const id = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g

/** Which page an address is: `sources-one-metrics`; ids, keys of metrics and most of the query do not tell pages apart. */
function nameOf(address: string): string {
  const { pathname, searchParams } = new URL(address, scene.url)
  const parts = pathname
    .replace(/^\/companies\/[^/]+(?=\/)/, '')
    .replaceAll(id, 'one')
    .split('/')
    .filter(Boolean)
  if (parts[0] === 'reports' && parts.length > 2) parts[2] = 'metric'
  const part = searchParams.get('tab') ?? searchParams.get('part')
  return [...parts, ...(part === null ? [] : [part])].join('-') || 'companies'
}

/** What was looked at in all ways, by {@link nameOf}. */
const seen = new Set<string>()

/** Someone who goes from page to page and looks at each in every way. */
interface Walk {
  context: BrowserContext
  page: Page
  /** Opens an address and waits until it is there. */
  open: (path: string) => Promise<void>
  /** Looks at what the page shows now. */
  look: (name: string) => Promise<void>
  /** Opens a page that is in English alone, and looks at it: light on a desktop, dark on a phone. */
  lookInEnglish: (name: string, reveal: () => Promise<unknown>) => Promise<void>
  /** Takes what the README shows: in English, light and dark, on a desktop or so many px wide. */
  takeForReadme: (name: string, width?: number) => Promise<void>
  /** Looks at what is on a phone alone, which `reveal` opens and Escape closes. */
  lookOnPhone: (name: string, reveal: () => Promise<unknown>) => Promise<void>
}

/** Goes a walk, and says all that is wrong on it at its end. */
async function walk(
  folder: string,
  role: Role | undefined,
  go: (walk: Walk) => Promise<void>,
): Promise<void> {
  const { context, page, complaints } = await openBrowserAs(role)
  if (savesPictures) await rm(`${screensFolder}/${folder}`, { recursive: true, force: true })
  const wrong: string[] = []

  async function lookAt(name: string, { language, scheme, size }: Look): Promise<void> {
    const picture = `${folder}/${name}-${size}-${scheme}-${language}`
    if (savesPictures) await savePicture(page, `${screensFolder}/${picture}.webp`)
    if (await isTooWide(page)) wrong.push(`${picture}: too wide`)
    wrong.push(...(await violations(page)).map((each) => `${picture}: ${each}`))
  }

  await go({
    context,
    page,
    open: async (path) => {
      await page.goto(at(path))
      await settle(page)
    },
    look: async (name) => {
      for (const language of ['en', 'sv']) {
        await speak(page, language)
        for (const width of widths) {
          await page.setViewportSize({ width, height: sizes.desktop.height })
          await painted(page)
          if (await isTooWide(page)) wrong.push(`${folder}/${name}, ${language}: wider than ${width}`)
        }
        for (const each of looks.filter((other) => other.language === language)) {
          await show(page, each)
          await lookAt(name, each)
        }
      }
      await showAsUsual(page)
      seen.add(nameOf(page.url()))
    },
    lookInEnglish: async (name, reveal) => {
      for (const each of looks.filter(({ language }) => language === 'en')) {
        await page.emulateMedia({ colorScheme: each.scheme, reducedMotion: 'reduce' })
        await page.setViewportSize(sizes[each.size])
        await reveal()
        await painted(page)
        await lookAt(name, each)
      }
    },
    takeForReadme: async (name, width = sizes.desktop.width) => {
      if (!savesPictures) return
      for (const scheme of ['light', 'dark'] as const) {
        await show(page, { language: 'en', scheme, size: 'desktop' })
        await page.setViewportSize({ width, height: sizes.desktop.height })
        await painted(page)
        await savePicture(page, `${readmePictures}/${name}-${scheme}.webp`, {
          screens: width < sizes.desktop.width ? 2 : 1,
          isFull: true,
        })
      }
      await showAsUsual(page)
    },
    lookOnPhone: async (name, reveal) => {
      for (const each of looks.filter(({ size }) => size === 'phone')) {
        await show(page, each)
        await reveal()
        await painted(page)
        await lookAt(name, each)
        await page.keyboard.press('Escape')
      }
      await showAsUsual(page)
    },
  })
  expect(wrong).toEqual([])
  expect(complaints).toEqual([])
  await context.close()
}

const press = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('button', { name }).first().click()
const dialogOf = (page: Page) => page.getByRole('dialog').first().waitFor()

/** The first day of the month before this one. */
const lastMonth = (): string => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString().slice(0, 10)
}

const example = `sold_at,amount,till,customer_email
2026-11-20T09:12:00+01:00,349.00,Kista,anna@example.se
2026-11-20T09:31:00+01:00,"1 249,00",Kista,bo@example.se
2026-11-20T10:02:00+01:00,89.00,Solna,
`

describe('Looked at in every way,', { timeout: 240_000 }, () => {
  test('signing in and the consent have nothing wrong', async () => {
    await walk('sign-in', undefined, async ({ page, context, open, look }) => {
      await open('/sign-in')
      await look('start')
      await press(page, 'Sign in with electronic identity')
      const demo = page.getByRole('link', { name: /demo identity/ })
      await demo.waitFor()
      await look('waiting')
      await open((await demo.getAttribute('href'))!)
      await look('demo-identity')
      await open(scene.authorizeUrl)
      await look('for-an-app')
      await open(scene.authorizeUrl.replace(/client_id=\w+/, 'client_id=app_0123456789abcdefghijkl'))
      await look('unknown-app')
      await open('/nowhere')
      await look('unknown-page')
      await context.clearCookies()
    })
    await walk('consent', 'owner', async ({ page, open, look, takeForReadme }) => {
      await open(scene.authorizeUrl)
      await look('asked')
      await takeForReadme('consent', 600)
      await press(page, 'Sign and allow')
      await page.getByRole('alert').first().waitFor()
      await look('nothing-chosen')
      await page.getByRole('radio', { name: /^All my companies/ }).check()
      await press(page, 'Sign and allow')
      await page.getByRole('blockquote').waitFor()
      await look('signing')
    })
  })

  test('the reports have nothing wrong', async () => {
    const { company, sources } = scene
    await walk('reports', 'owner', async ({ page, open, look, lookOnPhone, takeForReadme }) => {
      await open(`${company}/reports`)
      await look('all')
      await lookOnPhone('menu', () => press(page, /^Men[uy]$/))
      await page.keyboard.press('Control+k')
      await dialogOf(page)
      await page.keyboard.type('led')
      await look('search')
      await page.keyboard.press('Escape')
      await page.keyboard.press('?')
      await dialogOf(page)
      await look('keys')
      const revenue = `${company}/reports/${sources.shop}/revenue`
      await open(`${revenue}?grain=month`)
      await look('one')
      await open(`${revenue}?by=country&grain=month`)
      await look('one-by-country')
      await takeForReadme('report')
      await lookOnPhone('one-choices', () => press(page, /^(More options|Fler val)/))
      await open(`${revenue}?by=country&grain=month&trace=${lastMonth()}`)
      await page.getByRole('complementary').getByRole('link').first().waitFor()
      await look('one-traced')
      await open(`${revenue}?by=country&grain=day&range=30d&where.country=SE&where.country=NO`)
      await look('one-by-day-filtered')
      await open(`${company}/reports/${sources.ledger}/revenue`)
      await look('one-restated')
      await open(`${company}/reports/${sources.ledger}/revenue?as_of=${scene.asOf}`)
      await look('one-as-it-was-known')
      await open(`${company}/reports/${sources.shop}/active_users`)
      await look('one-distinct')
    })
  })

  test('the sources have nothing wrong', async () => {
    const { company, sources } = scene
    await walk('sources', 'owner', async ({ page, open, look }) => {
      await open(`${company}/sources`)
      await look('all')
      const first = `${company}/sources/${sources.first}`
      await open(first)
      await look('one')
      await press(page, 'Pause')
      await dialogOf(page)
      await look('one-pausing')
      await open(`${first}/metrics`)
      await look('one-metrics')
      await open(`${first}/versions`)
      await look('one-versions')
      await open(`${first}/settings`)
      await look('one-settings')
      await press(page, 'Rebuild')
      await dialogOf(page)
      await look('one-rebuilding')
      await open(`${company}/sources/${sources.till}`)
      await look('one-waiting')
      await open(`${company}/sources/${sources.till}/settings`)
      await look('one-secrets')
      await press(page, 'Rotate')
      await dialogOf(page)
      await look('one-rotating')
      await open(`${company}/sources/${sources.returns}`)
      await look('one-paused')
    })
  })

  test('making and changing a source has nothing wrong', async () => {
    const { company, sources } = scene
    await walk('source-form', 'owner', async ({ page, open, look }) => {
      const next = () => press(page, 'Next')
      await open(`${company}/sources/new`)
      await look('name')
      await next()
      await page.getByRole('alert').first().waitFor()
      await look('name-missing')
      await page.getByLabel('Name', { exact: true }).fill('Solna store')
      await page.getByLabel('Type of system').fill('Till')
      await next()
      await page.getByRole('radio', { name: 'Push' }).check()
      await look('channel')
      await next()
      await look('fields-none')
      await page.getByLabel('Paste a few rows').fill(example)
      await press(page, 'Read example')
      await page.getByText('1 row would be refused').waitFor()
      await look('fields')
      await next()
      await look('event-time')
      await next()
      await page.getByRole('radio', { name: 'Events' }).check()
      await look('events-or-statements')
      await next()
      await press(page, 'Add metric')
      await page.getByLabel('Metric', { exact: true }).selectOption('revenue')
      await page.getByLabel('Calculation').selectOption('sum')
      await page.getByLabel('Sum of').selectOption('amount')
      await page.getByLabel('Labels').selectOption('till')
      await page.getByText('349').last().waitFor()
      await look('metrics')
      await open(`${company}/sources/${sources.first}/change?step=metrics`)
      await page.getByText('349').last().waitFor()
      await look('change')
    })
  })

  test('the connections have nothing wrong', async () => {
    const { company, connections } = scene
    await walk('connections', 'owner', async ({ page, open, look }) => {
      await open(`${company}/connections`)
      await look('all')
      const rotated = `${company}/connections/${connections.rotated}`
      await open(rotated)
      await look('one')
      await open(`${rotated}?ask=rotate`)
      await look('one-rotating')
      await open(`${rotated}?ask=revoke`)
      await look('one-revoking')
      await open(`${company}/connections/${connections.made}`)
      await look('one-made')
      await open(`${company}/connections/new`)
      await look('new')
      await press(page, 'Create and sign')
      await page.getByRole('alert').first().waitFor()
      await look('new-missing')
      await page.getByLabel('Name').fill('Solna nightly')
      await page.getByRole('checkbox', { name: 'Send' }).check()
      await page.getByLabel('Source', { exact: true }).selectOption('Web shop')
      await look('new-filled')
      await press(page, 'Create and sign')
      await page.getByRole('blockquote').waitFor()
      await look('signing')
      const identity = await page.getByRole('link', { name: /demo identity/ }).getAttribute('href')
      await approve(scene.url, identity!, people.owner)
      await page.getByRole('heading', { level: 1, name: 'Save the secret now' }).waitFor()
      await look('shown-once')
    })
  })

  test('choosing and making a connection for the API reference has nothing wrong', async () => {
    await walk('sandbox-connection', 'owner', async ({ page, open, look }) => {
      await open('/sandbox-connection')
      await look('choose')
      await press(page, /^Use .*Trying out/)
      await page.getByLabel('Credential').waitFor()
      await look('shown-once')
      await page.getByRole('link', { name: 'New sandbox connection' }).first().click()
      await settle(page)
      await look('new')
    })
    await walk('sandbox-connection-to-a-reader', 'reader', async ({ open, look }) => {
      await open('/sandbox-connection')
      await look('no-company')
    })
  })

  test('the deliveries have nothing wrong', async () => {
    const { company, deliveries } = scene
    await walk('deliveries', 'developer', async ({ page, open, look, lookOnPhone, takeForReadme }) => {
      await open(`${company}/deliveries`)
      await look('all')
      await lookOnPhone('filters', () => press(page, /^Filter/))
      await takeForReadme('deliveries')
      await open(`${company}/deliveries?search=nothing-begins-like-this`)
      await look('none-found')
      await open(`${company}/deliveries?tab=calls`)
      await look('refused-calls')
      await open(`${company}/deliveries/${deliveries.refused}`)
      await look('one-refused')
      await open(`${company}/deliveries/${deliveries.refused}?curl=open`)
      await look('one-mended')
      await open(`${company}/deliveries/${deliveries.statement}`)
      await look('one-statement')
      await open(`${company}/deliveries/${deliveries.test}`)
      await look('one-test')
    })
  })

  test('the members have nothing wrong', async () => {
    const { company } = scene
    await walk('members', 'owner', async ({ page, open, look }) => {
      await open(`${company}/members`)
      await look('all')
      await open(`${company}/members?ask=invite`)
      await look('inviting')
      await page.getByRole('dialog').getByText('By link').click()
      await press(page, 'Create link for a reader')
      await page.getByLabel('Link, shown once').waitFor()
      await look('link-shown-once')
      for (const [question, name] of [
        ['Change role', 'changing-role'],
        ['Remove', 'removing'],
      ] as const) {
        await open(`${company}/members`)
        await press(page, /Actions: .*Disa Utvecklare/)
        await page.getByRole('link', { name: question }).click()
        await dialogOf(page)
        await look(name)
      }
      await open(`${company}/members?part=apps`)
      await look('apps')
      await open(`${company}/members?part=history`)
      await look('history')
    })
  })

  test('what the demo tells of its companies has nothing wrong', async () => {
    const { company, foreignCompany, sources } = scene
    await walk('demo', 'owner', async ({ page, open, look }) => {
      const year = new Date().getFullYear() - 1
      const toTheDay = `grain=day&from=${year}-11-15&to=${year}-12-31`
      await open(`${company}/reports/${sources.shop}/revenue?${toTheDay}`)
      await look('black-week-and-december')
      const now = new Date()
      const may = now.getMonth() > 4 ? now.getFullYear() : year
      await open(`${company}/reports/${sources.shop}/revenue?grain=day&from=${may}-05-01&to=${may}-05-31`)
      await look('two-days-missing-in-may')
      await open(`${foreignCompany}/reports`)
      await look('coffee-reports')
      await open(`${foreignCompany}/deliveries`)
      await look('coffee-deliveries')
      for (const state of ['refused', 'unreadable']) {
        const answer = await page.request.get(
          at(`/console${foreignCompany}/deliveries?state=${state}&limit=1`),
        )
        const { deliveries } = await answer.json()
        await open(`${foreignCompany}/deliveries/${deliveries[0].artifact_id}`)
        await look(`coffee-${state}`)
      }
    })
  })

  test('what the demo tells of a sole trader has nothing wrong', async () => {
    await walk('demo-sole-trader', 'soleTrader', async ({ page, open, look }) => {
      await open('/companies')
      await page.getByRole('main').getByRole('link', { name: 'Foto Lindqvist' }).first().click()
      await page.getByRole('heading', { level: 1, name: 'Reports' }).waitFor()
      await settle(page)
      await look('reports')
    })
  })

  test('the documents have nothing wrong', async () => {
    await walk('docs', undefined, async ({ page, open, lookInEnglish }) => {
      await lookInEnglish('front', async () => {
        await open('/docs')
        await press(page, 'Run it here')
        await page.getByRole('status').filter({ hasText: '"metric": "revenue"' }).waitFor()
      })
      for (const name of ['start-here', 'concepts', 'webhooks', 'errors']) {
        await lookInEnglish(name, () => open(`/docs/${name}`))
      }
      await lookInEnglish('search', async () => {
        await open('/docs')
        await page.keyboard.press('Control+k')
        await page.keyboard.type('idempotency')
        await page
          .getByRole('link', { name: /idempotency/i })
          .first()
          .waitFor()
      })
      await lookInEnglish('api', async () => {
        await open('/docs/api')
        await page.getByText('Push one delivery').first().waitFor({ state: 'attached' })
      })
    })
  })

  test('what belongs to a member alone has nothing wrong', async () => {
    await walk('own', 'owner', async ({ page, open, look }) => {
      await open('/')
      await look('companies')
      await open('/apps')
      await look('apps')
      await press(page, /^Show calls/)
      await page.getByText('Listed your companies').waitFor()
      await look('apps-calls')
      await press(page, /^End access/)
      await dialogOf(page)
      await look('apps-ending')
      await open('/signatures')
      await look('signatures')
      await open('/sessions')
      await look('sessions')
    })
    await walk('newcomer', 'newcomer', async ({ open, look }) => {
      await open('/')
      await look('companies')
      await open('/apps')
      await look('apps')
      await open('/signatures')
      await look('signatures')
      await open('/sessions')
      await look('sessions')
      await open(scene.invitation)
      await look('invitation')
    })
  })

  test('a company that has nothing yet has nothing wrong', async () => {
    const { emptyCompany } = scene
    await walk('empty', 'owner', async ({ open, look }) => {
      for (const part of opens.owner) {
        await open(`${emptyCompany}/${part}`)
        await look(part)
      }
    })
    await walk('empty-to-a-reader', 'reader', async ({ open, look }) => {
      await open(`${emptyCompany}/reports`)
      await look('reports')
    })
  })

  test('error pages have no faults of their own', async () => {
    const { company, foreignCompany } = scene
    await walk('mishaps', 'developer', async ({ page, context, open, look }) => {
      await open(`${company}/members`)
      await look('role-needed')
      await open(`${foreignCompany}/reports`)
      await look('foreign-company')
      await open(`${company}/no-such-page`)
      await look('unknown-page')
      const reports = '**/console/companies/*/reports*'
      await page.route(reports, (route) =>
        route.fulfill({
          status: 503,
          json: { code: 'unavailable', message: 'Later.' },
          headers: { 'retry-after': '60' },
        }),
      )
      await open(`${company}/reports`)
      await look('service-away')
      await page.unroute(reports)
      await page.route(reports, () => {})
      await page.goto(at(`${company}/reports`))
      await page.getByRole('status').filter({ hasText: 'One moment' }).waitFor({ state: 'attached' })
      await look('loading')
      await page.unroute(reports)
      await open(`${company}/deliveries`)
      await context.setOffline(true)
      await page.getByText('You are offline. What you see').waitFor()
      await look('offline')
      await context.setOffline(false)
      await open(`${company}/connections/new`)
      await page.getByLabel('Name').fill('Solna nightly')
      await context.clearCookies()
      await page.getByRole('checkbox', { name: 'Send' }).check()
      await page.getByLabel('Source', { exact: true }).selectOption('Web shop')
      await press(page, 'Create and sign')
      await dialogOf(page)
      await look('signed-out')
    })
  })
})

/** Follows links from the start, one for each page, and looks at each of them. Gives their names. */
async function followLinks(page: Page, look: (name: string) => Promise<void>): Promise<Set<string>> {
  const { company } = scene
  const waiting = ['/', `${company}/reports`]
  const found = new Set<string>()
  while (waiting.length > 0 && found.size < pagesMax) {
    const address = waiting.shift()!
    const name = nameOf(address)
    if (found.has(name)) continue
    found.add(name)
    await page.goto(at(address))
    await settle(page)
    await look(name)
    const links = await page
      .locator('a[href^="/"]')
      .evaluateAll((all) => all.map((each) => each.getAttribute('href')!))
    // Those of other companies are the same pages.
    const ours = links.filter((each) => !each.startsWith('/companies/') || each.startsWith(company))
    waiting.push(
      ...ours.filter((each) => !/^\/(docs|openapi|assets|oauth)\b/.test(each) && !each.includes('.csv')),
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
  ] as const)(
    'everything opens to %s that the role opens, and nothing else',
    async (_name, role) => {
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
        ['apps', 'companies', ...opens[role], 'sessions', 'signatures'].toSorted(),
      )
      // What there is has been looked at in every way, and a page that is new is missed here.
      if (seen.size > 0) expect([...found].filter((name) => !seen.has(name))).toEqual([])
      for (const part of opens.owner) {
        await page.goto(at(`${scene.company}/${part}`))
        await settle(page)
        const isOpen = (opens[role] as readonly string[]).includes(part)
        expect([part, (await closed.count()) === 0]).toEqual([part, isOpen])
      }
      expect(complaints).toEqual([])
      await context.close()
    },
    120_000,
  )

  test('without a session only signing in is possible', async () => {
    const { context, page, complaints } = await openBrowserAs()
    const company = opens.owner.map((part) => `${scene.company}/${part}`)
    for (const address of ['/', ...company, '/apps', '/signatures', '/sessions', scene.invitation]) {
      await page.goto(at(address))
      await page.getByRole('button', { name: 'Sign in with electronic identity' }).waitFor()
      expect(await page.getByRole('navigation').count()).toBe(0)
    }
    expect(complaints).toEqual([])
    await context.close()
  })
})
