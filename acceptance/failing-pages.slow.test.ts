import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { browserSceneForTests } from '../testing/browser/browser-scene.ts'
import { readShifts, watchShifts } from '../testing/browser/layout-shifts.ts'
import { push } from '../testing/process/numera-api.ts'
import { openShopOf } from '../testing/process/shop.ts'

const scene = browserSceneForTests()
let page: Page
beforeEach(() => {
  page = scene.page
})

const toUrl = (part: string): string => `${scene.service.url}/companies/${scene.companyId}/${part}`
const heading = (name: string) => page.getByRole('heading', { level: 1, name })
const line = () => page.getByText('Numera cannot be reached.')

/** Nothing is loaded before it is needed. */
const saveData = (): Promise<unknown> =>
  page.addInitScript("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })")

/** Calls get no answer at all, as behind a failed network. */
const freeze = (): boolean => scene.service.process().kill('SIGSTOP')
const thaw = (): boolean => scene.service.process().kill('SIGCONT')
// A test may have ended before resuming it.
afterEach(async () => {
  thaw()
  const { exitCode, signalCode } = scene.service.process()
  if (exitCode !== null || signalCode !== null) await scene.service.start()
})

test.each([
  ['does not answer', async () => void freeze(), async () => void thaw()],
  ['has ended', async () => void (await scene.service.stop()), (): Promise<void> => scene.service.start()],
])(
  'A page opens by itself once the service, which %s, is back; until then the frame stays, explains it, and does not shift',
  async (_how, end, begin) => {
    await watchShifts(page)
    await saveData()
    await scene.comeSignedIn()
    // Reports, while there are none, are read every few seconds: that would fail too, and its announcement would move them.
    await page.goto(toUrl('connections'))
    await heading('Connections').waitFor()
    await page.getByRole('link', { name: 'Deliveries' }).waitFor()
    await page.getByText('No connections yet').waitFor()
    const shiftBefore = await readShifts(page)
    await end()
    await page.getByRole('link', { name: 'Members' }).click()
    await line().waitFor({ timeout: 20_000 })
    expect(await heading('Connections').isVisible()).toBe(true)
    expect(await page.getByRole('link', { name: 'Sources' }).isVisible()).toBe(true)
    expect(await readShifts(page)).toBe(shiftBefore)
    await begin()
    await heading('Members').waitFor({ timeout: 20_000 })
    await page.getByRole('rowheader', { name: /Olivia/ }).waitFor({ timeout: 20_000 })
    await line().waitFor({ state: 'detached' })
  },
)

test('After an idle moment, a page opens without a network for the first time', async () => {
  await scene.comeSignedIn()
  await page.goto(toUrl('reports'))
  await heading('Reports').waitFor()
  const loaded = () =>
    page.evaluate<string>("performance.getEntriesByType('resource').map(({ name }) => name).join(' ')")
  await expect.poll(loaded).toMatch(/members-page.*palette/s)
  // The search was fetched, but perhaps not yet all that it imports.
  const palette = /\S*palette\S*\.js/.exec(await loaded())![0]
  await page.evaluate(`import(${JSON.stringify(palette)})`)
  await scene.context.setOffline(true)
  await page.getByRole('link', { name: 'Members' }).click()
  await heading('Members').waitFor()
  await page.getByText('You are offline. What you see').waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('searchbox').waitFor()
  await page.keyboard.press('Escape')
  await scene.context.setOffline(false)
  await page.getByRole('rowheader', { name: /Olivia/ }).waitFor()
})

/** When the page shows this, by its own clock. Call it before. */
const whenSaid = (text: string): Promise<number> =>
  page.evaluate<number>(`new Promise((resolve) => {
    const look = () => {
      if (document.body.textContent.includes(${JSON.stringify(text)})) resolve(Date.now())
      else setTimeout(look, 20)
    }
    look()
  })`)

/** A busy machine may take half as much again. */
const toldMsMax = 3_000
const busyMs = 1_500

test.each([
  ['does not answer any more', async () => void freeze(), async () => void thaw()],
  ['has ended', async () => void scene.service.process().kill('SIGKILL'), () => scene.service.start()],
])(
  'The deliveries show within three seconds since when they are not live if the service %s, and catch up afterwards',
  async (_how, end, begin) => {
    const shop = await openShopOf(scene.service.url, { companyId: scene.companyId, orgnr: '559999-0016' })
    const source_id = await shop.createSource({ name: `Shop ${Date.now()}` })
    const { credential } = await shop.connect({ source_id, permissions: ['sources.ingest'] })
    await scene.comeSignedIn()
    const streamed = page.waitForResponse('**/deliveries/events')
    await page.goto(toUrl('deliveries'))
    await streamed
    await page.getByText('Live: new deliveries appear automatically').waitFor()
    const row = { at: new Date().toISOString(), amount: '1', country: 'SE', customer: 'a' }
    await push(scene.service.url, credential, 'before', [row])
    await page.getByText('before', { exact: true }).first().waitFor()
    const hold = page.getByRole('button', { name: 'Pause' })
    const holdBefore = await hold.boundingBox()
    const said = whenSaid('Not live since')
    const endedAt = await page.evaluate(() => Date.now())
    await end()
    expect((await said) - endedAt).toBeLessThan(toldMsMax + busyMs)
    await page.getByText(/^Not live since \d\d:\d\d$/).waitFor()
    expect(await hold.boundingBox()).toEqual(holdBefore)
    await begin()
    await push(scene.service.url, credential, 'meanwhile', [row])
    await page.getByText('Live: new deliveries appear automatically').waitFor({ timeout: 20_000 })
    await page.getByText('meanwhile', { exact: true }).first().waitFor()
  },
)
