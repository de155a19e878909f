import type { Page } from 'playwright-core'
import { decodeQR } from 'qr/decode.js'
import { describe, expect, test } from 'vitest'
import { lookOver } from '../../acceptance/screens.ts'
import type { ApiResponse } from './api/call-api.ts'
import { apiError, type Replies } from './testing/api-stub.ts'
import {
  exampleCompany,
  exampleConnection,
  exampleConsent,
  exampleOrder,
  exampleSession,
  exampleSignature,
} from './testing/examples.ts'
import { inTurn, signedOut, unreachable } from './testing/replies.ts'
import { startPagesForTests } from './testing/start-pages-for-tests.ts'

const open = startPagesForTests()

type SignInProgress = ApiResponse<'POST /console/sign-in/{order_id}/collect'>

const collectSignIn = 'POST /console/sign-in/{order_id}/collect'
const launch_url = 'https://app.bankid.com/?autostarttoken=67df3917'
const facts = { signIn: 'bankid' }
const iPhone = {
  userAgent:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
  viewport: { width: 390, height: 844 },
  hasTouch: true,
}

const byBankId = { provider: 'bankid', demo: false, signs: true }
const ekeby = exampleCompany()
const member = () => exampleSession({ companies: [ekeby], identity: byBankId })

/** A busy machine takes its time. */
const eventually = <Value>(look: () => Value | Promise<Value>) => expect.poll(look, { timeout: 10_000 })

/** As long as BankID's: what the code of a second is read as. */
function codeOf(second: number): string {
  return `bankid.67df3917-fa0d-44e5-b327-edcc928297f8.${second}.${'d69be3'.repeat(10)}${1000 + second}`
}

function pending(hint: string, presentation: SignInProgress['presentation'] = {}) {
  return {
    state: 'pending' as const,
    hint,
    presentation: { launch_url, qr_text: codeOf(0), ...presentation },
  }
}

const waiting = () => pending('outstandingTransaction')

const begun = () => exampleOrder({ demo: false, presentation: { launch_url, qr_text: codeOf(0) } })

/** Someone who is signed out, and what the service says of their order. */
function signingIn(collect: () => SignInProgress | Response): Replies {
  return {
    'GET /console/session': signedOut,
    'POST /console/sign-in': begun,
    [collectSignIn]: collect,
    'POST /console/sign-in/{order_id}/cancel': () => undefined,
  }
}

const startNames = /^(Sign in|Logga in) (with|med) BankID$/
const hereNames = /^(Open BankID on this device|Öppna BankID på den här enheten)$/
const otherNames = /^(Use BankID on another device|Använd BankID på en annan enhet)$/
const againNames = /^(Try again|Försök igen)$/
const codeNames = /^(QR code to be scanned|QR-kod att läsa av) (with the|med) BankID-?\s?app(en)?$/

const status = (page: Page) => page.getByRole('main').getByRole('status')
const code = (page: Page) => page.getByRole('img', { name: codeNames })
const start = (page: Page) => page.getByRole('button', { name: startNames })
const here = (page: Page) => page.getByRole('link', { name: hereNames })

/** Opens the app, which is not there: the page stays. */
async function launch(page: Page): Promise<void> {
  await page.route('https://app.bankid.com/**', (route) => route.fulfill({ status: 204 }))
  await here(page).click()
}

/** What a camera reads on the screen. */
async function scan(page: Page): Promise<string | undefined> {
  const picture = await code(page).screenshot()
  const { width, height, data } = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    const bitmap = await createImageBitmap(new Blob([bytes]))
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!
    context.drawImage(bitmap, 0, 0)
    const { width, height, data } = context.getImageData(0, 0, bitmap.width, bitmap.height)
    return { width, height, data: Array.from(data.filter((_value, index) => index % 4 === 0)) }
  }, picture.toString('base64'))
  const grey = Uint8Array.from({ length: width * height * 4 }, (_value, index) => data[index >> 2]!)
  try {
    return decodeQR({ width, height, data: grey })
  } catch {
    return undefined
  }
}

/** What the code says, as it is drawn: module by module. */
async function read(page: Page): Promise<string | undefined> {
  const scale = 3
  const shown = code(page)
  const size = Number((await shown.getAttribute('viewBox'))!.split(' ')[2])
  const path = (await shown.locator('path').getAttribute('d'))!
  const width = size * scale
  const data = new Uint8Array(width * width * 4).fill(255)
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)/g)) {
    for (let line = 0; line < scale; line++) {
      const from = ((Number(y) * scale + line) * width + Number(x) * scale) * 4
      data.fill(0, from, from + Number(length) * scale * 4)
    }
  }
  return decodeQR({ width, height: width, data })
}

/** What BankID recommends to say of a pending order (hint, code scanned on a computer, opened on a phone). */
const pendingMessages: Record<'en' | 'sv', [hint: string, scanned: string, opened: string][]> = {
  en: [
    ['outstandingTransaction', 'Start your BankID app.', 'Trying to start your BankID app.'],
    ['noClient', 'Start your BankID app.', 'Start your BankID app.'],
    [
      'started',
      'Searching for BankID. Make sure you have a valid BankID on this computer. If you have a BankID on card, please insert the card into your card reader.',
      'Searching for BankID. Make sure you have a valid BankID on this device.',
    ],
    ...same('userMrtd', 'Take a photo of, and scan, your ID document with the BankID app.'),
    ...same('userSign', 'Enter your security code in the BankID app and select Identify or Sign.'),
    ...same('userCallConfirm', 'An identification or signing is in progress.'),
    ...same('processing', 'An identification or signing is in progress.'),
  ],
  sv: [
    ['outstandingTransaction', 'Starta BankID-appen.', 'Försöker starta BankID-appen.'],
    ['noClient', 'Starta BankID-appen.', 'Starta BankID-appen.'],
    [
      'started',
      'Söker efter BankID. Säkerställ att du har ett giltigt BankID på den här datorn. Om du har ett BankID på kort, sätt in kortet i kortläsaren.',
      'Söker efter BankID. Säkerställ att du har ett giltigt BankID på den här enheten.',
    ],
    ...same('userMrtd', 'Fotografera och läs av din ID-handling med BankID-appen.'),
    ...same('userSign', 'Skriv in din säkerhetskod i BankID-appen och välj Identifiera eller Skriv under.'),
    ...same('userCallConfirm', 'En identifiering eller underskrift pågår.'),
    ...same('processing', 'En identifiering eller underskrift pågår.'),
  ],
}

function same(hint: string, message: string): [string, string, string][] {
  return [[hint, message, message]]
}

/** What is said of an order that failed: BankID's words, and a part of what to do next. */
const failureMessages: Record<'en' | 'sv', [reason: string, message: string, next: string][]> = {
  en: [
    ['userCancel', 'The action was cancelled.', 'You can begin again'],
    ['cancelled', 'The action was cancelled. Please try again.', 'End that one first'],
    [
      'alreadyInProgress',
      'An identification or signature is already in progress for your personal identity number. Please try again.',
      'Close what the app shows',
    ],
    ['maintenance', 'Something went wrong. Please try again.', 'wait a few minutes'],
    [
      'expiredTransaction',
      'The BankID app is not responding. Please check that it’s started and that you have internet access. Try again.',
      'The phone with the app must be on the internet',
    ],
    [
      'certificateErr',
      'Your BankID is blocked or too old. Please use another BankID or get a new one from your bank.',
      'You order a new one in your bank’s app',
    ],
    [
      'startFailed',
      'Failed to scan the QR code. Start the BankID app and scan the QR code.',
      'A new code is shown when you try again',
    ],
    ['notSupportedByUserApp', 'Something went wrong. Please try again.', 'Update it in your app store'],
    [
      'transactionRiskBlocked',
      'Something went wrong. Please try again.',
      'Use a device and a network of your own',
    ],
    ['userDeclinedCall', 'Something went wrong. Please try again.', 'BankID said “userDeclinedCall”'],
    ['newWord', 'Something went wrong. Please try again.', 'BankID said “newWord”'],
    ['unavailable', 'BankID cannot be reached just now.', 'Wait a few minutes'],
    ['not_verified', 'What BankID answered could not be verified', 'tell whoever runs this service'],
    ['expired', 'It was not answered in time.', 'answer within a few minutes'],
  ],
  sv: [
    ['userCancel', 'Åtgärden avbröts.', 'Du kan börja om'],
    ['cancelled', 'Åtgärden avbröts. Försök igen.', 'Avsluta den först'],
    [
      'alreadyInProgress',
      'En identifiering eller underskrift pågår redan för ditt personnummer. Försök igen.',
      'Stäng det som appen visar',
    ],
    ['maintenance', 'Något gick fel. Försök igen.', 'vänta några minuter'],
    [
      'expiredTransaction',
      'BankID-appen svarar inte. Kontrollera att den är startad och att du har internetanslutning. Försök sedan igen.',
      'Även telefonen med appen',
    ],
    [
      'certificateErr',
      'Ditt BankID är för gammalt eller spärrat. Använd ett annat BankID eller skaffa ett nytt hos din bank.',
      'Du beställer ett nytt i bankens app',
    ],
    [
      'startFailed',
      'Misslyckades att läsa av QR-koden. Starta BankID-appen och läs av QR-koden.',
      'En ny kod visas när du försöker igen',
    ],
    ['notSupportedByUserApp', 'Något gick fel. Försök igen.', 'Uppdatera den först i din appbutik'],
    ['transactionRiskBlocked', 'Något gick fel. Försök igen.', 'Använd en egen enhet'],
    ['userDeclinedCall', 'Något gick fel. Försök igen.', 'BankID svarade ”userDeclinedCall”'],
    ['newWord', 'Något gick fel. Försök igen.', 'BankID svarade ”newWord”'],
    ['unavailable', 'BankID går inte att nå just nu.', 'Vänta några minuter'],
    ['not_verified', 'Svaret från BankID gick inte att kontrollera', 'säg till den som driver tjänsten'],
    ['expired', 'Det besvarades inte i tid.', 'svara inom några minuter'],
  ],
}

const appMissing = {
  en: 'You don’t seem to have the BankID app/program. Please install it and get a BankID from your bank.',
  sv: 'Du verkar inte ha BankID-appen/programmet. Installera den och skaffa ett BankID hos din bank.',
}

const locales = { en: 'en-GB', sv: 'sv-SE' } as const

describe.each(['en', 'sv'] as const)('What BankID recommends to say, in %s', (language) => {
  const locale = locales[language]

  test('is said of each hint, where a code is scanned on a computer', async () => {
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

  test('is said of each hint, where the app was opened on a phone, and where it is missing', async () => {
    let answer: SignInProgress = waiting()
    const { page } = await open(
      '/sign-in',
      signingIn(() => answer),
      { ...iPhone, facts, locale },
    )
    await start(page).click()
    await launch(page)
    for (const [given, , message] of pendingMessages[language]) {
      answer = pending(given)
      await page.clock.runFor(2_000)
      await eventually(() => status(page).textContent()).toBe(message)
    }
    answer = { state: 'failed', reason: 'startFailed' }
    await page.clock.runFor(2_000)
    await page.getByRole('alert').getByText(appMissing[language]).waitFor()
    await page.getByRole('alert').getByText('install.bankid.com').waitFor()
  })

  test('is said of each failure, with what to do next and a button that tries again', async () => {
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

describe('The QR code', () => {
  test('is what the service says, second by second, light in the dark too, and the screen reader hears of none', async () => {
    let second = 0
    const { page } = await open(
      '/sign-in',
      signingIn(() => pending('outstandingTransaction', { qr_text: codeOf(second) })),
      { facts, colorScheme: 'dark' },
    )
    await start(page).click()
    await code(page).waitFor()
    await eventually(() => scan(page)).toBe(codeOf(0))
    expect(await code(page).evaluate((svg) => getComputedStyle(svg).backgroundColor)).toBe(
      'rgb(255, 255, 255)',
    )
    await page.evaluate(() => {
      const changes: string[] = []
      Object.assign(globalThis, { changes })
      const watched = { subtree: true, childList: true, characterData: true, attributes: true }
      for (const region of document.querySelectorAll('[role="status"], [role="alert"], [aria-live]')) {
        new MutationObserver(() => changes.push(region.textContent!)).observe(region, watched)
      }
    })
    for (second = 1; second <= 4; second++) {
      await page.clock.runFor(1_000)
      await eventually(() => read(page)).toBe(codeOf(second))
    }
    expect(await page.evaluate(() => (globalThis as unknown as { changes: string[] }).changes)).toEqual([])
  })

  test('goes once it is scanned, and what is waited for is said once', async () => {
    let answer: SignInProgress = waiting()
    const { page } = await open(
      '/sign-in',
      signingIn(() => answer),
      { facts },
    )
    await start(page).click()
    await code(page).waitFor()
    expect(await lookOver(page, 'bankid-qr')).toEqual([])
    answer = { state: 'pending', hint: 'userSign', presentation: {} }
    await page.clock.runFor(2_000)
    await code(page).waitFor({ state: 'detached' })
    await page.getByText('Enter your security code').waitFor()
    expect(await here(page).count()).toBe(0)
    expect(await lookOver(page, 'bankid-in-app')).toEqual([])
  })

  test('is not shown while there is no contact, and comes back with it', async () => {
    let reply: () => SignInProgress | Response = waiting
    const { page } = await open(
      '/sign-in',
      signingIn(() => reply()),
      { facts },
    )
    await start(page).click()
    await code(page).waitFor()
    reply = unreachable
    await page.clock.runFor(2_000)
    await page.getByRole('alert').getByText('There is no contact with the service').waitFor()
    await code(page).waitFor({ state: 'detached' })
    reply = () => pending('outstandingTransaction', { qr_text: codeOf(7) })
    await page.clock.runFor(2_000)
    await eventually(() => page.getByRole('alert').count()).toBe(0)
    await eventually(() => read(page)).toBe(codeOf(7))
  })

  test('whose script does not arrive leaves the other way, and says so', async () => {
    const { page, complaints } = await open('/sign-in', signingIn(waiting), { facts })
    await page.route('**/qr-code*.js', (route) => route.abort())
    await start(page).click()
    await page.getByText('Load the page again').waitFor()
    await here(page).waitFor()
    // What the browser says of it is no fault of the page.
    complaints.length = 0
  })
})

describe('The card', () => {
  test('has the code first on a computer, and all of it by keyboard', async () => {
    const { page, sentTo } = await open('/sign-in', signingIn(waiting), { facts })
    await start(page).press('Enter')
    await code(page).waitFor()
    await page.getByRole('heading', { level: 1, name: 'Identify yourself' }).waitFor()
    expect(await here(page).getAttribute('href')).toBe(launch_url)
    expect(await page.getByRole('button', { name: otherNames }).count()).toBe(0)
    const focused = () => page.locator(':focus').innerText()
    await eventually(focused).toBe('Identify yourself')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Open BankID on this device')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Cancel')
    await page.keyboard.press('Enter')
    await start(page).waitFor()
    await eventually(() => sentTo('POST /console/sign-in/{order_id}/cancel')).toEqual([{}])
    expect(sentTo('POST /console/sign-in')).toEqual([{ return_to: '/sign-in' }])
    // It is not gone on with.
    await page.reload()
    await start(page).waitFor()
  })

  test('has the app first on a phone, asks every other second there, and the code behind another device', async () => {
    const { page, sentTo } = await open('/sign-in', signingIn(waiting), { ...iPhone, facts })
    await start(page).click()
    await here(page).waitFor()
    expect(await code(page).count()).toBe(0)
    expect(await lookOver(page, 'bankid-phone')).toEqual([])
    await page.getByRole('button', { name: otherNames }).click()
    await code(page).waitFor()
    expect(await page.getByRole('button', { name: otherNames }).count()).toBe(0)
    await eventually(() => scan(page)).toBe(codeOf(0))
    await launch(page)
    await page.getByText('Trying to start your BankID app.').waitFor()
    await code(page).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: otherNames }).waitFor()
    expect(sentTo('POST /console/sign-in')).toHaveLength(1)
  })

  test('counts down the time that is left, where nothing reads it out', async () => {
    const { page } = await open(
      '/sign-in',
      {
        ...signingIn(waiting),
        'POST /console/sign-in': () => ({ ...begun(), expires_at: '2026-11-20T10:05:00Z' }),
      },
      { facts },
    )
    await start(page).click()
    const timer = page.getByRole('timer')
    await timer.waitFor()
    await page.clock.pauseAt('2026-11-20T10:02:00Z')
    await page.clock.runFor(1_000)
    await eventually(() => timer.textContent()).toBe('Time left: 2:59')
    expect(await timer.evaluate((element) => element.closest('[role="status"], [aria-live]'))).toBeNull()
    await page.clock.runFor(56_000)
    await eventually(() => timer.textContent()).toBe('Time left: 2:03')
  })

  test('over a page whose session ended gives up by Escape, and stays', async () => {
    let isSignedIn = true
    const { page, sentTo } = await open(
      '/signatures',
      {
        ...signingIn(waiting),
        'GET /console/session': () => (isSignedIn ? member() : signedOut()),
        'GET /console/signatures': () => (isSignedIn ? { signatures: [], next_cursor: null } : signedOut()),
        'GET /console/apps': signedOut,
      },
      { facts },
    )
    await page.getByRole('heading', { level: 1, name: 'Your signatures' }).waitFor()
    isSignedIn = false
    await page.getByRole('link', { name: 'Your apps' }).click()
    const over = page.getByRole('dialog')
    await over.getByRole('button', { name: startNames }).click()
    await over.getByRole('img', { name: codeNames }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await over.getByRole('button', { name: startNames }).waitFor()
    await eventually(() => sentTo('POST /console/sign-in/{order_id}/cancel')).toEqual([{}])
    expect(await over.isVisible()).toBe(true)
  })
})

/** The same for a page that shows once someone is signed in. */
function signingInOn(collect: () => SignInProgress | Response, isSignedIn: () => boolean): Replies {
  return {
    ...signingIn(collect),
    'GET /console/session': () => (isSignedIn() ? member() : signedOut()),
    'GET /console/signatures': () => ({ signatures: [], next_cursor: null }),
  }
}

/** Gives the session to the first that asks once it is there. */
function inTurnOnce(
  isAnswered: () => boolean,
  next: () => SignInProgress | Response,
): () => SignInProgress | Response {
  let isUsed = false
  return () => {
    if (!isAnswered()) return pending('outstandingTransaction')
    if (isUsed) return next()
    isUsed = true
    return { state: 'complete' }
  }
}

describe('A sign-in goes on', () => {
  const title = { level: 1, name: 'Your signatures' } as const

  test('after the page was loaded again, with the code and what was done before', async () => {
    let isSignedIn = false
    const { page, sentTo } = await open(
      '/signatures?a=%C3%A4',
      signingInOn(
        () => (isSignedIn ? { state: 'complete' } : pending('outstandingTransaction')),
        () => isSignedIn,
      ),
      { ...iPhone, facts },
    )
    await start(page).click()
    await launch(page)
    await page.getByText('Trying to start your BankID app.').waitFor()
    // Nothing that opens the app stays behind.
    const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))
    expect(kept).toContain('order-1')
    expect(kept).not.toContain('67df3917')
    await page.reload()
    await page.getByText('Trying to start your BankID app.').waitFor()
    isSignedIn = true
    await page.clock.runFor(2_000)
    await page.getByRole('heading', title).waitFor()
    expect(sentTo('POST /console/sign-in')).toEqual([{ return_to: '/signatures?a=%C3%A4' }])
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([])
  })

  test.each<[string, () => SignInProgress | Response]>([
    ['that it was collected', () => ({ state: 'failed', reason: 'used' })],
    // The cookie of the order goes when the session comes.
    ['of no such order', () => apiError(404, 'not_found')],
  ])('in the tab that one comes back to, and the first tab, told %s, goes on too', async (_what, next) => {
    let isSignedIn = false
    const { page } = await open(
      '/signatures',
      signingInOn(
        inTurnOnce(() => isSignedIn, next),
        () => isSignedIn,
      ),
      { facts },
    )
    await start(page).click()
    await code(page).waitFor()
    const second = await page.context().newPage()
    await second.goto('https://numera.test/signatures')
    await code(second).waitFor()
    isSignedIn = true
    await second.getByRole('heading', title).waitFor()
    await page.clock.runFor(2_000)
    await page.getByRole('heading', title).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test.each<[string, () => SignInProgress | Response]>([
    ['another browser began', () => apiError(404, 'not_found')],
    ['is over', () => ({ state: 'failed', reason: 'ended' })],
    ['nobody scanned', () => ({ state: 'failed', reason: 'startFailed' })],
  ])('only where it can: an order that %s is dropped without a word', async (_name, answer) => {
    let reply: () => SignInProgress | Response = waiting
    const { page } = await open(
      '/signatures',
      signingInOn(
        () => reply(),
        () => false,
      ),
      { facts },
    )
    await start(page).click()
    await code(page).waitFor()
    // Its old page hears nothing of it.
    await page.goto('https://elsewhere.test/')
    reply = answer
    await page.goto('https://numera.test/signatures')
    await start(page).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await eventually(() => page.evaluate(() => Object.keys(localStorage))).toEqual([])
  })

  test('with what came of it in the app, which is told', async () => {
    let reply: () => SignInProgress = waiting
    const { page } = await open(
      '/signatures',
      signingInOn(
        () => reply(),
        () => false,
      ),
      { ...iPhone, facts },
    )
    await start(page).click()
    await here(page).waitFor()
    reply = () => ({ state: 'failed', reason: 'userCancel' })
    // The app's address leads away where there is no app.
    await here(page).click()
    await page.waitForURL(launch_url)
    await page.goto('https://numera.test/signatures')
    await page.getByRole('alert').getByText('The action was cancelled.').waitFor()
  })

  test('not after a quarter of an hour, nor with what no page wrote', async () => {
    const { page, calls } = await open(
      '/signatures',
      signingInOn(waiting, () => false),
      { facts },
    )
    await start(page).click()
    await code(page).waitFor()
    await page.evaluate(() => {
      const key = 'numera.order.sign-in'
      const kept = JSON.parse(localStorage.getItem(key)!) as { forgottenAtMs: number }
      localStorage.setItem(key, JSON.stringify({ ...kept, forgottenAtMs: Date.now() - 1 }))
    })
    await page.reload()
    await start(page).waitFor()
    await page.evaluate(() => localStorage.setItem('numera.order.sign-in', '{"order_id":'))
    calls.length = 0
    await page.reload()
    await start(page).waitFor()
    expect(calls.map(({ operation }) => operation)).toEqual(['GET /console/session'])
  })
})

describe('With an OpenID Connect provider', () => {
  const oidc = { signIn: 'oidc' }
  const open_url = 'https://identity.example/authorize?request=1'

  test('one goes there in the same window and comes back signed in, to all of the address', async () => {
    let isSignedIn = false
    const { page, sentTo } = await open(
      '/invitations#token-1',
      {
        'GET /console/session': () => (isSignedIn ? member() : signedOut()),
        'POST /console/sign-in': () => exampleOrder({ demo: false, presentation: { open_url } }),
        [collectSignIn]: () => {
          isSignedIn = true
          return { state: 'complete' }
        },
        'POST /console/invitations/show': () => apiError(404, 'not_found'),
      },
      { facts: oidc },
    )
    await page.getByRole('button', { name: 'Sign in with electronic identity' }).click()
    await page.waitForURL(open_url)
    expect(page.context().pages()).toHaveLength(1)
    await page.goto('https://numera.test/invitations')
    await eventually(() => sentTo('POST /console/invitations/show')).toEqual([{ token: 'token-1' }])
    expect(sentTo('POST /console/sign-in')).toEqual([{ return_to: '/invitations' }])
  })

  test('one who goes back finds the way there again, and can give it up', async () => {
    const { page } = await open(
      '/sign-in',
      {
        ...signingIn(() => ({ state: 'pending', hint: 'outstanding', presentation: { open_url } })),
        'POST /console/sign-in': () => exampleOrder({ demo: false, presentation: { open_url } }),
      },
      { facts: oidc },
    )
    await page.getByRole('button', { name: 'Sign in with electronic identity' }).click()
    await page.waitForURL(open_url)
    await page.goto('https://numera.test/sign-in')
    const link = page.getByRole('link', { name: 'Go on to your electronic identity' })
    await link.waitFor()
    expect([await link.getAttribute('href'), await link.getAttribute('target')]).toEqual([open_url, null])
    expect(await lookOver(page, 'oidc-waiting')).toEqual([])
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Sign in with electronic identity' }).waitFor()
  })

  test('one is told kindly that it is away', async () => {
    const { page } = await open(
      '/sign-in',
      signingIn(() => ({ state: 'failed', reason: 'unavailable' })),
      { facts: oidc },
    )
    await page.getByRole('button', { name: 'Sign in with electronic identity' }).click()
    await page.getByRole('alert').getByText('The electronic identity cannot be reached just now.').waitFor()
  })
})

const made = exampleConnection({
  state: 'made',
  signature_id: null,
  signed_at: null,
  signed_with: null,
  expires_at: null,
  credentials: [],
})
const connectionPath = `/companies/${ekeby.company_id}/connections/${made.connection_id}`
const signConnection = 'POST /console/companies/{company_id}/connections/{connection_id}/sign'
const collectConnection =
  'POST /console/companies/{company_id}/connections/{connection_id}/sign/{order_id}/collect'
const text = 'The connection “Ledger nightly” may send numbers.'

describe('A signature with BankID', () => {
  const signed = exampleConnection()
  const ofConnection: Replies = {
    'GET /console/session': member,
    'GET /console/companies/{company_id}/connections/{connection_id}': () => made,
    'GET /console/companies/{company_id}/connections': () => ({ connections: [made], next_cursor: null }),
    'GET /console/companies/{company_id}/sources': () => ({ sources: [], next_cursor: null }),
    [signConnection]: () => ({ ...begun(), visible_text: text }),
  }

  test('of a connection goes on after the page was loaded again, with its text, and its secret is shown', async () => {
    let isSigned = false
    const { page, sentTo } = await open(
      connectionPath,
      {
        ...ofConnection,
        [collectConnection]: () =>
          isSigned
            ? { state: 'complete', connection: signed, secret: 'ncs_1' }
            : { ...waiting(), visible_text: text },
      },
      { facts },
    )
    await page.getByRole('button', { name: 'Sign with BankID' }).click()
    await page.getByRole('blockquote').getByText(text).waitFor()
    await code(page).waitFor()
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('Ledger')
    await page.reload()
    await page.getByRole('blockquote').getByText(text).waitFor()
    expect(await page.getByRole('blockquote').getAttribute('lang')).toBe('en')
    await code(page).waitFor()
    expect(await lookOver(page, 'connection-bankid')).toEqual([])
    isSigned = true
    await page.clock.runFor(2_000)
    await page.getByRole('heading', { level: 1, name: 'Keep the secret now' }).waitFor()
    expect(sentTo(signConnection)).toEqual([{ language: 'en', return_to: connectionPath }])
  })

  test('of a connection that another person began here is dropped', async () => {
    let reply: () => Response | ApiResponse<typeof collectConnection> = waiting
    const { page } = await open(
      connectionPath,
      { ...ofConnection, [collectConnection]: () => reply() },
      { facts },
    )
    await page.getByRole('button', { name: 'Sign with BankID' }).click()
    await code(page).waitFor()
    await page.goto('https://elsewhere.test/')
    reply = () => apiError(404, 'not_found')
    await page.goto(`https://numera.test${connectionPath}`)
    await page.getByRole('button', { name: 'Sign with BankID' }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('of a consent goes on in another tab at the same address, and at no other', async () => {
    const address = '/oauth/authorize?client_id=app-1&state=a%20b'
    const callback = 'https://ledger.example/callback?code=nac_1'
    let isSigned = false
    const { page, sentTo } = await open(
      address,
      {
        'GET /console/session': member,
        'POST /console/authorize': () => exampleConsent(),
        'POST /console/authorize/sign': () => ({ ...begun(), state: 'signing', visible_text: text }),
        'POST /console/authorize/sign/{order_id}/collect': () =>
          isSigned ? { state: 'complete', location: callback } : { ...waiting(), visible_text: text },
      },
      { facts },
    )
    await page.getByRole('button', { name: 'Sign and allow' }).click()
    await code(page).waitFor()
    expect(sentTo('POST /console/authorize/sign')).toMatchObject([{ return_to: address }])
    const other = await page.context().newPage()
    await other.goto('https://numera.test/oauth/authorize?client_id=app-1&state=other')
    await other.getByRole('button', { name: 'Sign and allow' }).waitFor()
    await other.goto(`https://numera.test${address}`)
    await other.getByRole('blockquote').getByText(text).waitFor()
    isSigned = true
    await other.waitForURL(callback)
  })

  test('of a consent that fails is begun again with the same ticks', async () => {
    const { page, sentTo } = await open(
      '/oauth/authorize?client_id=app-1',
      {
        'GET /console/session': member,
        'POST /console/authorize': () => exampleConsent(),
        'POST /console/authorize/sign': inTurn(
          () => ({ ...begun(), state: 'signing' as const, visible_text: text }),
          () => ({ ...begun(), order_id: 'order-2', state: 'signing' as const, visible_text: text }),
        ),
        'POST /console/authorize/sign/{order_id}/collect': ({ path }) =>
          path[0] === 'order-1' ? { state: 'failed', reason: 'userCancel' } : pending('userSign'),
      },
      { facts },
    )
    await page.getByRole('checkbox', { name: 'Ekeby' }).check()
    await page.getByRole('button', { name: 'Sign and allow' }).click()
    await page
      .getByRole('alert', { name: 'It was not signed' })
      .getByText('The action was cancelled.')
      .waitFor()
    const again = page.getByRole('button', { name: 'Try again' })
    await eventually(() => again.evaluate((button) => button === document.activeElement)).toBe(true)
    await again.press('Enter')
    await page.getByText('Enter your security code').waitFor()
    const [first, second] = sentTo('POST /console/authorize/sign')
    expect(second).toEqual(first)
  })
})

describe('Where nobody can sign', () => {
  const noSigning = () =>
    exampleSession({ companies: [ekeby], identity: { provider: 'oidc', demo: false, signs: false } })

  test.each([
    ['the list of connections', `/companies/${ekeby.company_id}/connections`],
    ['a new connection', `/companies/${ekeby.company_id}/connections/new`],
    ['a connection that is made', connectionPath],
  ])('%s says so, and why', async (_name, path) => {
    const { page } = await open(path, {
      'GET /console/session': noSigning,
      'GET /console/companies/{company_id}/connections/{connection_id}': () => made,
      'GET /console/companies/{company_id}/connections': () => ({ connections: [made], next_cursor: null }),
      'GET /console/companies/{company_id}/sources': () => ({ sources: [], next_cursor: null }),
    })
    await page.getByRole('note').getByText('with an electronic identity that signs nothing').waitFor()
    expect(await page.getByRole('button', { name: /^(Make and sign|Sign with)/ }).count()).toBe(0)
  })

  test('a consent says so before anything is ticked, and leads back to the app', async () => {
    const callback = 'https://ledger.example/callback?error=access_denied'
    const { page } = await open('/oauth/authorize?client_id=app-1', {
      'GET /console/session': noSigning,
      'POST /console/authorize': () => exampleConsent(),
      'POST /console/authorize/deny': () => ({ location: callback }),
    })
    await page.getByRole('note').getByText('Nothing can be allowed here.').waitFor()
    expect(await page.getByRole('checkbox').count()).toBe(0)
    expect(await lookOver(page, 'consent-cannot-sign')).toEqual([])
    await page.getByRole('button', { name: /Go back to the app|Gå tillbaka till appen/ }).click()
    await page.waitForURL(callback)
  })
})

test('A signature made with BankID says so, and how its evidence is verified', async () => {
  const { page } = await open('/signatures', {
    'GET /console/session': member,
    'GET /console/signatures': () => ({
      signatures: [{ ...exampleSignature(), provider: 'bankid' }],
      next_cursor: null,
    }),
  })
  await page.getByText('BankID', { exact: true }).waitFor()
  const link = page.getByRole('link', { name: 'How evidence is verified' })
  expect(await link.getAttribute('href')).toBe('/docs/electronic-identity#verify-what-was-signed')
})
