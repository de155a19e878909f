import { fileURLToPath } from 'node:url'
import type { BrowserContext } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Chromium, startChromium } from './chromium.ts'
import { comeSignedIn, identify } from './member-in-browser.ts'
import { type PagesScene, people, startPagesScene } from './pages-scene.ts'
import { openReference, type ReferencePage } from './reference-page.ts'
import { isTooWide, painted, show, takePicture, takesPictures, violations } from './screens.ts'

const pictures = fileURLToPath(new URL('screenshots', import.meta.url))

let scene: PagesScene
let chromium: Chromium
let context: BrowserContext
let reference: ReferencePage
let complaints: string[]
beforeAll(async () => {
  ;[scene, chromium] = await Promise.all([startPagesScene(), startChromium()])
})
afterAll(async () => {
  await chromium?.[Symbol.asyncDispose]()
  await scene?.[Symbol.asyncDispose]()
})
beforeEach(async () => {
  complaints = []
  context = await chromium.browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' })
  context.setDefaultTimeout(20_000)
  context.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      complaints.push(message.text())
    }
  })
  context.on('weberror', (error) => complaints.push(String(error.error())))
  reference = await openReference(context, scene.url)
})
afterEach(async () => {
  await context.close()
  // Nothing was blocked, missing or thrown; no other host was asked, and the session of the pages was left alone.
  expect(complaints).toEqual([])
  expect(reference.elsewhere).toEqual([])
  expect(reference.ofSession).toEqual([])
})

const readSamples = { title: "Read the source's samples", path: '/v1/samples' }
const push = { title: 'Push one delivery', path: '/v1/ingest' }

test('a call is tried with the demo credential, which is filled in and marked as coming from the reference', async () => {
  await reference.open()
  const { status, body, headers } = await reference.send(readSamples)
  expect(status).toBe(200)
  expect((body['samples'] as unknown[]).length).toBeGreaterThan(0)
  expect(headers['x-numera-reference']).toBe('1')
  expect(headers['authorization']).toMatch(/^Bearer nsk_demo/)
})

test('samples are shown in curl, JavaScript, Python, PHP and C#, and in nothing else', async () => {
  const { page } = reference
  await reference.open()
  await page.locator('.client-libraries-more').last().click()
  const options = page.getByRole('option')
  await options.first().waitFor()
  expect((await options.allTextContents()).map((text) => text.trim()).toSorted()).toEqual([
    'Curl',
    'Fetch',
    'HttpClient',
    'Requests',
    'cURL',
  ])
})

test('a sandbox connection is made on the spot in a window of its own, signed, and used', async () => {
  const { page } = reference
  await comeSignedIn(context, scene.url, people.owner)
  await reference.open()
  const opening = context.waitForEvent('page')
  await page.getByRole('button', { name: 'Use a sandbox connection' }).click()
  const window = await opening
  await window.getByRole('link', { name: 'New sandbox connection' }).first().click()
  await window.getByLabel('Source', { exact: true }).selectOption({ label: 'Web shop' })
  await window.getByRole('button', { name: 'Make and show the credential' }).click()
  await window.getByRole('button', { name: 'Use it in the API reference' }).click()
  await window.getByText('The API reference has it').waitFor()
  await window.getByRole('button', { name: 'Go on to sign' }).click()
  await identify(context, window, people.owner)
  await window
    .getByText('What was signed')
    .or(window.getByRole('button', { name: /^Rotate/ }))
    .first()
    .waitFor()
  await window.close()
  await page.getByText('Your sandbox connection is filled in.').waitFor()
  const { status, body } = await reference.send(push)
  expect([status, body['sandbox']]).toEqual([202, true])
})

test('a sandbox connection is chosen from a list, and gets a credential of its own', async () => {
  const { page } = reference
  await comeSignedIn(context, scene.url, people.owner)
  await reference.open()
  const opening = context.waitForEvent('page')
  await page.getByRole('button', { name: 'Use a sandbox connection' }).click()
  const window = await opening
  const closed = window.waitForEvent('close')
  await window.getByRole('button', { name: /Use .*Trying out/ }).click()
  await closed
  await page.getByText('Your sandbox connection is filled in.').waitFor()
  const { status, headers } = await reference.send(readSamples)
  expect(status).toBe(200)
  expect(headers['authorization']).not.toMatch(/nsk_demo/)
})

test('an app is tried whole: the member signs in and allows it, and its token reads', async () => {
  const { page } = reference
  await reference.open()
  const opening = context.waitForEvent('page')
  await page.getByRole('button', { name: 'Authorize via app' }).first().click()
  const window = await opening
  await window.getByRole('button', { name: 'Sign in with electronic identity' }).click()
  await identify(context, window, people.reader)
  const closed = window.waitForEvent('close')
  await window.getByRole('radio', { name: /^All my companies/ }).check()
  await window.getByRole('button', { name: 'Sign and allow' }).click()
  await identify(context, window, people.reader)
  await closed
  const { status, headers, body } = await reference.send({
    title: 'List the companies that may be named',
    path: '/v1/companies',
  })
  expect(headers['authorization']).toMatch(/^Bearer nat_/)
  expect([status, (body['companies'] as unknown[]).length > 0]).toEqual([200, true])
})

test.each([
  { scheme: 'light', size: 'desktop' },
  { scheme: 'dark', size: 'desktop' },
  { scheme: 'light', size: 'phone' },
  { scheme: 'dark', size: 'phone' },
] as const)('it reads well, $scheme on a $size, and keeps nobody out', async ({ scheme, size }) => {
  const { page } = reference
  await show(page, { language: 'en', scheme, size })
  await reference.open()
  if (takesPictures) await takePicture(page, `${pictures}/reference-${size}-${scheme}.webp`)
  expect(await isTooWide(page)).toBe(false)
  expect(await violations(page)).toEqual([])
  await page.getByText(push.title, { exact: true }).first().dispatchEvent('click')
  await page
    .getByRole('button', { name: /^Test Request/ })
    .first()
    .click()
  await page.getByRole('dialog', { name: 'API Client' }).waitFor()
  await painted(page)
  expect(await violations(page)).toEqual([])
})
