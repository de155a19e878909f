import { describe, expect, test } from 'vitest'
import {
  againNames,
  code,
  eventually,
  facts,
  inDevices,
  iPhone,
  launch,
  pending,
  presentations,
  signingIn,
  type SignInProgress,
  start,
  status,
  toOther,
  toThis,
  waitingHere,
} from '../testing/bankid-scene.ts'
import { appMissing, failureMessages, pendingMessages, searching } from '../testing/bankid-texts.ts'
import { startPages } from '../testing/start-pages.ts'

const open = startPages()

const locales = { en: 'en-GB', sv: 'sv-SE' } as const

describe.each(['en', 'sv'] as const)('The texts that BankID recommends, in %s,', (language) => {
  const locale = locales[language]

  test('are shown for each hint with a scanned code on a computer', async () => {
    let hint = 'outstandingTransaction'
    const { page } = await open(
      '/sign-in',
      signingIn(() => pending(hint)),
      { facts, locale },
    )
    await start(page).click()
    for (const [given, message] of pendingMessages[language]) {
      hint = given
      await page.clock.runFor(2_000)
      await eventually(() => status(page).textContent()).toBe(message)
    }
  })

  test('are shown for each hint with the app on a phone, and without it', async () => {
    let answer: SignInProgress = waitingHere()
    const { page } = await open(
      '/sign-in',
      signingIn(() => answer),
      { ...iPhone, facts, locale },
    )
    await start(page).click()
    await launch(page)
    for (const [given, , message] of pendingMessages[language]) {
      answer = pending(given, presentations.this)
      await page.clock.runFor(2_000)
      await eventually(() => status(page).textContent()).toBe(message)
    }
    answer = { state: 'failed', reason: 'startFailed' }
    await page.clock.runFor(2_000)
    await page.getByRole('alert').getByText(appMissing[language]).waitFor()
    await page.getByRole('alert').getByText('install.bankid.com').waitFor()
  })

  test('follow the device of the order, before and after switching', async () => {
    const { replies, wait } = inDevices()
    const { page } = await open('/sign-in', replies, { facts, locale })
    await start(page).click()
    await code(page).waitFor()
    await toThis(page).click()
    await launch(page)
    const [outstanding] = pendingMessages[language]
    await eventually(() => status(page).textContent()).toBe(outstanding![2])
    wait('started')
    await page.clock.runFor(2_000)
    await eventually(() => status(page).textContent()).toBe(searching[language])
    wait('outstandingTransaction')
    await page.clock.runFor(2_000)
    await eventually(() => status(page).textContent()).toBe(outstanding![2])
    await toOther(page).click()
    await code(page).waitFor()
    await eventually(() => status(page).textContent()).toBe(outstanding![1])
  })

  test('are shown for each failure, with what to do next and a retry button', async () => {
    let reason = 'userCancel'
    const { page, sentTo } = await open(
      '/sign-in',
      signingIn(() => ({ state: 'failed', reason })),
      { facts, locale },
    )
    await start(page).click()
    for (const [given, message, next] of failureMessages[language]) {
      if (given !== reason) {
        reason = given
        await page.getByRole('button', { name: againNames }).press('Enter')
      }
      const alert = page.getByRole('alert')
      await alert.getByText(next).waitFor()
      expect(await alert.textContent()).toContain(message)
      const again = page.getByRole('button', { name: againNames })
      await eventually(() => again.evaluate((button) => button === document.activeElement)).toBe(true)
    }
    expect(sentTo('POST /console/sign-in')).toHaveLength(failureMessages[language].length)
  })
})
