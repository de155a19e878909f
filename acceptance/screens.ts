import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

export const sizes = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } }

/** Each size in light and dark and in each language, and each of these in both others. */
export const looks = [
  { language: 'en', scheme: 'light', size: 'desktop' },
  { language: 'en', scheme: 'dark', size: 'phone' },
  { language: 'sv', scheme: 'dark', size: 'desktop' },
  { language: 'sv', scheme: 'light', size: 'phone' },
] as const

/** Where the pictures go, for people to look at: where they are asked for, since they take a third of the time. */
const folder =
  process.env['NUMERA_PICTURES'] === 'yes'
    ? fileURLToPath(new URL('screenshots', import.meta.url))
    : undefined

/** Without pictures a page is looked at in one way, and the next one in the next: all together are seen in all ways. */
let looked = 0
const looksNow = (): readonly (typeof looks)[number][] =>
  folder === undefined ? [looks[looked++ % looks.length]!] : looks

const axe = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** What axe-core finds wrong that is serious: contrast, names, roles, order. */
export const violations = async (page: Page): Promise<string[]> => {
  // Evaluated, not added to the page, whose content policy would refuse it.
  await page.evaluate(axe)
  const found = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  )
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)
}

/** Whether something reaches over the edge of the screen, so that one would have to scroll sideways. */
export const isTooWide = (page: Page): Promise<boolean> =>
  page.locator('html').evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)

/** Waits until the browser shows what was changed. */
export const painted = (page: Page): Promise<unknown> =>
  page.evaluate(
    'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(null))))',
  )

/** Pages of ours have a switch; the service's own are in the browser's language. */
export const speak = async (page: Page, language: string): Promise<void> => {
  if ((await page.locator('html').getAttribute('lang')) === language) return
  // A narrow screen has it in the menu.
  await page.setViewportSize(sizes.desktop)
  await painted(page)
  const button = page.getByRole('button', { name: language === 'sv' ? 'Svenska' : 'English', exact: true })
  // An open dialog lies over it.
  if ((await button.count()) > 0) await button.dispatchEvent('click')
}

/**
 * Looks over what a page shows now: in one of the ways that people see it, or, where pictures are asked for, on a desktop and on
 * a phone, light and dark, in each language, and takes these. Gives what is wrong: what keeps people out, and what does not
 * fit.
 */
export const lookOver = async (page: Page, name: string): Promise<string[]> => {
  const wrong: string[] = []
  for (const { language, scheme, size } of looksNow()) {
    await speak(page, language)
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    await page.setViewportSize(sizes[size])
    await painted(page)
    const picture = `${name}-${size}-${scheme}-${language}`
    // A dialog lies over what is seen at once.
    const fullPage = !(await page.getByRole('dialog').isVisible())
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${picture}.png`, fullPage })
    if (await isTooWide(page)) wrong.push(`${picture}: too wide`)
    // Of pictures those of a phone will do: light and dark, once each.
    if (folder === undefined || size === 'phone')
      wrong.push(...(await violations(page)).map((found) => `${picture}: ${found}`))
  }
  await speak(page, 'en')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(sizes.desktop)
  return wrong
}
