import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import { shareBrowser } from '../../testing/browser/chromium.ts'
import { comeSignedIn } from '../../testing/browser/member-in-browser.ts'
import { openContext } from '../../testing/browser/open-context.ts'
import { type PagesScene, people, type Role, startPagesScene } from '../../testing/browser/pages-scene.ts'
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
} from '../../testing/browser/screens.ts'

const readmePictures = fileURLToPath(new URL('../../docs/images', import.meta.url))

/** What a role opens of a company, by the first part of the address there. */
export const opens = {
  owner: ['reports', 'attention', 'sources', 'connections', 'deliveries', 'members'],
  developer: ['reports', 'attention', 'sources', 'connections', 'deliveries'],
  reader: ['reports', 'attention'],
} as const satisfies Partial<Record<Role, readonly string[]>>

/** In addition to those of the pictures. */
const widths = [320, 768, 2_560]

let started: PagesScene
let browser: Browser

/** Starts what all walks use. */
export async function startPages(): Promise<void> {
  ;[started, browser] = await Promise.all([startPagesScene(), shareBrowser()])
}

export const scene = (): PagesScene => started

export const at = (path: string): string => new URL(path, scene().url).href

/** A browser with a session, without the sign-in page; without a session if no role is given. */
export async function openBrowserAs(
  role?: Role,
): Promise<{ context: BrowserContext; page: Page; complaints: string[] }> {
  const { context, complaints } = await openContext(browser, { viewport: sizes.desktop })
  context.setDefaultTimeout(30_000)
  if (role !== undefined) await comeSignedIn(context, scene().url, people[role])
  return { context, page: await context.newPage(), complaints }
}

/** Waits until a page has its heading and nothing on it is loading. */
export async function settle(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  const loading = page.getByRole('status').filter({ hasText: /^(One moment|Ett ögonblick)/ })
  await expect.poll(() => loading.count(), { timeout: 20_000 }).toBe(0)
  await painted(page)
}

const id = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g

/** Names the page of an address, such as `sources-one-metrics`, without ids, keys of metrics and most of the query. */
export function toPageName(address: string): string {
  const { pathname, searchParams } = new URL(address, scene().url)
  const parts = pathname
    .replace(/^\/companies\/[^/]+(?=\/)/, '')
    .replaceAll(id, 'one')
    .split('/')
    .filter(Boolean)
  if (parts[0] === 'reports' && parts.length > 2) parts[2] = 'metric'
  const part = searchParams.get('tab') ?? searchParams.get('part')
  return [...parts, ...(part === null ? [] : [part])].join('-') || 'companies'
}

/** The pages that were looked at in all ways, by {@link toPageName}. */
export const seen = new Set<string>()

/** A visit of several pages, each looked at in every way. */
interface Walk {
  context: BrowserContext
  page: Page
  /** Opens an address and waits until it is there. */
  open: (path: string) => Promise<void>
  /** Looks at what the page shows now. */
  look: (name: string) => Promise<void>
  /** Opens a page that is only in English, and looks at it: light on a desktop, dark on a phone. */
  lookInEnglish: (name: string, reveal: () => Promise<unknown>) => Promise<void>
  /** Takes a picture for the README: in English, light and dark, on a desktop or `width` px wide. */
  takeForReadme: (name: string, width?: number) => Promise<void>
  /** Looks at what only a phone has, which `reveal` opens and Escape closes. */
  lookOnPhone: (name: string, reveal: () => Promise<unknown>) => Promise<void>
}

/** Fails at its end with all that was wrong. */
export async function walk(
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
      seen.add(toPageName(page.url()))
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

export const press = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('button', { name }).first().click()

export const waitForDialog = (page: Page) => page.getByRole('dialog').first().waitFor()
