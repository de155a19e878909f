import type { BrowserContext, Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { browserSceneForTests, owner, reader, stranger } from '../testing/browser/browser-scene.ts'
import { advance, call } from '../testing/process/call.ts'
import { openReference } from '../testing/browser/reference-page.ts'
import { lookOver } from '../testing/browser/screens.ts'
import type { Service } from '../testing/process/start-service.ts'
import { openShopOf } from '../testing/process/shop.ts'

const scene = browserSceneForTests()
const { allow, answer, authorizeUrl, backAtApp, comeSignedIn, registerApp, signIn } = scene
let service: Service
let companyId: string
let context: BrowserContext
let page: Page
beforeEach(() => {
  ;({ service, companyId, context, page } = scene)
})

/** A page after the other, or the reference, which takes a core seconds to draw. */
const long = { timeout: 60_000 }

test('A session that ends in the middle: the page says so, and after a new sign-in the same request is there', async () => {
  const app = await registerApp()
  await comeSignedIn()
  await page.goto(authorizeUrl(app, { companies: '559999-0016' }))
  await page.getByRole('button', { name: 'Sign and allow' }).waitFor()
  await advance(service.url, 13 * 3_600)
  await page.getByRole('button', { name: 'Sign and allow' }).click()
  await page.getByText('You have been signed out').waitFor()
  expect(await lookOver(page, 'session-ended')).toEqual([])
  await signIn()
  await page.getByRole('button', { name: 'Sign and allow' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign' }).waitFor()
  // Signed out in another window, while the signature is waited for.
  const session = await (await context.request.get(`${service.url}/console/session`)).json()
  const headers = { 'x-csrf-token': session.csrf_token }
  await context.request.post(`${service.url}/console/sign-out`, { data: {}, headers })
  await page.getByText('You have been signed out').waitFor()
  await signIn()
  await page.getByRole('button', { name: 'Sign and allow' }).click()
  await answer(owner)
  expect(await backAtApp()).toMatchObject({ code: expect.stringMatching(/^nac_/) })
})

test('A signature that is refused, made by someone else or too late is explained, and can be tried again', async () => {
  const app = await registerApp()
  await comeSignedIn()
  await page.goto(authorizeUrl(app, { companies: '559999-0016' }))
  const sign = page.getByRole('button', { name: 'Sign and allow' })
  await sign.click()
  await answer('refuse')
  await page.getByRole('alert').getByText('You refused').waitFor()
  expect(await lookOver(page, 'signature-refused')).toEqual([])
  await sign.click()
  await answer(stranger)
  await page.getByRole('alert').getByText('Someone else answered').waitFor()
  await sign.click()
  await page.getByRole('heading', { level: 1, name: 'Sign' }).waitFor()
  // The order is over, the session is not.
  await advance(service.url, 1_800)
  await page.getByRole('alert').getByText('not answered in time').waitFor()
  await sign.click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await sign.click()
  await answer(owner)
  expect(await backAtApp()).toMatchObject({ code: expect.stringMatching(/^nac_/) })
})

test('Your apps: what apps may read, what they have called, and the end of it', long, async () => {
  await comeSignedIn(reader)
  await page.goto(`${service.url}/apps`)
  await page.getByRole('heading', { name: 'You have not allowed any apps' }).waitFor()
  expect(await lookOver(page, 'apps-none')).toEqual([])

  const credential = await allow(await registerApp(), reader)
  const often = await allow(await registerApp('Kvartalsrapporten', 'https://kvartal.example/back'), reader)
  const read = async (): Promise<number> => (await call(`${service.url}/v1/companies`, { credential })).status
  expect(await read()).toBe(200)
  await call(`${service.url}/v1/samples?orgnr=559999-0024`, { credential })
  // Calls are on record a little later.
  const { request } = context
  const list = async (path: string) => (await request.get(`${service.url}/console/apps${path}`)).json()
  const { apps } = await list('')
  const areRecorded = async (name: string, count: number): Promise<void> => {
    const { connection_id: id } = apps.find((app: { client_name: string }) => app.client_name === name)
    await expect.poll(async () => (await list(`/${id}/calls`)).calls.length, { timeout: 15_000 }).toBe(count)
  }
  await areRecorded('Ledger Insight', 2)

  await page.reload()
  const cards = page.getByRole('main').getByRole('listitem')
  await cards.nth(1).waitFor()
  const card = cards.filter({ hasText: 'Ledger Insight' })
  expect(await card.innerText()).toContain('Active')
  expect(await card.innerText()).toContain('Ekeby Handel AB')
  await card.getByRole('button', { name: 'Show calls' }).click()
  await card.getByText('Listed your companies').waitFor()
  expect(await lookOver(page, 'apps')).toEqual([])

  await card.getByRole('button', { name: 'End access' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('End the access of').waitFor()
  expect(await lookOver(page, 'apps-end')).toEqual([])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(await read()).toBe(200)
  await card.getByRole('button', { name: 'End access' }).click()
  await dialog.getByRole('button', { name: 'End access' }).click()
  await card.getByText('Ended by you').waitFor()
  expect(await page.getByRole('status').innerText()).toContain('has ended')
  expect(await read()).toBe(401)
  expect(await lookOver(page, 'apps-ended')).toEqual([])

  for (let calls = 0; calls < 25; calls++) await call(`${service.url}/v1/companies`, { credential: often })
  await areRecorded('Kvartalsrapporten', 25)
  const other = cards.filter({ hasText: 'Kvartalsrapporten' })
  await other.getByRole('button', { name: 'Show calls' }).click()
  await other.getByText('Listed your companies 25 times').waitFor()
})

test(
  'The reference refuses a production connection with a hint before anything is read, and takes a sandbox one',
  long,
  async () => {
    const shop = await openShopOf(service.url, { companyId, orgnr: '559999-0016' })
    const source_id = await shop.createSource()
    const production = await shop.connect({ source_id })
    const sandbox = await shop.connect({ source_id, kind: 'sandbox' })
    const reference = await openReference(context, service.url)
    const read = { title: "Read the source's samples", path: '/v1/samples' }

    await reference.open()
    await reference.fillIn(production.credential)
    const refused = await reference.send(read)
    expect([refused.status, refused.body['code']]).toEqual([403, 'docs_origin_needs_sandbox'])
    await reference.page.getByRole('status').getByText('This is a production connection').waitFor()

    await reference.open()
    await reference.fillIn(sandbox.credential)
    const taken = await reference.send(read)
    expect([taken.status, taken.body['samples']]).toEqual([200, []])
    expect(taken.headers['x-numera-reference']).toBe('1')
    expect([reference.elsewhere, reference.ofSession]).toEqual([[], []])
  },
)
