import type { Page } from 'playwright-core'
import { decodeQR } from 'qr/decode.js'
import { describe, expect, test } from 'vitest'
import { lookOver } from '../../../testing/browser/screens.ts'
import {
  code,
  type Collected,
  collectSignIn,
  eventually,
  facts,
  pending,
  signingIn,
  type SignInProgress,
  start,
  toCode,
  toThis,
  unanswered,
  waiting,
} from '../testing/bankid-scene.ts'
import { unreachable } from '../testing/replies.ts'
import { startPages } from '../testing/start-pages.ts'

const open = startPages()

/** Reads the code from a screenshot, as a camera would. */
async function scan(page: Page): Promise<string | undefined> {
  const picture = await code(page).screenshot()
  const { width, height, data } = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    const bitmap = await createImageBitmap(new Blob([bytes]))
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!
    context.drawImage(bitmap, 0, 0)
    const { width, height, data } = context.getImageData(0, 0, bitmap.width, bitmap.height)
    return { width, height, data: Array.from(data.filter((_value, index) => index % 4 === 0)) }
  }, picture.toString('base64'))
  const grey = Uint8Array.from({ length: width * height * 4 }, (_value, index) => data[index >> 2]!)
  try {
    return decodeQR({ width, height, data: grey })
  } catch {
    return undefined
  }
}

/** Decodes the code from its modules. */
async function read(page: Page): Promise<string | undefined> {
  const scale = 3
  const shown = code(page)
  const size = Number((await shown.getAttribute('viewBox'))!.split(' ')[2])
  const path = (await shown.locator('path').getAttribute('d'))!
  const width = size * scale
  const data = new Uint8Array(width * width * 4).fill(255)
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)/g)) {
    for (let line = 0; line < scale; line++) {
      const from = ((Number(y) * scale + line) * width + Number(x) * scale) * 4
      data.fill(0, from, from + Number(length) * scale * 4)
    }
  }
  return decodeQR({ width, height: width, data })
}

describe('The QR code', () => {
  test('follows the service every second, is light in dark mode, and is silent for screen readers', async () => {
    let second = 0
    const { page } = await open(
      '/sign-in',
      signingIn(() => pending('outstandingTransaction', { qr_text: toCode(second) })),
      { facts, colorScheme: 'dark' },
    )
    await start(page).click()
    await code(page).waitFor()
    await eventually(() => scan(page)).toBe(toCode(0))
    expect(await code(page).evaluate((svg) => getComputedStyle(svg).backgroundColor)).toBe(
      'rgb(255, 255, 255)',
    )
    await page.evaluate(() => {
      const changes: string[] = []
      Object.assign(globalThis, { changes })
      const watched = { subtree: true, childList: true, characterData: true, attributes: true }
      for (const region of document.querySelectorAll('[role="status"], [role="alert"], [aria-live]')) {
        new MutationObserver(() => changes.push(region.textContent!)).observe(region, watched)
      }
    })
    for (second = 1; second <= 4; second++) {
      await page.clock.runFor(1_000)
      await eventually(() => read(page)).toBe(toCode(second))
    }
    expect(await page.evaluate(() => (globalThis as unknown as { changes: string[] }).changes)).toEqual([])
  })

  test('disappears once it is scanned, and the next step is announced once', async () => {
    let answer: SignInProgress = waiting()
    const { page } = await open(
      '/sign-in',
      signingIn(() => answer),
      { facts },
    )
    await start(page).click()
    await code(page).waitFor()
    expect(await lookOver(page, 'bankid-qr')).toEqual([])
    answer = { state: 'pending', hint: 'userSign', presentation: {} }
    await page.clock.runFor(2_000)
    await code(page).waitFor({ state: 'detached' })
    await page.getByText('Enter your security code').waitFor()
    expect(await toThis(page).count()).toBe(0)
    expect(await lookOver(page, 'bankid-in-app')).toEqual([])
  })

  test('is hidden while offline, and returns afterwards', async () => {
    let reply: () => SignInProgress | Response = waiting
    const { page } = await open(
      '/sign-in',
      signingIn(() => reply()),
      { facts },
    )
    await start(page).click()
    await code(page).waitFor()
    reply = unreachable
    await page.clock.runFor(2_000)
    await page.getByRole('alert').getByText('The service cannot be reached').waitFor()
    await code(page).waitFor({ state: 'detached' })
    reply = () => pending('outstandingTransaction', { qr_text: toCode(7) })
    await page.clock.runFor(2_000)
    await eventually(() => page.getByRole('alert').count()).toBe(0)
    await eventually(() => read(page)).toBe(toCode(7))
  })

  test('is hidden after some seconds without a response, and returns with the next one', async () => {
    let reply: () => Collected = waiting
    const { page, sentTo } = await open(
      '/sign-in',
      signingIn(() => reply()),
      { facts },
    )
    await start(page).click()
    await code(page).waitFor()
    const pollsBefore = sentTo(collectSignIn).length
    reply = unanswered
    await page.clock.runFor(2_000)
    await eventually(() => sentTo(collectSignIn).length).toBeGreaterThan(pollsBefore)
    await page.clock.runFor(8_000)
    await page.getByRole('alert').getByText('The service cannot be reached').waitFor()
    await code(page).waitFor({ state: 'detached' })
    reply = () => pending('outstandingTransaction', { qr_text: toCode(18) })
    // The next one may be hanging already.
    await page.clock.runFor(10_000)
    await eventually(() => read(page)).toBe(toCode(18))
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('does not return to its first second while offline, which is announced once', async () => {
    const { page, sentTo } = await open('/sign-in', signingIn(unreachable), { facts })
    await start(page).click()
    await page.getByRole('alert').getByText('The service cannot be reached').waitFor()
    await page.evaluate(() => {
      const came: string[] = []
      Object.assign(globalThis, { came })
      new MutationObserver((changes) => {
        for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
          came.push(node instanceof Element ? node.outerHTML.slice(0, 200) : node.textContent!)
        }
      }).observe(document.querySelector('main')!, { subtree: true, childList: true })
    })
    for (let time = 1; time <= 4; time++) {
      const pollsBefore = sentTo(collectSignIn).length
      await page.clock.runFor(2_000)
      await eventually(() => sentTo(collectSignIn).length).toBeGreaterThan(pollsBefore)
    }
    expect(await page.evaluate(() => (globalThis as unknown as { came: string[] }).came)).toEqual([])
  })

  test('whose script fails to load leaves the app as an option, and says so', async () => {
    const { page, complaints } = await open('/sign-in', signingIn(waiting), { facts })
    await page.route('**/qr-code*.js', (route) => route.abort())
    await start(page).click()
    await page.getByText('Reload the page').waitFor()
    await toThis(page).waitFor()
    // The browser's own console error is expected.
    complaints.length = 0
  })
})
