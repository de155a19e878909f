import { glob, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import {
  type OpenedPage,
  type OpenOptions,
  origin,
  startBrowserForTests,
} from '../../testing/browser/browser-for-tests.ts'
import { findings, isTooWide, violations } from '../../testing/browser/screens.ts'
import { documentHeaders } from '../../src/platform/web-app/page-headers.ts'

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
}

const files = new Map<string, Buffer>()
beforeAll(async () => {
  const built = join(import.meta.dirname, '..', 'dist', 'docs')
  for await (const name of glob('**/*.{html,js,css,svg,json}', { cwd: built })) {
    files.set(`/docs/${name}`, await readFile(join(built, name)))
  }
})

const openPage = startBrowserForTests()

interface OpenedDocument extends OpenedPage {
  /** The paths that the browser requested. */
  requested: string[]
}

/** Opens a path of the built documents. Requests for anything else fail the test. */
async function open(path: string, options: OpenOptions = {}): Promise<OpenedDocument> {
  const requested: string[] = []
  const opened = await openPage(
    path,
    async (route, { href, origin: from, pathname }) => {
      requested.push(from === origin ? pathname : `${from}${pathname}`)
      const name = [pathname, `${pathname}.html`, `${pathname}/index.html`].find((each) => files.has(each))
      if (from !== origin || name === undefined) {
        await route.fulfill({ status: 404, body: 'Nowhere' })
        // The service answers this only on a demo.
        if (from === origin && pathname === '/docs/demo') return
        throw new Error(`There is no document at ${href}.`)
      }
      return route.fulfill({
        headers: { ...documentHeaders(origin), 'content-type': contentTypes[extname(name)]! },
        body: files.get(name)!,
      })
    },
    options,
  )
  return { ...opened, requested }
}

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true }

test('On a phone in dark mode, a table needs no horizontal scrolling, and search leads to a heading by keyboard', async () => {
  const { page, requested } = await open('/docs/errors', { ...phone, colorScheme: 'dark' })
  expect(await violations(page)).toEqual([])
  expect(await isTooWide(page)).toBe(false)
  expect(requested.filter((path) => path.endsWith('.json'))).toEqual([])

  await page.keyboard.press('/')
  const field = page.getByRole('searchbox', { name: 'Search the documentation' })
  await page.keyboard.type('signing secret')
  await page
    .getByRole('status')
    .getByText(/found. Enter opens/)
    .waitFor({ state: 'attached' })
  expect(requested.filter((path) => path.endsWith('.json'))).toHaveLength(1)
  expect(await isTooWide(page)).toBe(false)
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  expect(await field.evaluate((input) => input.matches(':focus'))).toBe(true)

  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'hidden' })
  await page.keyboard.press('Control+k')
  await field.waitFor()
  await page.keyboard.type('configuration')
  await page
    .getByRole('link', { name: /Configuration/ })
    .first()
    .waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/docs\/configuration/)
})

test.each([
  ['/docs', 'docker', '/docs/operating#docker-and-kubernetes'],
  ['/docs', 'kubernetes', '/docs/operating#docker-and-kubernetes'],
  ['/docs', 'timezone', '/docs/concepts#metric-period-cell'],
  ['/docs', 'retry', '/docs/push#send-again-until-it-is-taken'],
  ['/docs', 'webhook secret', '/docs/webhooks#create-the-source'],
  ['/docs/sv', 'docker', '/docs/operating#docker-and-kubernetes'],
  ['/docs/sv', 'kubernetes', '/docs/operating#docker-and-kubernetes'],
  ['/docs/sv', 'timezone', '/docs/sv/concepts#mått-period-cell'],
  ['/docs/sv', 'tidszon', '/docs/sv/concepts#mått-period-cell'],
  ['/docs/sv', 'retry', '/docs/push#send-again-until-it-is-taken'],
  ['/docs/sv', 'försök igen', '/docs/push#send-again-until-it-is-taken'],
  ['/docs/sv', 'webhook secret', '/docs/webhooks#create-the-source'],
  ['/docs/sv', 'webhook-hemlighet', '/docs/webhooks#create-the-source'],
])('At %s, a search for "%s" finds its page first', async (from, sought, found) => {
  const { page } = await open(from)
  await page.keyboard.press('/')
  await page.keyboard.type(sought)
  await page.locator(`li:first-child > a.result[href="${encodeURI(found)}"]`).waitFor()
})

test('A wide page lists all pages and its own headings, and the chosen colours apply everywhere', async () => {
  const { page } = await open('/docs', { colorScheme: 'light' })
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Colours: system' }).click()
  await page.getByRole('button', { name: 'Colours: light' }).click()
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Configuration' }).click()
  await page.getByRole('button', { name: 'Colours: dark' }).waitFor()
  expect(await page.locator('html').getAttribute('data-colours')).toBe('dark')
  const contents = page.getByRole('navigation', { name: 'On this page' })
  const heading = contents.getByRole('link').first()
  await heading.click()
  const name = (await heading.textContent())!
  await expect.poll(() => heading.getAttribute('aria-current')).toBe('true')
  expect(await page.getByRole('heading', { name, exact: true }).isVisible()).toBe(true)
  expect(await violations(page)).toEqual([])
})

test('Without scripts, every page is readable and the menu of a phone opens', async () => {
  const { page } = await open('/docs', { ...phone, javaScriptEnabled: false })
  expect(await page.getByRole('button', { name: 'Search' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Errors' }).click()
  await page.getByRole('heading', { level: 1, name: 'Errors' }).waitFor()
})

test('Code blocks of a guide name the service that serves it, in every language', async () => {
  for (const path of ['/docs/start-here', '/docs/apps', '/docs/sv/start-here']) {
    const { page } = await open(path)
    const block = page.locator('figure.code').filter({ hasText: 'export NUMERA=' }).locator('code')
    await expect.poll(() => block.textContent()).toContain(`export NUMERA=${origin}`)
    expect(await page.locator('figure.code').filter({ hasText: 'localhost:8080' }).count()).toBe(0)
  }
})

const screens = [
  ['a desktop', { viewport: { width: 1280, height: 900 } }],
  ['a phone', phone],
] as const

test.each(screens)(
  'On %s, no page has content outside landmarks, and the layout does not shift',
  async (_name, options) => {
    const wrong: string[] = []
    for (const name of ['', '/index.demo', '/sv', '/errors', '/push', '/webhooks', '/404']) {
      const { page, moved } = await open(`/docs${name}`, options)
      await page.waitForLoadState('networkidle')
      const outside = (await findings(page)).filter(({ id }) => id === 'region')
      wrong.push(...outside.flatMap(({ nodes }) => nodes.map(({ html }) => `${name}: ${html}`)))
      wrong.push(...(await moved()).map((text) => `${name} moved: ${text}`))
    }
    expect(wrong).toEqual([])
  },
)
