import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import type { CDPSession, Page } from 'playwright-core'

export const sizes = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } }

/** Four looks in which every two of the settings are combined. */
export const looks = [
  { language: 'en', scheme: 'light', size: 'desktop' },
  { language: 'en', scheme: 'dark', size: 'phone' },
  { language: 'sv', scheme: 'dark', size: 'desktop' },
  { language: 'sv', scheme: 'light', size: 'phone' },
] as const satisfies Look[]
export interface Look {
  language: 'en' | 'sv'
  scheme: 'light' | 'dark'
  size: keyof typeof sizes
}

/** Pictures are for people to look at, and taken only on request. */
export const savesPictures = process.env['NUMERA_PICTURES'] === 'yes'

/** Ignored by git: `npm run screens` takes the pictures. */
export const screensFolder = fileURLToPath(new URL('../../screens', import.meta.url))

/** `npm run test:full` sets it. Otherwise each page is checked in one look, and the next page in the next look. */
const isInAllLooks = savesPictures || process.env['NUMERA_LOOKS'] === 'all'
let looked = 0
const looksNow = (): readonly Look[] => (isInAllLooks ? looks : [looks[looked++ % looks.length]!])

const axe = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** The findings of axe-core. */
export const findings = async (page: Page): Promise<AxeResults['violations']> => {
  // The content policy would refuse a script element.
  await page.evaluate(axe)
  const found = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  )
  return found.violations
}

/** The serious findings: contrast, names, roles, order. */
export const violations = async (page: Page): Promise<string[]> => {
  return (await findings(page))
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)
}

/** Whether the page scrolls sideways. */
export const isTooWide = (page: Page): Promise<boolean> =>
  page.locator('html').evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)

/** A browser without a graphics card paints by the processor, which may be busy. */
const paintedMsMax = 60_000

/**
 * Waits until the browser has painted a change, for two frames of the same size. The page's `requestAnimationFrame` may be
 * stopped by a test clock.
 */
export const painted = async (page: Page): Promise<void> => {
  const html = await page.$('html')
  await html!.waitForElementState('stable', { timeout: paintedMsMax })
}

/** Changes the language: the company's pages have a switch, those of the service a link. Others follow the browser. */
export const speak = async (page: Page, language: string): Promise<void> => {
  const name = language === 'sv' ? 'Svenska' : 'English'
  const link = page.getByRole('link', { name, exact: true })
  if ((await link.count()) > 0) return link.click()
  if ((await page.locator('html').getAttribute('lang')) === language) return
  if ((await page.locator('#root').count()) === 0) return
  // On a narrow screen, the switch is in a menu.
  await page.setViewportSize(sizes.desktop)
  // A dialog may cover it.
  await page.getByRole('button', { name, exact: true, includeHidden: true }).dispatchEvent('click')
  await page.locator(`html[lang="${language}"]`).waitFor({ state: 'attached' })
}

/** Shows a page in one look. */
export const show = async (page: Page, { language, scheme, size }: Look): Promise<void> => {
  await speak(page, language)
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
  await page.setViewportSize(sizes[size])
  await painted(page)
}

/** Shows a page as it was opened: in English, light, on a desktop. */
export const showAsUsual = (page: Page): Promise<void> => show(page, looks[0])

/** Kept as long as the page: closing a session would end what it emulates, such as a lost network. */
const sessions = new WeakMap<Page, CDPSession>()
const devTools = async (page: Page): Promise<CDPSession> => {
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page))
  sessions.set(page, session)
  return session
}

const pictureQuality = 36
/** Text on a wide screen is readable at three quarters. */
const wideScale = 0.75
/** Further down there is more of the same. */
const screensMax = 2

/**
 * Takes a picture of a page from its top down, or of the visible part if a dialog is open.
 *
 * @param path ends in `.webp`, a third of the size of PNG for text on a flat background
 * @param options.screens the number of screens at most
 * @param options.isFull in full resolution and double quality
 */
export const savePicture = async (
  page: Page,
  path: string,
  { screens = screensMax, isFull = false }: { screens?: number; isFull?: boolean } = {},
): Promise<void> => {
  const { width, height } = page.viewportSize()!
  const isCovered = await page.getByRole('dialog').first().isVisible()
  const html = page.locator('html')
  if (!isCovered) {
    await html.evaluate((element) => element.scrollTo(0, 0))
    await painted(page)
  }
  const [top, whole] = await html.evaluate(
    ({ scrollTop, scrollHeight }) => [scrollTop, scrollHeight] as const,
  )
  const seen = isCovered ? height : Math.min(whole, screens * height)
  const session = await devTools(page)
  const capture = () =>
    session.send('Page.captureScreenshot', {
      format: 'webp',
      quality: isFull ? 2 * pictureQuality : pictureQuality,
      captureBeyondViewport: seen > height,
      clip: {
        x: 0,
        y: top,
        width,
        height: Math.max(seen, height),
        scale: isFull || width < sizes.desktop.width ? 1 : wideScale,
      },
    })
  const { data } = await capture().catch(async (error: unknown) => {
    // On a busy machine, the browser may fail the first time.
    if (!(error as Error).message.includes('Unable to capture screenshot')) throw error
    await painted(page)
    return capture()
  })
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, Buffer.from(data, 'base64'))
}

/**
 * Checks what a page shows now, in one look or in all. Gives the serious findings of axe-core, and what is too wide.
 */
export const lookOver = async (page: Page, name: string): Promise<string[]> => {
  const wrong: string[] = []
  for (const look of looksNow()) {
    await show(page, look)
    const { language, scheme, size } = look
    const picture = `${name}-${size}-${scheme}-${language}`
    if (savesPictures) await savePicture(page, `${screensFolder}/states/${picture}.webp`)
    if (await isTooWide(page)) wrong.push(`${picture}: too wide`)
    // In all looks, the two on a phone suffice: light and dark.
    if (!isInAllLooks || size === 'phone')
      wrong.push(...(await violations(page)).map((found) => `${picture}: ${found}`))
  }
  await showAsUsual(page)
  return wrong
}
