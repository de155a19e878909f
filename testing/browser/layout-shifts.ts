import type { Page } from 'playwright-core'

/** Sums up layout shifts from the beginning of each page (Layout Instability API). */
export const watchShifts = (page: Page): Promise<unknown> =>
  page.addInitScript(`
    globalThis.shift = 0
    new PerformanceObserver((list) => {
      for (const { value } of list.getEntries()) shift += value
    }).observe({ type: 'layout-shift', buffered: true })`)

export const readShifts = (page: Page): Promise<number> => page.evaluate('shift')
