import type { Page } from 'playwright-core'

/** The accessible name of the focused element. */
export function getFocusedName(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement as HTMLElement
    const { labels } = element as HTMLInputElement
    const labelledBy = document.getElementById(element.getAttribute('aria-labelledby') ?? '')
    const legend = element.querySelector(':scope > legend') as HTMLElement | null
    const text = [
      element.getAttribute('aria-label'),
      labelledBy?.innerText,
      labels?.[0]?.innerText,
      legend?.innerText,
      element === document.body ? 'nothing' : element.innerText,
    ].find((each) => each !== undefined && each !== null && each !== '')
    return (text ?? '')
      .replaceAll(/[\u2068\u2069]/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim()
  })
}

export function asPattern(name: string | RegExp): RegExp {
  return typeof name === 'string' ? new RegExp(`^${RegExp.escape(name)}$`) : name
}

/** More than any two consecutive controls are apart. */
const tabsMax = 40

/** Presses Tab until an element has the focus. Returns what had it on the way. */
export async function tabToName(page: Page, name: string | RegExp): Promise<string[]> {
  const passed: string[] = []
  for (let presses = 0; presses < tabsMax; presses++) {
    await page.keyboard.press('Tab')
    const now = await getFocusedName(page)
    if (asPattern(name).test(now)) return passed
    passed.push(now)
  }
  throw new Error(`Tab does not come to ${String(name)}, but to ${passed.join(' | ')}`)
}
