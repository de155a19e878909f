import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import type { CDPSession, Page } from 'playwright-core'

export const sizes = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } }

/** Each size in light and dark and in each language, and each of these in both others. */
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

/** Pictures are for people to look at; they are taken where they are asked for. */
export const takesPictures = process.env['NUMERA_PICTURES'] === 'yes'

const folder = fileURLToPath(new URL('screenshots', import.meta.url))

/** Without pictures a page is looked at in one way, and the next one in the next: all together are seen in all ways. */
let looked = 0
const looksNow = (): readonly Look[] => (takesPictures ? looks : [looks[looked++ % looks.length]!])

const axe = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** All that axe-core finds wrong. */
export const findings = async (page: Page): Promise<AxeResults['violations']> => {
  // Evaluated, not added to the page, whose content policy would refuse it.
  await page.evaluate(axe)
  const found = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  )
  return found.violations
}

/** What of it is serious: contrast, names, roles, order. */
export const violations = async (page: Page): Promise<string[]> => {
  return (await findings(page))
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)
}

/** Whether something reaches over the edge of the screen, so that one would have to scroll sideways. */
export const isTooWide = (page: Page): Promise<boolean> =>
  page.locator('html').evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)

/**
 * Waits until the browser shows what was changed: a frame, and one more of the same size. A page's own
 * `requestAnimationFrame` would not do, since a test's clock stands in for it.
 */
export const painted = async (page: Page): Promise<void> => {
  const html = await page.$('html')
  await html!.waitForElementState('stable')
}

/** Pages of ours have a switch, the service's own a link; what has neither is in the browser's language. */
export const speak = async (page: Page, language: string): Promise<void> => {
  const name = language === 'sv' ? 'Svenska' : 'English'
  const link = page.getByRole('link', { name, exact: true })
  if ((await link.count()) > 0) return link.click()
  if ((await page.locator('html').getAttribute('lang')) === language) return
  if ((await page.locator('#root').count()) === 0) return
  // A narrow screen has it in the menu: it is there a moment after the page is wide.
  await page.setViewportSize(sizes.desktop)
  // An open dialog lies over it.
  await page.getByRole('button', { name, exact: true, includeHidden: true }).dispatchEvent('click')
  await page.locator(`html[lang="${language}"]`).waitFor({ state: 'attached' })
}

/** Shows a page in one of the ways that people see it. */
export const show = async (page: Page, { language, scheme, size }: Look): Promise<void> => {
  await speak(page, language)
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
  await page.setViewportSize(sizes[size])
  await painted(page)
}

/** As tests find it: in English, light, on a desktop. */
export const showAsUsual = (page: Page): Promise<void> => show(page, looks[0])

/** Kept as long as its page: ending one ends what is emulated there, such as a lost network. */
const sessions = new WeakMap<Page, CDPSession>()
const devTools = async (page: Page): Promise<CDPSession> => {
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page))
  sessions.set(page, session)
  return session
}

const pictureQuality = 36
/** On a wide screen, text can be read at three quarters. */
const wideScale = 0.75
/** What is below is more of the same. */
const screensMax = 2

/**
 * Takes a page as it looks now, from its top to its end; what lies over it is taken as it is seen at once.
 *
 * @param path ends in `.webp`, in which text on a flat ground takes a third of what PNG does
 * @param options.screens at most so many
 * @param options.isFull each point of the screen is one of the picture
 */
export const takePicture = async (
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
    // On a busy machine the browser may refuse a picture that it takes a moment later.
    if (!(error as Error).message.includes('Unable to capture screenshot')) throw error
    await painted(page)
    return capture()
  })
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, Buffer.from(data, 'base64'))
}

/**
 * Looks over what a page shows now: in one of the ways that people see it, or, where pictures are asked for, on a desktop and on
 * a phone, light and dark, in each language, and takes these. Gives what is wrong: what keeps people out, and what does not
 * fit.
 */
export const lookOver = async (page: Page, name: string): Promise<string[]> => {
  const wrong: string[] = []
  for (const look of looksNow()) {
    await show(page, look)
    const { language, scheme, size } = look
    const picture = `${name}-${size}-${scheme}-${language}`
    if (takesPictures) await takePicture(page, `${folder}/${picture}.webp`)
    if (await isTooWide(page)) wrong.push(`${picture}: too wide`)
    // Of pictures those of a phone will do: light and dark, once each.
    if (!takesPictures || size === 'phone')
      wrong.push(...(await violations(page)).map((found) => `${picture}: ${found}`))
  }
  await showAsUsual(page)
  return wrong
}
