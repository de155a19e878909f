import type { BrowserContext, Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { browserSceneForTests, callback, owner, reader, stranger } from '../testing/browser/browser-scene.ts'
import { advance, call } from '../testing/process/call.ts'
import { openReference } from '../testing/browser/reference-page.ts'
import { lookOver } from '../testing/browser/screens.ts'
import type { Service } from '../testing/process/start-service.ts'
import { openShopOf } from '../testing/process/shop.ts'

const scene = browserSceneForTests()
const { allow, answer, authorizeUrl, backAtApp, comeSignedIn, openContext, registerApp, signIn } = scene
let service: Service
let companyId: string
let context: BrowserContext
let page: Page
beforeEach(() => {
  ;({ service, companyId, context, page } = scene)
})

test('When a session ends during a consent, the page says so, and after a new sign-in the request continues', async () => {
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
  // Signed out in another window, while the page waits for the signature.
  const session = await (await context.request.get(`${service.url}/console/session`)).json()
  const headers = { 'x-csrf-token': session.csrf_token }
  await context.request.post(`${service.url}/console/sign-out`, { data: {}, headers })
  await page.getByText('You have been signed out').waitFor()
  await signIn()
  await page.getByRole('button', { name: 'Sign and allow' }).click()
  await answer(owner)
  expect(await backAtApp()).toMatchObject({ code: expect.stringMatching(/^nac_/) })
})

test('A signature that is refused, late or of another person is explained, and can be repeated', async () => {
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
  // The order has expired, the session has not.
  await advance(service.url, 1_800)
  await page.getByRole('alert').getByText('not answered in time').waitFor()
  await sign.click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await sign.click()
  await answer(owner)
  expect(await backAtApp()).toMatchObject({ code: expect.stringMatching(/^nac_/) })
})

test('Your apps shows what apps may read and have called, and ends their access', async () => {
  await comeSignedIn(reader)
  await page.goto(`${service.url}/apps`)
  await page.getByRole('heading', { name: 'You have not allowed any apps' }).waitFor()
  expect(await lookOver(page, 'apps-none')).toEqual([])

  const credential = await allow(await registerApp(), reader)
  const often = await allow(await registerApp('Kvartalsrapporten', 'https://kvartal.example/back'), reader)
  const read = async (): Promise<number> => (await call(`${service.url}/v1/companies`, { credential })).status
  expect(await read()).toBe(200)
  await call(`${service.url}/v1/samples?orgnr=559999-0024`, { credential })
  // Calls are recorded a little later.
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

test('The reference refuses a production connection with a hint, and accepts a sandbox one', async () => {
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
})

test('An unknown app gets an error page in both languages, without a redirect', async () => {
  await page.goto(authorizeUrl({ clientId: 'app_0123456789abcdefghijkl', redirectUri: callback }))
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(new URL(page.url()).origin).toBe(service.url)
  expect(await lookOver(page, 'error')).toEqual([])
  // In the other language too, without a script and without another call.
  await page.getByRole('link', { name: 'Svenska' }).click()
  await page.getByRole('heading', { level: 1, name: 'Okänd app' }).waitFor()
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
  await page.getByRole('link', { name: 'English' }).click()
  await page.getByRole('heading', { level: 1, name: 'Unknown app' }).waitFor()
})

test('A refused sign-in is explained, and can be repeated; a signed-in person can sign out', async () => {
  await page.goto(`${service.url}/sign-in`)
  await page.getByRole('button', { name: 'Sign in with electronic identity' }).click()
  await answer('refuse')
  await page.getByRole('alert').getByText('You refused').waitFor()
  await page.getByRole('button', { name: 'Try again' }).click()
  await answer(owner)
  // Of three companies.
  await page.getByRole('heading', { level: 1, name: 'Companies' }).waitFor()
  expect(page.url()).toBe(`${service.url}/`)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
})

test('A page that waits for a session opens once the person has signed in on another', async () => {
  const waiting = await context.newPage()
  await waiting.goto(`${service.url}/signatures`)
  await waiting.getByRole('button', { name: 'Sign in with electronic identity' }).waitFor()
  await page.goto(`${service.url}/sign-in`)
  await signIn(reader)
  await page.getByRole('heading', { level: 1, name: 'Reports' }).waitFor()
  await waiting.getByRole('heading', { level: 1, name: 'Your signatures' }).waitFor()
  await waiting.close()
})

test('A page’s headers name all that its first view loads, and nothing is loaded twice', async () => {
  // Otherwise the scripts of the other pages follow as soon as the browser is idle.
  await page.addInitScript("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })")
  await page.goto(`${service.url}/sign-in`)
  await signIn(reader)
  await page.getByRole('heading', { level: 1, name: 'Reports' }).waitFor()
  const loaded: string[] = []
  page.on('request', (request) => loaded.push(request.url().slice(service.url.length)))
  const reports = `/companies/${companyId}/reports`
  const document = (await page.goto(`${service.url}${reports}`))!
  await page.getByRole('heading', { level: 1, name: 'Reports' }).waitFor()
  const link = document.headers()['link']!
  const named = new Set([...link.matchAll(/<([^>]+)>/g)].map(([, address]) => address!))
  for (const address of ['/console/session', `/console${reports}?limit=100`]) {
    expect(named, address).toContain(address)
    expect(loaded.filter((each) => each.split('?')[0] === address.split('?')[0])).toHaveLength(1)
  }
  const html = await document.text()
  const scripts = loaded.filter((address) => address.endsWith('.js'))
  expect(scripts.length).toBeGreaterThan(3)
  expect(scripts.filter((address) => !named.has(address) && !html.includes(address))).toEqual([])
})

test('An unknown address gets a page, and addresses may end in a slash', async () => {
  const unknown = await page.goto(`${service.url}/nowhere`)
  expect(unknown!.status()).toBe(404)
  await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
  expect(await lookOver(page, 'unknown')).toEqual([])
  await comeSignedIn(reader)
  const known = await page.goto(`${service.url}/companies/${companyId}/reports/`)
  expect(known!.status()).toBe(200)
  await page.getByRole('heading', { level: 1, name: 'Reports' }).waitFor()
})

test('A browser without JavaScript shows that the pages need it', async () => {
  const plain = await openContext({ javaScriptEnabled: false })
  const first = await plain.newPage()
  await first.goto(`${service.url}/sign-in`)
  await first.locator('p', { hasText: 'These pages need JavaScript.' }).waitFor()
  await first.locator('p', { hasText: 'De här sidorna behöver JavaScript.' }).waitFor()
  await plain.close()
})

test('A browser that prefers Swedish gets Swedish, and the chosen language stays', async () => {
  const swedish = await openContext({ locale: 'sv-SE' })
  const first = await swedish.newPage()
  await first.goto(`${service.url}/sign-in`)
  await first.getByRole('heading', { level: 1, name: 'Logga in' }).waitFor()
  expect(await first.locator('html').getAttribute('lang')).toBe('sv')
  await first.getByRole('button', { name: 'English' }).click()
  await first.reload()
  await first.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()

  // The signed text is in the language of the page.
  await first.getByRole('button', { name: 'Svenska' }).click()
  await comeSignedIn(owner, swedish)
  await first.goto(authorizeUrl(await registerApp(), { companies: '559999-0016' }))
  await first.getByRole('button', { name: 'Skriv under och tillåt' }).click()
  const text = first.getByRole('blockquote')
  expect(await text.textContent()).toContain('Jag tillåter en app')
  expect(await text.getAttribute('lang')).toBe('sv')
  await swedish.close()
})
