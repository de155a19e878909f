import type { Browser, BrowserContext, Locator } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { shareBrowser } from '../testing/browser/chromium.ts'
import { comeSignedIn, identify } from '../testing/browser/member-in-browser.ts'
import { openContext } from '../testing/browser/open-context.ts'
import { type PagesScene, people, startPagesScene } from '../testing/browser/pages-scene.ts'
import { openReference, type ReferencePage } from '../testing/browser/reference-page.ts'
import {
  isTooWide,
  painted,
  screensFolder,
  show,
  savePicture,
  savesPictures,
  violations,
} from '../testing/browser/screens.ts'

let scene: PagesScene
let browser: Browser
let context: BrowserContext
let reference: ReferencePage
let complaints: string[]
beforeAll(async () => {
  ;[scene, browser] = await Promise.all([startPagesScene(), shareBrowser()])
})
afterAll(async () => {
  await scene?.[Symbol.asyncDispose]()
})
beforeEach(async () => {
  ;({ context, complaints } = await openContext(browser))
  context.setDefaultTimeout(30_000)
  reference = await openReference(context, scene.url)
})
afterEach(async () => {
  await context.close()
  // Nothing was blocked, missing or thrown, no other host was called, and the session of the pages was not used.
  expect(complaints).toEqual([])
  expect(reference.elsewhere).toEqual([])
  expect(reference.ofSession).toEqual([])
})

/** The most steps that a keyboard user can bear. */
const stepsMax = 60

const readSamples = { title: "Read the source's samples", path: '/v1/samples' }
const push = { title: 'Push one delivery', path: '/v1/ingest' }

test('a call is tried with the demo credential, which is filled in, and is marked as the reference’s', async () => {
  await reference.open()
  const { status, body, headers } = await reference.send(readSamples)
  expect(status).toBe(200)
  expect((body['samples'] as unknown[]).length).toBeGreaterThan(0)
  // A month of them, not the whole window.
  expect(JSON.stringify(body).length).toBeLessThan(65_536)
  expect(headers['x-numera-reference']).toBe('1')
  expect(headers['authorization']).toMatch(/^Bearer nsk_demo/)
})

test('samples are shown in curl, JavaScript, Python, PHP and C# only', async () => {
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

test('no optional parameter has a warning', async () => {
  const { client } = reference
  await reference.open()
  await reference.send(readSamples, async () => {
    await client.getByRole('checkbox', { name: 'Include as_of in request' }).waitFor()
    expect(await client.locator('tr.alert, tr.error').count()).toBe(0)
  })
})

test('a sandbox connection is created in a window of its own and signed, and its first push is stored', async () => {
  const { page } = reference
  await comeSignedIn(context, scene.url, people.owner)
  await reference.open()
  const opening = context.waitForEvent('page')
  await page.getByRole('button', { name: 'Use a sandbox connection' }).click()
  const window = await opening
  await window.getByRole('link', { name: 'New sandbox connection' }).first().click()
  await window.getByLabel('Source', { exact: true }).selectOption({ label: 'First steps' })
  await window.getByRole('button', { name: 'Create and show credential' }).click()
  await window.getByRole('button', { name: 'Use in the API reference' }).click()
  await window.getByText('The API reference has the credential').waitFor()
  await window.getByRole('button', { name: 'Continue to sign' }).click()
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

test('a production connection is refused with a button that leads to a sandbox connection, over the open call', async () => {
  const { page, client } = reference
  await comeSignedIn(context, scene.url, people.owner)
  await reference.open()
  await reference.fillIn(scene.productionCredential)
  const { status } = await reference.send(readSamples)
  expect(status).toBe(403)
  await client.waitFor()
  const opening = context.waitForEvent('page')
  await page.getByRole('status').getByRole('button', { name: 'Use a sandbox connection' }).click()
  await (await opening).getByRole('heading', { level: 1 }).waitFor()
})

test('the frame has the logo and the demo’s notice, also in Swedish', async () => {
  const { page } = reference
  await reference.open()
  const bar = page.getByRole('banner')
  const logo = bar.getByRole('img', { name: 'Numera' })
  expect(await logo.evaluate((image) => 'naturalWidth' in image && image.naturalWidth)).toBeGreaterThan(0)
  await bar.getByText('Demo', { exact: true }).waitFor()
  await bar.getByRole('button', { name: 'Svenska' }).click()
  await bar.getByRole('link', { name: 'Dokumentation' }).waitFor()
  await bar.getByRole('button', { name: 'Använd en testanslutning' }).waitFor()
  await reference.open()
  await bar.getByText('Referensen är på engelska.').waitFor()
})

test('an app is tried from start to end: the member signs in and allows it, and its token reads', async () => {
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
  await page.keyboard.press('Escape')
  await reference.client.waitFor({ state: 'hidden' })

  // The scopes are filled in, and are sent once ticked.
  const samples = await reference.send(readSamples, async (client) => {
    await page.getByText('The app has its token.').waitFor()
    await client.locator('[data-source="Web shop"]').waitFor()
    for (const name of ['orgnr', 'source_id']) {
      await client.getByRole('checkbox', { name: `Include ${name} in request` }).check({ force: true })
    }
  })
  expect(samples.headers['authorization']).toMatch(/^Bearer nat_/)
  expect([samples.status, (samples.body['samples'] as unknown[]).length > 0]).toEqual([200, true])
})

test('it works with the keyboard only: from the list to an operation, a parameter, the answer, and out', async () => {
  const { page, client } = reference
  const focused = page.locator(':focus')
  const press = (key: string): Promise<void> => page.keyboard.press(key)
  /** Presses a key until the focus is on something, within a bearable number of steps. */
  const pressUntil = async (key: string, target: Locator, most: number): Promise<void> => {
    for (let pressed = 0; pressed < most; pressed++) {
      await press(key)
      if ((await target.and(focused).count()) > 0) return
    }
    throw new Error(`${key} does not lead there: ${String(target)}`)
  }

  await reference.open()
  const skip = page.getByRole('button', { name: 'Skip to content' })
  await press('Tab')
  await expect.poll(() => skip.and(focused).count()).toBe(1)
  await press('Enter')
  await expect.poll(() => page.locator('main').and(focused).count()).toBe(1)
  await page.locator('main').and(focused).waitFor()

  await pressUntil('Shift+Tab', page.getByRole('link', { name: /^Read the source's samples/ }), stepsMax)
  await press('Enter')
  const section = page.getByRole('region', { name: readSamples.title })
  await section.and(focused).waitFor()
  const tryIt = page.getByRole('button', { name: /^Test Request.*\/v1\/samples\)$/ })
  await tryIt.waitFor()
  await pressUntil('Tab', tryIt, stepsMax)
  await press('Enter')
  await client.waitFor()

  const value = client.getByRole('combobox', { name: 'Value of metric' })
  await value.waitFor()
  const isSent = client.getByRole('checkbox', { name: 'Include metric in request' })
  await pressUntil('Tab', isSent, stepsMax)
  await press('Space')
  await pressUntil('Tab', value, 3)
  await press('Control+A')
  await page.keyboard.type('active_users')
  await expect.poll(() => value.textContent()).toBe('active_users')
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname === readSamples.path)
  await pressUntil('Shift+Tab', client.getByRole('button', { name: /^Send/ }), stepsMax)
  await press('Enter')
  const answer = await answered
  expect([answer.status(), new URL(answer.url()).searchParams.get('metric')]).toEqual([200, 'active_users'])
  await expect.poll(() => client.textContent()).toContain('"active_users"')
  await press('Escape')
  await client.waitFor({ state: 'hidden' })
  await tryIt.and(focused).waitFor()
})

test('a body is written by keyboard, and Tab leads out of it', async () => {
  const { page, client } = reference
  await reference.open()
  await page.getByText(push.title, { exact: true }).first().click()
  await page.getByRole('button', { name: /^Test Request.*\/v1\/ingest\)$/ }).click()
  await client.waitFor()
  const body = client.getByRole('textbox', { name: 'Request body' }).first()
  await body.focus()
  const before = await body.textContent()
  await page.keyboard.press('Tab')
  await expect.poll(() => body.and(page.locator(':focus')).count()).toBe(0)
  expect(await body.textContent()).toBe(before)
})

test('on a phone nothing covers the address of the call', async () => {
  const { page, client } = reference
  await show(page, { language: 'en', scheme: 'light', size: 'phone' })
  await reference.open()
  await page.getByText(readSamples.title, { exact: true }).first().dispatchEvent('click')
  await page.getByRole('button', { name: /^Test Request.*\/v1\/samples\)$/ }).click()
  await client.waitFor()
  for (const width of [320, 390, 600]) {
    await page.setViewportSize({ width, height: 844 })
    await painted(page)
    const boxes = await Promise.all(
      ['Show sidebar', /^Server:/, 'Copy URL', /^Send/].map((name) =>
        client.getByRole('button', { name }).first().boundingBox(),
      ),
    )
    const [sidebar, ...others] = boxes.map((box) => box!)
    const covered = others.filter(
      ({ x, y, width: wide, height }) =>
        x < sidebar!.x + sidebar!.width &&
        sidebar!.x < x + wide &&
        y < sidebar!.y + sidebar!.height &&
        sidebar!.y < y + height,
    )
    expect([width, covered]).toEqual([width, []])
  }
})

test.each([
  { scheme: 'light', size: 'desktop' },
  { scheme: 'dark', size: 'desktop' },
  { scheme: 'light', size: 'phone' },
  { scheme: 'dark', size: 'phone' },
] as const)('it reads well, $scheme on a $size, and is accessible', async ({ scheme, size }) => {
  const { page } = reference
  await show(page, { language: 'en', scheme, size })
  await reference.open()
  if (savesPictures) await savePicture(page, `${screensFolder}/states/reference-${size}-${scheme}.webp`)
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
