import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { browserSceneForTests, otherServer, owner, stranger } from '../testing/browser/browser-scene.ts'
import { call } from '../testing/process/call.ts'
import { lookOver } from '../testing/browser/screens.ts'
import type { Service } from '../testing/process/start-service.ts'

const scene = browserSceneForTests()
const { answer, authorizeUrl, backAtApp, comeSignedIn, registerApp, signIn, tick } = scene
let service: Service
let page: Page
beforeEach(() => {
  ;({ service, page } = scene)
})

/** By the service's clock, which registrations may have moved. */
const now = async ({ url }: Service): Promise<number> =>
  Date.parse((await call(`${url}/test/clock`)).body.now)
const longDate = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'Europe/Stockholm' })

test('First consent: a member signs in, chooses, signs, and returns to the app with a code', async () => {
  const app = await registerApp()
  const openedMs = await now(service)
  await page.goto(authorizeUrl(app, { companies: '559999-0024', resource: otherServer }))
  await page.getByRole('button', { name: 'Sign in with electronic identity' }).waitFor()
  await page.getByRole('button', { name: 'Sign in with electronic identity' }).click()
  await page.getByText('Waiting for you').waitFor()
  await answer(owner)

  await page
    .getByRole('heading', { level: 1, name: 'Ledger Insight wants to read your companies’ numbers' })
    .waitFor()
  await page.getByText('ledger-insight.example', { exact: true }).waitFor()
  await page.getByText(otherServer).waitFor()
  await page.getByText(owner.name).waitFor()
  expect(await tick('Your companies').isChecked()).toBe(true)
  expect(await tick('Numbers').isChecked()).toBe(true)
  expect(await tick('Norrsken Kaffe AB').isChecked()).toBe(true)
  expect(await tick('Ekeby Handel AB').isChecked()).toBe(false)
  // Two days if midnight has passed.
  const ends = [openedMs, await now(service)].map((ms) => longDate.format(ms + 90 * 24 * 3_600_000))
  await page.getByText(new RegExp(`Ends automatically on (${ends.join('|')})`)).waitFor()

  await tick('Norrsken Kaffe AB').uncheck()
  await page.getByRole('button', { name: 'Sign and allow' }).click()
  await page.getByRole('alert').getByText('Choose a company').waitFor()
  await page.getByRole('radio', { name: 'All my companies' }).check()
  await page.getByRole('button', { name: 'Sign and allow' }).waitFor()
  await page.getByRole('radio', { name: 'Only these' }).check()
  await tick('Ekeby Handel AB').check()
  await tick('Your companies').uncheck()
  await page.getByRole('button', { name: 'Sign and allow' }).click()

  await page.getByRole('heading', { level: 1, name: 'Sign' }).waitFor()
  const text = page.getByRole('blockquote')
  expect(await text.textContent()).toContain('Ekeby Handel AB')
  expect(await text.textContent()).toContain('metrics.read')
  expect(await text.textContent()).not.toContain('company.read')
  await answer(owner)
  expect(await backAtApp()).toEqual({
    code: expect.stringMatching(/^nac_/),
    state: 'xyz',
    iss: service.url,
  })
})

test('Denial gives the app an error, and allows nothing', async () => {
  const app = await registerApp()
  await comeSignedIn()
  await page.goto(authorizeUrl(app, { companies: '559999-0016' }))
  await page.getByRole('button', { name: 'Deny' }).click()
  expect(await backAtApp()).toMatchObject({ error: 'access_denied', state: 'xyz', iss: service.url })

  await page.goto(authorizeUrl(app))
  await page.getByRole('button', { name: 'Sign and allow' }).click()
  await page.getByRole('alert').getByText('Choose a company').waitFor()
  await tick('Ekeby Handel AB').check()
  await tick('Numbers').uncheck()
  await tick('Your companies').uncheck()
  await page.getByRole('button', { name: 'Sign and allow' }).click()
  await page.getByRole('alert').getByText('Choose what the app may see').waitFor()
  await page.getByRole('button', { name: 'Deny' }).click()
  expect(await backAtApp()).toMatchObject({ error: 'access_denied' })
})

test('After another person signs in in another window, nothing is signed and the page shows the new session', async () => {
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

test('A hostile app’s name and host stay in their place, and cannot pass for text of the page', async () => {
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
