import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PhoneOrder } from '../stand-ins/bankid/orders.ts'
import { type BankIdStandIn, startBankIdStandIn } from '../stand-ins/bankid/start-bankid-stand-in.ts'
import { browserSceneForTests, owner, reader } from '../testing/browser/browser-scene.ts'
import { readCode } from '../testing/browser/read-code.ts'
import { codeOn, scanCode } from '../testing/browser/scan-code.ts'
import { lookOver } from '../testing/browser/screens.ts'

/** Complete walks through the pages with a stand-in for BankID. */

let bankId: BankIdStandIn
const scene = browserSceneForTests(async (_url, stack) => {
  bankId = stack.use(await startBankIdStandIn())
  // Each browser sends its address, as a proxy would.
  return { ...bankId.environment, NUMERA_IDENTITY: 'bankid', NUMERA_TRUST_PROXY: '1' }
})
const { authorizeUrl, backAtApp, openConnection, registerApp } = scene
let page: Page
let url: string
beforeEach(() => {
  ;({ page } = scene)
  ;({ url } = scene.service)
})
afterEach(() => bankId.answerAsUsual())

const later = { timeout: 20_000 }

const statusOn = (on: Page) => on.getByRole('main').getByRole('status')

const scan = (on: Page = page): Promise<PhoneOrder> => scanCode(bankId, on)

/** The order that was begun last. */
const newest = (): PhoneOrder => bankId.orders.all()[0]!

const begin = async (on: Page = page): Promise<void> => {
  await on.getByRole('button', { name: 'Sign in with BankID' }).click()
  await codeOn(on).waitFor()
}

const signIn = async (person = owner): Promise<void> => {
  await page.goto(`${url}/sign-in`)
  await begin()
  await (await scan()).sign(person)
  await page.getByRole('button', { name: 'Sign out' }).waitFor(later)
}

test('Signing in by scanning the code, with progress on the page', async () => {
  await page.goto(`${url}/sign-in`)
  await page.getByRole('button', { name: 'Sign in with BankID' }).waitFor()
  expect(await lookOver(page, 'bankid-begin')).toEqual([])
  await begin()
  await expect.poll(() => statusOn(page).textContent(), later).toContain('Start your BankID app.')
  expect(await lookOver(page, 'bankid-code')).toEqual([])
  const order = await scan()
  expect(order.kind).toBe('auth')
  await expect.poll(() => statusOn(page).textContent(), later).toContain('Enter your security code')
  expect(await codeOn(page).count()).toBe(0)
  expect(await lookOver(page, 'bankid-code-scanned')).toEqual([])
  await order.sign(owner)
  await page.getByRole('heading', { level: 1, name: 'Companies' }).waitFor(later)
})

test('Signing a connection: the app shows the text of the page, and no one else can sign', async () => {
  await signIn()
  await openConnection()
  await page.getByRole('button', { name: 'Sign with BankID' }).click()
  const order = await scan()
  expect(order.kind).toBe('sign')
  expect(order.request.requirement?.personalNumber).toBe(owner.personalNumber)
  expect(order.visibleText).toContain('Ekeby Handel AB')
  expect(await page.getByRole('blockquote').textContent()).toContain('Ekeby Handel AB')
  expect(await lookOver(page, 'bankid-signing')).toEqual([])
  await order.sign(owner)
  await page.getByText(/Its secret is shown only once/).waitFor(later)
  await page.goto(`${url}/signatures`)
  await page.getByText('BankID').first().waitFor(later)
  expect(await lookOver(page, 'bankid-signatures')).toEqual([])
})

test('Another person’s BankID signs nothing, and the page explains what to do', async () => {
  await signIn()
  await openConnection()
  await page.getByRole('button', { name: 'Sign with BankID' }).click()
  await (await scan()).sign(reader)
  const alert = page.getByRole('alert')
  await expect.poll(() => alert.textContent(), later).toContain('Your BankID is blocked or too old')
  expect(await alert.textContent()).toContain('Only the person who is signed in here can sign')
  expect(await lookOver(page, 'bankid-other-person')).toEqual([])
  const [, id] = /connections\/([\da-f-]+)/.exec(page.url())!
  const one = await page.request.get(`${url}/console/companies/${scene.companyId}/connections/${id}`)
  expect((await one.json()).state).toBe('unsigned')
})

test('A computer: the code gives way to the app on this device, and back', async () => {
  await page.goto(`${url}/sign-in`)
  await begin()
  const first = newest()
  await page.getByRole('button', { name: 'Use BankID on this device' }).click()
  const link = page.getByRole('link', { name: 'Open BankID on this device' })
  await link.waitFor()
  expect(await lookOver(page, 'bankid-this-device')).toEqual([])
  expect(first.status).toBe('failed')
  const [, token] = /autostarttoken=([\w-]+)/.exec((await link.getAttribute('href'))!)!
  expect(bankId.orders.autoStartToken(newest().orderRef)).toBe(token)
  await page.getByRole('button', { name: 'Use BankID on another device' }).click()
  await (await scan()).sign({ ...owner, ipAddress: '198.51.100.20' })
  await page.getByRole('heading', { level: 1, name: 'Companies' }).waitFor(later)
})

const consentByCode = async (): Promise<void> => {
  const app = await registerApp()
  await page.goto(authorizeUrl(app, { companies: '559999-0016' }))
  await begin()
  await (await scan()).sign(owner)
  await page.getByRole('button', { name: 'Sign and allow' }).click(later)
  const order = await scan()
  expect(order.visibleText).toContain('Ledger Insight')
  await order.sign(owner)
  expect(await backAtApp()).toMatchObject({ code: expect.stringMatching(/^nac_/), state: 'xyz' })
}

test('A consent on a computer: signed in and signed by code', consentByCode)

const hasOpenssl = spawnSync('openssl', ['version'], { stdio: 'ignore' }).error === undefined

test('A signed consent is verified again by the operator, and by openssl where available', async () => {
  await consentByCode()
  const { command } = scene.service
  const listed = await scene.context.request.get(`${url}/console/signatures`)
  const { signature_id: signature } = (await listed.json()).signatures[0]
  expect(await command('signature verify', { signature })).toMatchObject({ outcome: 'verified' })
  const folder = await mkdtemp(join(tmpdir(), 'numera-evidence-'))
  try {
    const target = join(folder, 'consent')
    await command('signature export', { signature, folder: target })
    if (!hasOpenssl) return
    const verify = () => spawnSync('sh', [join(target, 'verify.sh')], { encoding: 'utf8' })
    expect(verify()).toMatchObject({ status: 0, stdout: expect.stringMatching(/^The signature holds\.\n/) })
    const record = await readFile(join(target, 'record.json'))
    record[record.length - 2]! ^= 1
    await writeFile(join(target, 'record.json'), record)
    expect(verify()).toMatchObject({ status: 1, stderr: expect.stringMatching(/^Does not hold: /) })
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('A second tab continues the sign-in of the first one, and both are signed in', async () => {
  await page.goto(`${url}/sign-in`)
  await begin()
  const begun = bankId.orders.all().length
  const second = await scene.context.newPage()
  await second.goto(`${url}/sign-in`)
  await (await scan(second)).sign(owner)
  expect(bankId.orders.all()).toHaveLength(begun)
  for (const tab of [page, second]) {
    await tab.getByRole('heading', { level: 1, name: 'Companies' }).waitFor(later)
  }
})

test('A photographed code expires within seconds; the one on the screen works', async () => {
  await page.goto(`${url}/sign-in`)
  await begin()
  const stolen = await readCode(codeOn(page))
  await sleep(8_000)
  expect(() => bankId.phone.scan(stolen)).toThrow(/The QR code is \d+ s old/)
  await (await scan()).sign(owner)
  await page.getByRole('heading', { level: 1, name: 'Companies' }).waitFor(later)
})

test('The page shows every hint of a pending order', async () => {
  await page.goto(`${url}/sign-in`)
  await begin()
  const order = newest()
  const says = (text: string) => expect.poll(() => statusOn(page).textContent(), later).toContain(text)
  await says('Start your BankID app.')
  order.setHint('noClient')
  await says('Start your BankID app.')
  await scan()
  await says('Enter your security code in the BankID app and select Identify or Sign.')
  for (const [hint, text] of [
    ['started', 'An identification or signing is in progress.'],
    ['userMrtd', 'Take a photo of, and scan, your ID document with the BankID app.'],
    ['userCallConfirm', 'An identification or signing is in progress.'],
    ['userSign', 'Enter your security code'],
    ['somethingNew', 'An identification or signing is in progress.'],
  ] as const) {
    order.setHint(hint)
    await says(text)
  }
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => newest().status, later).toBe('failed')
})

test('The page shows every failure, and can try again', async () => {
  await page.goto(`${url}/sign-in`)
  await begin()
  const alert = page.getByRole('alert')
  for (const [hint, text] of [
    ['userCancel', 'The action was cancelled.'],
    ['cancelled', 'The action was cancelled. Please try again.'],
    ['expiredTransaction', 'The BankID app is not responding.'],
    ['certificateErr', 'Your BankID is blocked or too old.'],
    ['userDeclinedCall', 'Something went wrong. Please try again.'],
    ['notSupportedByUserApp', 'The app is too old.'],
    ['transactionRiskBlocked', 'BankID stopped it because it looked unsafe.'],
    ['somethingNew', 'BankID answered “somethingNew”'],
  ] as const) {
    newest().failWith(hint)
    await expect.poll(() => alert.textContent(), later).toContain(text)
    expect(await lookOver(page, `bankid-failed-${hint}`)).toEqual([])
    await page.getByRole('button', { name: 'Try again' }).click()
    await codeOn(page).waitFor(later)
  }
  newest().failWith('userCancel')
  await alert.waitFor(later)

  for (const [errorCode, status, text] of [
    ['alreadyInProgress', 400, 'already in progress'],
    ['invalidParameters', 400, 'BankID answered “invalidParameters”'],
    ['unauthorized', 401, 'BankID cannot be reached right now'],
    ['notFound', 404, 'BankID cannot be reached right now'],
    ['maintenance', 503, 'BankID cannot be reached right now'],
  ] as const) {
    bankId.answerNextWith({ path: '/auth', errorCode, status })
    const begun = page.waitForResponse(/\/console\/sign-in$/)
    await page.getByRole('button', { name: 'Try again' }).click()
    await begun
    await expect.poll(() => alert.textContent(), later).toContain(text)
  }
  expect(await lookOver(page, 'bankid-unavailable')).toEqual([])
})

test('BankID is unavailable for a while: the page recovers, and so does the order', async () => {
  await page.goto(`${url}/sign-in`)
  await begin()
  bankId.answerNextWith({ path: '/collect', hangUp: true, times: 2 })
  const before = bankId.calls.length
  const order = await scan()
  await expect.poll(() => bankId.calls.length - before, later).toBeGreaterThan(2)
  await order.sign(owner)
  await page.getByRole('heading', { level: 1, name: 'Companies' }).waitFor(later)
})

test.for(['person', 'hash', 'certificate-revoked'] as const)(
  'A completed order that cannot be verified signs no one in: %s',
  async (tamper) => {
    await page.goto(`${url}/sign-in`)
    await begin()
    await (await scan()).sign({ ...owner, tamper })
    const alert = page.getByRole('alert')
    await expect.poll(() => alert.textContent(), later).toContain('could not be verified')
    expect((await page.request.get(`${url}/console/session`)).status()).toBe(401)
  },
)
