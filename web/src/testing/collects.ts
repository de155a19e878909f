import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

export interface Collects {
  /** The times, by the page's clock, at which the page polled its order. */
  polledAtMs: number[]
  /** Settles with the latest response. */
  answered: Promise<unknown>
}

declare global {
  var collects: Collects | undefined
}

/** In the page: records each poll of an order from now on. */
function recordCollects(): void {
  const send = globalThis.fetch
  const collects: Collects = { polledAtMs: [], answered: Promise.resolve() }
  globalThis.collects = collects
  globalThis.fetch = (input, init) => {
    const sent = send(input, init)
    if (String(input).endsWith('/collect')) {
      collects.polledAtMs.push(Date.now())
      collects.answered = sent.then((response) => response.clone().text())
    }
    return sent
  }
}

/** In the page: the times so far, once it has processed the latest response. Its clock is paused. */
async function collectsSoFar(): Promise<number[]> {
  await globalThis.collects!.answered
  for (let turn = 0; turn < 5; turn++) {
    await new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel()
      port1.addEventListener('message', resolve)
      port1.start()
      port2.postMessage(null)
    })
  }
  return globalThis.collects!.polledAtMs
}

const stepMs = 100

/** Moves the page's clock from poll to poll, waiting for each response, until there were four. */
export async function expectCollectsEvery(page: Page, intervalMs: number, start: Locator): Promise<void> {
  await start.waitFor()
  await page.evaluate(recordCollects)
  await page.clock.pauseAt('2026-11-20T10:01:00Z')
  await start.click()
  await expect
    .poll(() => page.evaluate(() => globalThis.collects?.polledAtMs.length), { timeout: 10_000 })
    .toBe(1)
  let polledAtMs = await page.evaluate(collectsSoFar)
  while (polledAtMs.length < 4) {
    // Too soon for the next one, then in small steps.
    const { length } = polledAtMs
    await page.clock.runFor(intervalMs - stepMs)
    while (polledAtMs.length === length) {
      await page.clock.runFor(stepMs)
      polledAtMs = await page.evaluate(collectsSoFar)
    }
  }
  for (const [index, moment] of polledAtMs.slice(1).entries()) {
    expect(Math.abs(moment - polledAtMs[index]! - intervalMs)).toBeLessThanOrEqual(stepMs)
  }
}
