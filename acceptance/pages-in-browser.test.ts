import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { browserSceneForTests, callback, owner, reader, stranger } from '../testing/browser/browser-scene.ts'
import { lookOver } from '../testing/browser/screens.ts'
import type { Service } from '../testing/process/start-service.ts'

const scene = browserSceneForTests()
const { answer, authorizeUrl, comeSignedIn, openContext, registerApp, signIn } = scene
let service: Service
let companyId: string
let page: Page
beforeEach(() => {
  ;({ service, companyId, page } = scene)
})

test('Error page: an unknown app is named to the member, without a redirect', async () => {
  await page.goto(authorizeUrl({ clientId: 'app_0123456789abcdefghijkl', redirectUri: callback }))
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(new URL(page.url()).origin).toBe(service.url)
  expect(await lookOver(page, 'error')).toEqual([])
  // In the other language too, without a script and without asking again.
  await page.getByRole('link', { name: 'Svenska' }).click()
  await page.getByRole('heading', { level: 1, name: 'Okänd app' }).waitFor()
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
  await page.getByRole('link', { name: 'English' }).click()
  await page.getByRole('heading', { level: 1, name: 'Unknown app' }).waitFor()
})

test('A refused sign-in is explained, and can be tried again; a signed-in person can leave', async () => {
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

test('Another person signs in in another window: nothing is signed, and the page shows who is signed in now', async () => {
  const app = await registerApp()
  await comeSignedIn()
  await page.goto(authorizeUrl(app, { companies: '559999-0016' }))
  await page.getByRole('button', { name: 'Sign and allow' }).waitFor()
  await comeSignedIn(stranger)
  await page.getByRole('button', { name: 'Sign and allow' }).click()
  await page.getByText(stranger.name).waitFor()
  await page.getByText('Your sign-in has changed').waitFor()
  await page.getByText('You do not belong to a company here').waitFor()
  expect(await lookOver(page, 'another-person')).toEqual([])
  const address = page.url()
  await page.getByRole('button', { name: 'Not you? Sign out' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  expect(page.url()).toBe(address)
  await signIn()
  await page.getByRole('heading', { level: 1, name: /wants to read your companies/ }).waitFor()
  expect(await page.getByText('Your sign-in has changed').count()).toBe(0)
})

test('A hostile app: its name and host stay within their place, and nothing of them is taken for the page', async () => {
  const host = `${'xn--80ak6aa92e.'.repeat(9)}example`
  const name = `<b>Numera</b> {{app}} $t(consent.deny) ${'W'.repeat(40)} שלום`
  const redirectUri = `https://${host}/callback`
  const app = await registerApp(name, redirectUri)
  await comeSignedIn()
  await page.goto(authorizeUrl(app))
  await page.getByRole('heading', { level: 1 }).getByText(name, { exact: true }).waitFor()
  await page.getByText(host, { exact: true }).waitFor()
  expect(await lookOver(page, 'hostile')).toEqual([])
})

test('The document tells a browser all that its first view loads and asks, and nothing of it is asked for twice', async () => {
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
  const told = new Set([...link.matchAll(/<([^>]+)>/g)].map(([, address]) => address!))
  for (const address of ['/console/session', `/console${reports}?limit=100`]) {
    expect(told, address).toContain(address)
    expect(loaded.filter((each) => each.split('?')[0] === address.split('?')[0])).toHaveLength(1)
  }
  const named = await document.text()
  const scripts = loaded.filter((address) => address.endsWith('.js'))
  expect(scripts.length).toBeGreaterThan(3)
  expect(scripts.filter((address) => !told.has(address) && !named.includes(address))).toEqual([])
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

test('A browser that prefers Swedish gets Swedish, and what is chosen stays', async () => {
  const swedish = await openContext({ locale: 'sv-SE' })
  const first = await swedish.newPage()
  await first.goto(`${service.url}/sign-in`)
  await first.getByRole('heading', { level: 1, name: 'Logga in' }).waitFor()
  expect(await first.locator('html').getAttribute('lang')).toBe('sv')
  await first.getByRole('button', { name: 'English' }).click()
  await first.reload()
  await first.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()

  // What is signed is in the language of the page.
  await first.getByRole('button', { name: 'Svenska' }).click()
  await comeSignedIn(owner, swedish)
  await first.goto(authorizeUrl(await registerApp(), { companies: '559999-0016' }))
  await first.getByRole('button', { name: 'Skriv under och tillåt' }).click()
  const text = first.getByRole('blockquote')
  expect(await text.textContent()).toContain('Jag tillåter en app')
  expect(await text.getAttribute('lang')).toBe('sv')
  await swedish.close()
})
