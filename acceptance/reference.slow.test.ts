import { mkdir } from 'node:fs/promises'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, afterEach, expect, test } from 'vitest'
import { type Chromium, startChromium } from './chromium.ts'
import { type PagesScene, people, startPagesScene } from './pages-scene.ts'
import { violations } from './screens.ts'
import { comeSignedIn } from './member-in-browser.ts'

let scene: PagesScene
let chromium: Chromium
beforeAll(async () => {
  ;[scene, chromium] = await Promise.all([startPagesScene(), startChromium()])
})
afterAll(async () => {
  await chromium?.[Symbol.asyncDispose]()
  await scene?.[Symbol.asyncDispose]()
})

test('explore', async () => {
  const out = '/tmp/r1shots'
  await mkdir(out, { recursive: true })
  const context = await chromium.browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' })
  context.setDefaultTimeout(15_000)
  const page = await context.newPage()
  page.on('console', (m) => console.log('CONSOLE', m.type(), m.text().slice(0, 400)))
  page.on('pageerror', (e) => console.log('ERR', String(e)))
  page.on('request', (r) => console.log('REQ', r.method(), r.url().slice(0, 150)))
  await page.setViewportSize({ width: 1280, height: 900 })
  for (let i = 0; i < 2; i++) {
    const t = performance.now()
    await page.goto(`${scene.url}/docs/api`)
    await page.getByRole('button', { name: /Test Request/ }).first().waitFor()
    console.log('READY', performance.now() - t)
  }
  await page.waitForTimeout(1500)
  await page.screenshot({ path: `${out}/desktop-light.png` })
  console.log('AXE', (await violations(page)).map((v) => v.slice(0, 1500)).join('\n'))
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await page.waitForTimeout(500)
  await page.screenshot({ path: `${out}/desktop-dark.png` })
  console.log('AXEDARK', (await violations(page)).map((v) => v.slice(0, 1500)).join('\n'))
  await page.setViewportSize({ width: 390, height: 844 })
  await page.waitForTimeout(500)
  await page.screenshot({ path: `${out}/phone-dark.png` })
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.waitForTimeout(300)
  await page.screenshot({ path: `${out}/phone-light.png` })
  console.log('AXEPHONE', (await violations(page)).map((v) => v.slice(0, 1500)).join('\n'))
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.waitForTimeout(300)
  const { writeFile } = await import('node:fs/promises')
  await writeFile(`${out}/dom.html`, await page.content())
  await page.getByRole('button', { name: /Test Request.*samples\)?$/i }).first().click().catch(async () => page.getByRole('button', { name: /Test Request/ }).first().click())
  await page.waitForTimeout(800)
  await page.screenshot({ path: `${out}/try.png` })
  await writeFile(`${out}/try.html`, await page.content())
  console.log('AXETRY', (await violations(page)).map((v) => v.slice(0, 1500)).join('\n'))
}, 120_000)
