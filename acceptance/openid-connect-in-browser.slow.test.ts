import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type BankIdStandIn, startBankIdStandIn } from '../stand-ins/bankid/start-bankid-stand-in.ts'
import {
  type OpenIdProviderStandIn,
  startOpenIdProvider,
} from '../stand-ins/openid-provider/start-openid-provider.ts'
import { browserSceneForTests, owner, reader } from '../testing/browser/browser-scene.ts'
import { scanCode } from '../testing/browser/scan-code.ts'
import { lookOver } from '../testing/browser/screens.ts'

/** Complete walks through the pages, with stand-ins for an OpenID Connect provider that signs people in and for BankID. */

let bankId: BankIdStandIn
let provider: OpenIdProviderStandIn
const scene = browserSceneForTests(async (url, stack) => {
  bankId = stack.use(await startBankIdStandIn())
  const people = [{ personalNumber: reader.personalNumber, givenName: 'Lena', surname: 'Läsare' }]
  provider = stack.use(await startOpenIdProvider({ relyingParty: url, people }))
  return { ...bankId.environment, ...provider.environment, NUMERA_IDENTITY: 'oidc+bankid' }
})
const { authorizeUrl, backAtApp, openConnection, registerApp } = scene
let page: Page
let url: string
beforeEach(() => {
  ;({ page } = scene)
  ;({ url } = scene.service)
})
afterEach(() => provider.answerAsUsual())

const later = { timeout: 20_000 }

/** The member goes to the provider, and signs in there as this person. */
const signIn = async ({ personalNumber } = owner): Promise<void> => {
  await page.getByRole('button', { name: 'Sign in with electronic identity' }).click()
  await page.waitForURL(`${provider.issuer}/**`, later)
  await page.getByRole('button', { name: personalNumber }).click()
}

/** The page says why the sign-in failed. @param picture the rest of its name */
const expectFailed = async (text: string, picture: string): Promise<void> => {
  const alert = page.getByRole('alert')
  await expect.poll(() => alert.textContent(), later).toContain(text)
  expect(await lookOver(page, `openid-connect-${picture}`)).toEqual([])
  expect((await page.request.get(`${url}/console/session`)).status()).toBe(401)
}

test('A consent: signed in at the provider, back at the same request, and signed with BankID by that person', async () => {
  const app = await registerApp()
  await page.goto(authorizeUrl(app, { companies: '559999-0016' }))
  await page.getByRole('button', { name: 'Sign in with electronic identity' }).waitFor()
  expect(await lookOver(page, 'openid-connect-begin')).toEqual([])
  await signIn()
  await page.getByRole('button', { name: 'Sign and allow' }).click(later)
  const order = await scanCode(bankId, page)
  expect(order.request.requirement?.personalNumber).toBe(owner.personalNumber)
  expect(await lookOver(page, 'openid-connect-signing')).toEqual([])
  await order.sign(owner)
  expect(await backAtApp()).toMatchObject({ code: expect.stringMatching(/^nac_/), state: 'xyz' })
})

test('A connection is signed with BankID by the person whom the provider has signed in', async () => {
  await page.goto(`${url}/sign-in`)
  await signIn()
  await page.getByRole('heading', { level: 1, name: 'Companies' }).waitFor(later)
  await openConnection('Kassan')
  await page.getByRole('button', { name: 'Sign with BankID' }).click()
  const order = await scanCode(bankId, page)
  expect(order.visibleText).toContain('Kassan')
  await order.sign(owner)
  await page.getByText(/is shown only once/).waitFor(later)
})

test('After cancelling at the provider, the person can try again', async () => {
  await page.goto(`${url}/sign-in`)
  await page.getByRole('button', { name: 'Sign in with electronic identity' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expectFailed('You refused in the electronic identity', 'refused')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('button', { name: owner.personalNumber }).click()
  await page.getByRole('heading', { level: 1, name: 'Companies' }).waitFor(later)
})

test('An answer of the provider that cannot be verified signs no one in', async () => {
  await page.goto(`${url}/sign-in`)
  provider.spoilNextIdToken({ claims: { nonce: 'of-another-request' } })
  await signIn()
  await expectFailed('could not be verified', 'not-verified')
})

test('The provider is unavailable when the person returns: the page says so', async () => {
  await page.goto(`${url}/sign-in`)
  provider.answerNextWith({ path: '/token', status: 503 })
  await signIn()
  await expectFailed('cannot be reached right now', 'unavailable')
})

const logOut = async (): Promise<void> => {
  const logoutToken = await provider.createLogoutToken(provider.signIns.at(-1)!)
  const answer = await fetch(`${url}/sign-in/back-channel-logout`, {
    method: 'POST',
    body: new URLSearchParams({ logout_token: logoutToken }),
  })
  expect(answer.status).toBe(200)
}

test('The provider ends the sign-in while the person returns: the page says that this attempt is over', async () => {
  await page.goto(`${url}/sign-in`)
  await page.getByRole('button', { name: 'Sign in with electronic identity' }).click()
  await page.waitForURL(`${provider.issuer}/**`, later)
  await page.route('**/collect', async (route) => {
    await logOut()
    await route.continue()
  })
  await page.getByRole('button', { name: reader.personalNumber }).click()
  await expectFailed('This attempt is over. Start again.', 'ended')
})

test('The provider ends the sign-in: the session here is over, and the page says so', async () => {
  await page.goto(`${url}/sign-in`)
  await signIn(reader)
  await page.getByRole('heading', { level: 1, name: 'Reports' }).waitFor(later)
  await logOut()
  await page.reload()
  await page.getByRole('button', { name: 'Sign in with electronic identity' }).waitFor(later)
})
