import type { Page } from 'playwright-core'
import { decodeQR } from 'qr/decode.js'
import { describe, expect, test } from 'vitest'
import { lookOver } from '../../../testing/browser/screens.ts'
import type { ApiResponse } from '../api/call-api.ts'
import { apiError, type Call, type Replies } from '../testing/api-stub.ts'
import {
  exampleCompany,
  exampleConnection,
  exampleConsent,
  exampleOrder,
  exampleSession,
  exampleSignature,
} from '../testing/examples.ts'
import { inTurn, signedOut, unreachable } from '../testing/replies.ts'
import { startPages } from '../testing/start-pages.ts'

const open = startPages()

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

/** For busy machines. */
const eventually = <Value>(look: () => Value | Promise<Value>) => expect.poll(look, { timeout: 10_000 })

/** The content of a second's code, as long as BankID's. */
function toCode(second: number): string {
  return `bankid.67df3917-fa0d-44e5-b327-edcc928297f8.${second}.${'d69be3'.repeat(10)}${1000 + second}`
}

type Presentation = NonNullable<SignInProgress['presentation']>

/** The presentation of an order for the device. */
const presentations = {
  this: { launch_url },
  other: { qr_text: toCode(0) },
} satisfies Record<string, Presentation>

function pending(hint: string, presentation: Presentation = presentations.other) {
  return { state: 'pending' as const, hint, presentation }
}

const waiting = () => pending('outstandingTransaction')

/** The presentation of an order for this device. */
const waitingHere = () => pending('outstandingTransaction', presentations.this)

/** An order for the requested device. */
const begun = ({ body }: { body?: unknown }) =>
  exampleOrder({
    demo: false,
    presentation: presentations[(body as { device?: 'this' | 'other' }).device ?? 'other'],
  })

type Collected = SignInProgress | Response | Promise<Response>

/** A call that hangs. */
const unanswered = () => new Promise<Response>(() => {})

/** A visitor, and the progress of their order. */
function signingIn(collect: () => Collected): Replies {
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
const thisNames = /^(Use BankID on this device|Använd BankID på den här enheten)$/
const againNames = /^(Try again|Försök igen)$/
const codeNames = /^(QR code to scan|QR-kod att läsa av) (with the|med) BankID-?\s?app(en)?$/

const status = (page: Page) => page.getByRole('main').getByRole('status')
const code = (page: Page) => page.getByRole('img', { name: codeNames })
const start = (page: Page) => page.getByRole('button', { name: startNames })
const here = (page: Page) => page.getByRole('link', { name: hereNames })
const toOther = (page: Page) => page.getByRole('button', { name: otherNames })
const toThis = (page: Page) => page.getByRole('button', { name: thisNames })
const focused = (page: Page) => page.locator(':focus').evaluate((element) => element.textContent)

/** Opens the app, which is not installed: the page stays. */
async function launch(page: Page): Promise<void> {
  await page.route('https://app.bankid.com/**', (route) => route.fulfill({ status: 204 }))
  await here(page).click()
}

/** Reads the code from a screenshot, as a camera would. */
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

/** Decodes the code from its modules. */
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

/** BankID's recommended texts for a pending order (hint, code scanned with another device, opened on a phone). */
const pendingMessages: Record<'en' | 'sv', [hint: string, scanned: string, opened: string][]> = {
  en: [
    ['outstandingTransaction', 'Start your BankID app.', 'Trying to start your BankID app.'],
    ['noClient', 'Start your BankID app.', 'Start your BankID app.'],
    [
      'started',
      'An identification or signing is in progress.',
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
      'En identifiering eller underskrift pågår.',
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

/** For a failed order: BankID's text, and part of what to do next. */
const failureMessages: Record<'en' | 'sv', [reason: string, message: string, next: string][]> = {
  en: [
    ['userCancel', 'The action was cancelled.', 'You can start again'],
    [
      'cancelled',
      'The action was cancelled. Please try again.',
      'If you did not start that one, cancel it in the app. Never approve anything you did not start yourself.',
    ],
    [
      'alreadyInProgress',
      'An identification or signature is already in progress for your personal identity number. Please try again.',
      'Close what the app shows and start again here. If you did not start the other one, someone else did so in your name. Never approve anything you did not start yourself.',
    ],
    [
      'expiredTransaction',
      'The BankID app is not responding. Please check that it’s started and that you have internet access. Try again.',
      'The phone with the app must also be online',
    ],
    [
      'certificateErr',
      'Your BankID is blocked or too old. Please use another BankID or get a new one from your bank.',
      'You can order a new one in your bank’s app',
    ],
    [
      'startFailed',
      'Failed to scan the QR code. Start the BankID app and scan the QR code.',
      'A new code is shown when you try again',
    ],
    ['notSupportedByUserApp', 'Something went wrong. Please try again.', 'Update it in your app store'],
    ['transactionRiskBlocked', 'Something went wrong. Please try again.', 'Use your own device and network'],
    ['userDeclinedCall', 'Something went wrong. Please try again.', 'BankID answered “userDeclinedCall”'],
    ['newWord', 'Something went wrong. Please try again.', 'BankID answered “newWord”'],
    [
      'unavailable',
      'Something went wrong. Please try again. BankID cannot be reached right now.',
      'Wait a few minutes',
    ],
    [
      'not_verified',
      'BankID gave an answer that could not be verified',
      'contact the operator of this service',
    ],
    ['expired', 'It was not answered in time.', 'answer within a few minutes'],
    ['other_network', 'The BankID app was on a different network', 'choose Use BankID on this device'],
    ['no_public_address', 'This service cannot see your network address', 'NUMERA_TRUST_PROXY'],
  ],
  sv: [
    ['userCancel', 'Åtgärden avbröts.', 'Du kan börja om'],
    [
      'cancelled',
      'Åtgärden avbröts. Försök igen.',
      'Avbryt den i appen om du inte själv har påbörjat den. Godkänn aldrig något som du inte själv har påbörjat.',
    ],
    [
      'alreadyInProgress',
      'En identifiering eller underskrift pågår redan för ditt personnummer. Försök igen.',
      'Stäng det som appen visar och börja om här. Om du inte själv har påbörjat den andra har någon annan gjort det i ditt namn. Godkänn aldrig något som du inte själv har påbörjat.',
    ],
    [
      'expiredTransaction',
      'BankID-appen svarar inte. Kontrollera att den är startad och att du har internetanslutning. Försök sedan igen.',
      'Även telefonen med appen',
    ],
    [
      'certificateErr',
      'Ditt BankID är för gammalt eller spärrat. Använd ett annat BankID eller skaffa ett nytt hos din bank.',
      'Du kan beställa ett nytt i bankens app',
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
    ['unavailable', 'Något gick fel. Försök igen. BankID går inte att nå just nu.', 'Vänta några minuter'],
    ['not_verified', 'BankID gav ett svar som inte gick att kontrollera', 'kontakta den som driver tjänsten'],
    ['expired', 'Det besvarades inte i tid.', 'svara inom några minuter'],
    ['other_network', 'BankID-appen var på ett annat nätverk', 'välj sedan Använd BankID på den här enheten'],
    ['no_public_address', 'Tjänsten ser inte din nätverksadress', 'NUMERA_TRUST_PROXY'],
  ],
}

/** Shown while a computer is searched for BankID. */
const searching = {
  en: 'Searching for BankID. Make sure you have a valid BankID on this computer. If you have a BankID on card, please insert the card into your card reader.',
  sv: 'Söker efter BankID. Säkerställ att du har ett giltigt BankID på den här datorn. Om du har ett BankID på kort, sätt in kortet i kortläsaren.',
}

const appMissing = {
  en: 'You don’t seem to have the BankID app/program. Please install it and get a BankID from your bank.',
  sv: 'Du verkar inte ha BankID-appen/programmet. Installera den och skaffa ett BankID hos din bank.',
}

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

describe('The QR code', () => {
  test('follows the service every second, is light in dark mode, and is silent for screen readers', async () => {
    let second = 0
    const { page } = await open(
      '/sign-in',
      signingIn(() => pending('outstandingTransaction', { qr_text: toCode(second) })),
      { facts, colorScheme: 'dark' },
    )
    await start(page).click()
    await code(page).waitFor()
    await eventually(() => scan(page)).toBe(toCode(0))
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
      await eventually(() => read(page)).toBe(toCode(second))
    }
    expect(await page.evaluate(() => (globalThis as unknown as { changes: string[] }).changes)).toEqual([])
  })

  test('disappears once it is scanned, and the next step is announced once', async () => {
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
    expect(await toThis(page).count()).toBe(0)
    expect(await lookOver(page, 'bankid-in-app')).toEqual([])
  })

  test('is hidden while offline, and returns afterwards', async () => {
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
    await page.getByRole('alert').getByText('The service cannot be reached').waitFor()
    await code(page).waitFor({ state: 'detached' })
    reply = () => pending('outstandingTransaction', { qr_text: toCode(7) })
    await page.clock.runFor(2_000)
    await eventually(() => page.getByRole('alert').count()).toBe(0)
    await eventually(() => read(page)).toBe(toCode(7))
  })

  test('is hidden after some seconds without a response, and returns with the next one', async () => {
    let reply: () => Collected = waiting
    const { page, sentTo } = await open(
      '/sign-in',
      signingIn(() => reply()),
      { facts },
    )
    await start(page).click()
    await code(page).waitFor()
    const pollsBefore = sentTo(collectSignIn).length
    reply = unanswered
    await page.clock.runFor(2_000)
    await eventually(() => sentTo(collectSignIn).length).toBeGreaterThan(pollsBefore)
    await page.clock.runFor(8_000)
    await page.getByRole('alert').getByText('The service cannot be reached').waitFor()
    await code(page).waitFor({ state: 'detached' })
    reply = () => pending('outstandingTransaction', { qr_text: toCode(18) })
    // The next one may be hanging already.
    await page.clock.runFor(10_000)
    await eventually(() => read(page)).toBe(toCode(18))
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('does not return to its first second while offline, which is announced once', async () => {
    const { page, sentTo } = await open('/sign-in', signingIn(unreachable), { facts })
    await start(page).click()
    await page.getByRole('alert').getByText('The service cannot be reached').waitFor()
    await page.evaluate(() => {
      const came: string[] = []
      Object.assign(globalThis, { came })
      new MutationObserver((changes) => {
        for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
          came.push(node instanceof Element ? node.outerHTML.slice(0, 200) : node.textContent!)
        }
      }).observe(document.querySelector('main')!, { subtree: true, childList: true })
    })
    for (let time = 1; time <= 4; time++) {
      const pollsBefore = sentTo(collectSignIn).length
      await page.clock.runFor(2_000)
      await eventually(() => sentTo(collectSignIn).length).toBeGreaterThan(pollsBefore)
    }
    expect(await page.evaluate(() => (globalThis as unknown as { came: string[] }).came)).toEqual([])
  })

  test('whose script fails to load leaves the app as an option, and says so', async () => {
    const { page, complaints } = await open('/sign-in', signingIn(waiting), { facts })
    await page.route('**/qr-code*.js', (route) => route.abort())
    await start(page).click()
    await page.getByText('Reload the page').waitFor()
    await toThis(page).waitFor()
    // The browser's own console error is expected.
    complaints.length = 0
  })
})

describe('The card', () => {
  test('shows the code on a computer, and works by keyboard', async () => {
    const { page, sentTo } = await open('/sign-in', signingIn(waiting), { facts })
    await start(page).press('Enter')
    await code(page).waitFor()
    await page.getByRole('heading', { level: 1, name: 'Identify yourself' }).waitFor()
    expect(await here(page).count()).toBe(0)
    expect(await toOther(page).count()).toBe(0)
    await eventually(() => focused(page)).toBe('Identify yourself')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Use BankID on this device')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Cancel')
    await page.keyboard.press('Enter')
    await start(page).waitFor()
    await eventually(() => sentTo('POST /console/sign-in/{order_id}/cancel')).toEqual([{}])
    expect(sentTo('POST /console/sign-in')).toEqual([{ return_to: '/sign-in', device: 'other' }])
    // It is not continued.
    await page.reload()
    await start(page).waitFor()
  })

  test('opens the app on a phone, and shows a code only for another device', async () => {
    const { page, sentTo } = await open('/sign-in', signingIn(waitingHere), { ...iPhone, facts })
    await start(page).click()
    await here(page).waitFor()
    expect(await code(page).count()).toBe(0)
    expect(await toThis(page).count()).toBe(0)
    expect(await lookOver(page, 'bankid-phone')).toEqual([])
    expect(await here(page).getAttribute('href')).toBe(launch_url)
    await launch(page)
    await page.getByText('Trying to start your BankID app.').waitFor()
    expect(sentTo('POST /console/sign-in')).toEqual([{ return_to: '/sign-in', device: 'this' }])
  })

  test('switches between code and app by keyboard, each time with a new order, cancelling the previous one', async () => {
    const { replies, calledOrders } = inDevices()
    const { page, sentTo } = await open('/sign-in', replies, { facts })
    await start(page).click()
    await code(page).waitFor()
    await toThis(page).press('Enter')
    await here(page).waitFor()
    await eventually(() => focused(page)).toBe('Open BankID on this device')
    expect(await code(page).count()).toBe(0)
    expect(await toThis(page).count()).toBe(0)
    expect(await lookOver(page, 'bankid-computer-this-device')).toEqual([])
    await toOther(page).press('Enter')
    await code(page).waitFor()
    // The link, and the instructions.
    await eventually(() => focused(page)).toContain('Start the BankID app on your phone.')
    expect(await here(page).count()).toBe(0)
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Use BankID on this device')
    expect(calledOrders('POST /console/sign-in/{order_id}/cancel')).toEqual(['order-1', 'order-2'])
    expect(sentTo('POST /console/sign-in')).toEqual(
      ['other', 'this', 'other'].map((device) => ({ return_to: '/sign-in', device })),
    )
    // The current one continues, on its own device.
    await page.reload()
    await code(page).waitFor()
    await eventually(() => calledOrders(collectSignIn).at(-1)).toBe('order-3')
    expect(await toThis(page).count()).toBe(1)
  })

  test('cancels an order before starting the next, since a browser has one at a time', async () => {
    const { replies } = inDevices()
    const cancelled = Promise.withResolvers<undefined>()
    const { page, sentTo } = await open(
      '/sign-in',
      { ...replies, 'POST /console/sign-in/{order_id}/cancel': () => cancelled.promise },
      { ...iPhone, facts },
    )
    await start(page).click()
    await here(page).waitFor()
    await toOther(page).click()
    await eventually(() => sentTo('POST /console/sign-in/{order_id}/cancel')).toEqual([{}])
    await page.clock.runFor(2_000)
    expect(sentTo('POST /console/sign-in')).toHaveLength(1)
    expect(await toOther(page).getAttribute('aria-busy')).toBe('true')
    cancelled.resolve(undefined)
    await code(page).waitFor()
    expect(sentTo('POST /console/sign-in')).toHaveLength(2)
  })

  test('ignores late responses for the previous order', async () => {
    const { replies } = inDevices()
    const late = Promise.withResolvers<void>()
    let isAsked = false
    const { page } = await open(
      '/sign-in',
      {
        ...replies,
        [collectSignIn]: async (call: Call) => {
          if (call.path[0] !== 'order-1') return replies[collectSignIn]!(call)
          isAsked = true
          await late.promise
          return { state: 'failed', reason: 'ended' }
        },
      },
      { ...iPhone, facts },
    )
    await start(page).click()
    await here(page).waitFor()
    await eventually(() => isAsked).toBe(true)
    await toOther(page).click()
    late.resolve()
    await code(page).waitFor()
    await page.clock.runFor(2_000)
    await code(page).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('signs in a person who answered just before switching devices, without a new order', async () => {
    const { replies } = inDevices()
    const late = Promise.withResolvers<void>()
    let isSignedIn = false
    const { page, sentTo } = await open(
      '/signatures',
      {
        ...replies,
        'GET /console/session': () => (isSignedIn ? member() : signedOut()),
        'GET /console/signatures': () => ({ signatures: [], next_cursor: null }),
        [collectSignIn]: async () => {
          await late.promise
          isSignedIn = true
          return { state: 'complete' as const }
        },
      },
      { ...iPhone, facts },
    )
    await start(page).click()
    await here(page).waitFor()
    await toOther(page).click()
    await eventually(() => sentTo('POST /console/sign-in/{order_id}/cancel')).toHaveLength(1)
    late.resolve()
    await page.getByRole('heading', { level: 1, name: 'Your signatures' }).waitFor()
    expect(sentTo('POST /console/sign-in')).toHaveLength(1)
  })

  test('says that an order for another device cannot be started, and retries', async () => {
    let isAway = false
    const { replies } = inDevices()
    const { page, sentTo } = await open(
      '/sign-in',
      {
        ...replies,
        'POST /console/sign-in': (call) =>
          isAway ? apiError(503, 'unavailable') : replies['POST /console/sign-in']!(call),
      },
      { ...iPhone, facts },
    )
    await start(page).click()
    await here(page).waitFor()
    isAway = true
    await toOther(page).click()
    await page.getByRole('alert').waitFor()
    isAway = false
    await start(page).click()
    await here(page).waitFor()
    expect(sentTo('POST /console/sign-in')).toHaveLength(3)
  })

  test('retries a failed order on the same device', async () => {
    const { replies, fail } = inDevices()
    const { page, sentTo } = await open('/sign-in', replies, { ...iPhone, facts })
    await start(page).click()
    await here(page).waitFor()
    await toOther(page).click()
    await code(page).waitFor()
    fail('order-2', 'startFailed')
    await page.clock.runFor(2_000)
    await page.getByRole('alert').getByText('Failed to scan the QR code.').waitFor()
    await page.getByRole('button', { name: againNames }).click()
    await code(page).waitFor()
    expect(sentTo('POST /console/sign-in').map((body) => (body as { device: string }).device)).toEqual([
      'this',
      'other',
      'other',
    ])
  })

  test('says that the app is missing on a computer', async () => {
    const { replies, fail } = inDevices()
    const { page } = await open('/sign-in', replies, { facts })
    await start(page).click()
    await toThis(page).click()
    await launch(page)
    fail('order-2', 'startFailed')
    await page.clock.runFor(2_000)
    await page.getByRole('alert').getByText(appMissing.en).waitFor()
  })

  test('says that time ran out, not that the app is missing, if the app was never opened', async () => {
    const { replies, fail } = inDevices()
    const { page } = await open('/sign-in', replies, { ...iPhone, facts })
    await start(page).click()
    await here(page).waitFor()
    fail('order-1', 'startFailed')
    await page.clock.runFor(2_000)
    await page.getByRole('alert').getByText('It was not answered in time.').waitFor()
    expect(await page.getByRole('alert').textContent()).not.toContain(appMissing.en)
  })

  test('shows the code, and why, if BankID’s app was on another network', async () => {
    const { replies, fail, calledOrders } = inDevices()
    const { page, sentTo } = await open('/sign-in', replies, { ...iPhone, facts })
    await start(page).click()
    await here(page).waitFor()
    fail('order-1', 'other_network')
    await page.clock.runFor(2_000)
    await code(page).waitFor()
    const alert = page.getByRole('alert', { name: 'Scan the QR code instead' })
    await alert.getByText('turn off VPN and iCloud Private Relay').waitFor()
    expect(await lookOver(page, 'bankid-other-network')).toEqual([])
    expect(sentTo('POST /console/sign-in')).toMatchObject([{ device: 'this' }, { device: 'other' }])
    // It had ended, so there is nothing to cancel.
    expect(calledOrders('POST /console/sign-in/{order_id}/cancel')).toEqual([])
    await toThis(page).click()
    await here(page).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('counts down the time left, silently', async () => {
    const { page } = await open(
      '/sign-in',
      {
        ...signingIn(waiting),
        'POST /console/sign-in': (call) => ({ ...begun(call), expires_at: '2026-11-20T10:05:00Z' }),
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

  test('cancels with Escape on top of a page whose session ended, and stays open', async () => {
    let isSignedIn = true
    const { page, sentTo } = await open(
      '/signatures',
      {
        ...inDevices().replies,
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
    // The app opens no page that would replace this one.
    expect(sentTo('POST /console/sign-in')).toEqual([{ return_to: null, device: 'other' }])
    await over.getByRole('button', { name: thisNames }).click()
    await eventually(() => focused(page)).toBe('Open BankID on this device')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await over.getByRole('button', { name: startNames }).waitFor()
    await eventually(() => sentTo('POST /console/sign-in/{order_id}/cancel')).toEqual([{}, {}])
    expect(await over.isVisible()).toBe(true)
  })
})

/** A sign-in with numbered orders for the requested device. */
function inDevices(): {
  replies: Replies
  /** The orders that an operation was called for. */
  calledOrders(operation: Call['operation']): string[]
  /** All orders wait for this. */
  wait(hint: string): void
  fail(orderId: string, reason: string): void
} {
  const devices: ('this' | 'other')[] = []
  const called: [operation: Call['operation'], orderId: string][] = []
  const failed = new Map<string, string>()
  let hint = 'outstandingTransaction'
  const getPresentation = (orderId: string) => presentations[devices[Number(orderId.slice(-1)) - 1]!]
  return {
    calledOrders: (operation) => called.flatMap(([each, orderId]) => (each === operation ? [orderId] : [])),
    wait: (next) => void (hint = next),
    fail: (orderId, reason) => void failed.set(orderId, reason),
    replies: {
      'GET /console/session': signedOut,
      'POST /console/sign-in': ({ body }) => {
        devices.push((body as { device: 'this' | 'other' }).device)
        const order_id = `order-${devices.length}`
        return exampleOrder({ order_id, demo: false, presentation: getPresentation(order_id) })
      },
      [collectSignIn]: ({ path: [orderId] }) => {
        called.push([collectSignIn, orderId!])
        const reason = failed.get(orderId!)
        return reason === undefined ? pending(hint, getPresentation(orderId!)) : { state: 'failed', reason }
      },
      'POST /console/sign-in/{order_id}/cancel': ({ operation, path: [orderId] }) => {
        called.push([operation, orderId!])
        return undefined
      },
    },
  }
}

/** The same for a page that requires a session. */
function signingInOn(collect: () => Collected, isSignedIn: () => boolean): Replies {
  return {
    ...signingIn(collect),
    'GET /console/session': () => (isSignedIn() ? member() : signedOut()),
    'GET /console/signatures': () => ({ signatures: [], next_cursor: null }),
  }
}

/** The same, with BankID on this device, which has answered by the time of the session. */
function signingInHere(isSignedIn: () => boolean): Replies {
  return signingInOn(() => (isSignedIn() ? { state: 'complete' } : waitingHere()), isSignedIn)
}

/** The same, never signed in. */
function failingOn(collect: () => Collected): Replies {
  return signingInOn(collect, () => false)
}

/** Replies with the session to the first call once it exists. */
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

describe('A sign-in continues', () => {
  const title = { level: 1, name: 'Your signatures' } as const

  test('after a reload, on the same device and with the same progress', async () => {
    let isSignedIn = false
    const { page, sentTo } = await open(
      '/signatures?a=%C3%A4',
      signingInHere(() => isSignedIn),
      { ...iPhone, facts },
    )
    await start(page).click()
    await launch(page)
    await page.getByText('Trying to start your BankID app.').waitFor()
    // No address that opens the app is stored.
    const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))
    expect(kept).toContain('order-1')
    expect(kept).not.toContain('67df3917')
    await page.reload()
    await page.getByText('Trying to start your BankID app.').waitFor()
    await here(page).waitFor()
    expect(await toOther(page).count()).toBe(1)
    isSignedIn = true
    await page.clock.runFor(2_000)
    await page.getByRole('heading', title).waitFor()
    expect(sentTo('POST /console/sign-in')).toEqual([{ return_to: '/signatures?a=%C3%A4', device: 'this' }])
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([])
  })

  test.each<[string, () => SignInProgress | Response]>([
    ['that it was collected', () => ({ state: 'failed', reason: 'used' })],
    // The order's cookie has expired.
    ['of no such order', () => apiError(404, 'not_found')],
  ])('in the tab that the person returns to, and in the first tab after %s', async (_what, next) => {
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
    ['was not scanned', () => ({ state: 'failed', reason: 'startFailed' })],
  ])('only if possible: an order that %s is dropped silently', async (_name, answer) => {
    let reply: () => SignInProgress | Response = waiting
    const { page } = await open(
      '/signatures',
      failingOn(() => reply()),
      { facts },
    )
    await start(page).click()
    await code(page).waitFor()
    // The old page is not informed.
    await page.goto('https://elsewhere.test/')
    reply = answer
    await page.goto('https://numera.test/signatures')
    await start(page).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await eventually(() => page.evaluate(() => Object.keys(localStorage))).toEqual([])
  })

  test('with the outcome in the app, which is shown', async () => {
    let reply: () => SignInProgress = waitingHere
    const { page } = await open(
      '/signatures',
      failingOn(() => reply()),
      { ...iPhone, facts },
    )
    await start(page).click()
    // Without the app, its address leads away.
    await here(page).click()
    await page.waitForURL(launch_url)
    reply = () => ({ state: 'failed', reason: 'userCancel' })
    await page.goto('https://numera.test/signatures')
    await page.getByRole('alert').getByText('The action was cancelled.').waitFor()
  })

  test('from an unknown address, and returns to the start page', async () => {
    const { page, sentTo } = await open(
      '/companies/1/unknown',
      {
        ...signingIn(waitingHere),
        'POST /console/sign-in': (call) =>
          (call.body as { return_to: string }).return_to === '/'
            ? begun(call)
            : Response.json(
                { code: 'invalid_argument', message: 'no page', field: 'return_to' },
                { status: 400 },
              ),
      },
      { ...iPhone, facts },
    )
    await start(page).click()
    await here(page).waitFor()
    expect(sentTo('POST /console/sign-in')).toMatchObject([
      { return_to: '/companies/1/unknown' },
      { return_to: '/' },
    ])
  })

  test('without a return address if the page has a fragment, which stays', async () => {
    const { page, sentTo } = await open(
      '/invitations#token-1',
      { ...signingIn(waitingHere), 'POST /console/invitations/show': () => apiError(404, 'not_found') },
      { ...iPhone, facts },
    )
    await start(page).click()
    await here(page).waitFor()
    expect(sentTo('POST /console/sign-in')).toEqual([{ return_to: null, device: 'this' }])
    expect(page.url()).toBe('https://numera.test/invitations#token-1')
  })

  test('neither after 15 minutes nor with data that no page wrote', async () => {
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

/**
 * The page aborts the call that had the outcome of a sign-in.
 *
 * @param comes the response was cut off after its headers, which have the session
 */
async function giveUp(comes: boolean): Promise<Page> {
  let reply: () => Collected = waiting
  let isSignedIn = false
  const { page, sentTo } = await open(
    '/signatures',
    signingInOn(
      () => reply(),
      () => isSignedIn,
    ),
    { facts },
  )
  await start(page).click()
  await code(page).waitFor()
  const pollsBefore = sentTo(collectSignIn).length
  reply = unanswered
  await page.clock.runFor(2_000)
  await eventually(() => sentTo(collectSignIn).length).toBeGreaterThan(pollsBefore)
  isSignedIn = comes
  reply = () => ({ state: 'failed', reason: 'used' })
  // The aborted call, and the next one.
  await page.clock.runFor(10_000)
  return page
}

describe('A sign-in whose response was lost and is already collected', () => {
  test('succeeds if its session arrived', async () => {
    const page = await giveUp(true)
    await page.getByRole('heading', { level: 1, name: 'Your signatures' }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('is over if it did not, and can be started again', async () => {
    const page = await giveUp(false)
    await page.getByRole('alert').getByText('This attempt is over. Start again.').waitFor()
    await page.getByRole('button', { name: againNames }).waitFor()
  })
})

describe('With an OpenID Connect provider', () => {
  const oidc = { signIn: 'oidc' }
  const open_url = 'https://identity.example/authorize?request=1'

  test('the person goes there in the same window and returns signed in to the whole address', async () => {
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
    expect(sentTo('POST /console/sign-in')).toEqual([{ return_to: '/invitations', device: 'other' }])
  })

  test('Back leads to the link again, and the order can be cancelled', async () => {
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
    const link = page.getByRole('link', { name: 'Continue to your electronic identity' })
    await link.waitFor()
    expect([await link.getAttribute('href'), await link.getAttribute('target')]).toEqual([open_url, null])
    expect(await lookOver(page, 'oidc-waiting')).toEqual([])
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Sign in with electronic identity' }).waitFor()
  })

  test('an unavailable provider is announced without alarm', async () => {
    const { page } = await open(
      '/sign-in',
      signingIn(() => ({ state: 'failed', reason: 'unavailable' })),
      { facts: oidc },
    )
    await page.getByRole('button', { name: 'Sign in with electronic identity' }).click()
    await page.getByRole('alert').getByText('The electronic identity cannot be reached right now.').waitFor()
  })
})

const made = exampleConnection({
  state: 'unsigned',
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
    [signConnection]: (call) => ({ ...begun(call), visible_text: text }),
  }

  test('of a connection continues after a reload, with its text, and the secret is shown', async () => {
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
    await page.getByRole('heading', { level: 1, name: 'Save the secret now' }).waitFor()
    expect(sentTo(signConnection)).toEqual([{ language: 'en', return_to: connectionPath, device: 'other' }])
  })

  test('of a connection started here by another person is dropped', async () => {
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

  test('of a consent continues in another tab at the same address only', async () => {
    const address = '/oauth/authorize?client_id=app-1&state=a%20b'
    const callback = 'https://ledger.example/callback?code=nac_1'
    let isSigned = false
    const { page, sentTo } = await open(
      address,
      {
        'GET /console/session': member,
        'POST /console/authorize': () => exampleConsent(),
        'POST /console/authorize/sign': (call) => ({ ...begun(call), state: 'signing', visible_text: text }),
        'POST /console/authorize/sign/{order_id}/collect': () =>
          isSigned ? { state: 'complete', location: callback } : { ...waiting(), visible_text: text },
      },
      { facts },
    )
    await page.getByRole('button', { name: 'Sign and allow' }).click()
    await code(page).waitFor()
    const return_to = address.replace('/oauth/authorize', '/consent')
    expect(sentTo('POST /console/authorize/sign')).toMatchObject([{ return_to, device: 'other' }])
    const other = await page.context().newPage()
    await other.goto('https://numera.test/oauth/authorize?client_id=app-1&state=other')
    await other.getByRole('button', { name: 'Sign and allow' }).waitFor()
    await other.goto(`https://numera.test${address}`)
    await other.getByRole('blockquote').getByText(text).waitFor()
    // Only the first tab knows what was ticked.
    await code(other).waitFor()
    expect(await toThis(other).count()).toBe(0)
    isSigned = true
    await other.waitForURL(callback)
  })

  test.each([
    ['a connection', connectionPath, 'Sign with BankID', signConnection],
    ['a consent', '/oauth/authorize?client_id=app-1', 'Sign and allow', 'POST /console/authorize/sign'],
  ] as const)('of %s switches devices and back, with the same text', async (_what, path, name, sign) => {
    let orders = 0
    const begin = (call: Call) => ({ ...begun(call), order_id: `order-${++orders}`, visible_text: text })
    const device = () => (orders % 2 === 1 ? ('other' as const) : ('this' as const))
    const collect = () => ({
      ...pending('outstandingTransaction', presentations[device()]),
      visible_text: text,
    })
    const { page, sentTo } = await open(
      path,
      {
        ...ofConnection,
        'POST /console/authorize': () => exampleConsent(),
        [signConnection]: begin,
        'POST /console/authorize/sign': (call) => ({ ...begin(call), state: 'signing' as const }),
        [collectConnection]: collect,
        'POST /console/authorize/sign/{order_id}/collect': collect,
        'POST /console/companies/{company_id}/connections/{connection_id}/sign/{order_id}/cancel': () =>
          undefined,
        'POST /console/authorize/sign/{order_id}/cancel': () => undefined,
      },
      { facts },
    )
    if (sign !== signConnection) await page.getByRole('checkbox', { name: 'Ekeby' }).check()
    await page.getByRole('button', { name }).click()
    await code(page).waitFor()
    await toThis(page).click()
    await eventually(() => focused(page)).toBe('Open BankID on this device')
    await page.getByRole('blockquote').getByText(text).waitFor()
    await toOther(page).click()
    await code(page).waitFor()
    const sent = sentTo(sign) as { device: string }[]
    expect(sent).toEqual(['other', 'this', 'other'].map((device) => ({ ...sent[0], device })))
    // A reloaded page continues with the newest.
    expect(await page.evaluate(() => JSON.stringify(localStorage))).toContain('order-3')
  })

  test('of a consent that fails is started again with the same ticks', async () => {
    const { page, sentTo } = await open(
      '/oauth/authorize?client_id=app-1',
      {
        'GET /console/session': member,
        'POST /console/authorize': () => exampleConsent(),
        'POST /console/authorize/sign': inTurn(
          () => ({ ...begun({ body: {} }), state: 'signing' as const, visible_text: text }),
          () => ({
            ...begun({ body: {} }),
            order_id: 'order-2',
            state: 'signing' as const,
            visible_text: text,
          }),
        ),
        'POST /console/authorize/sign/{order_id}/collect': ({ path }) =>
          path[0] === 'order-1' ? { state: 'failed', reason: 'userCancel' } : pending('userSign'),
      },
      { facts },
    )
    await page.getByRole('checkbox', { name: 'Ekeby' }).check()
    await page.getByRole('button', { name: 'Sign and allow' }).click()
    await page.getByRole('alert', { name: 'Could not sign' }).getByText('The action was cancelled.').waitFor()
    const again = page.getByRole('button', { name: 'Try again' })
    await eventually(() => again.evaluate((button) => button === document.activeElement)).toBe(true)
    await again.press('Enter')
    await page.getByText('Enter your security code').waitFor()
    const [first, second] = sentTo('POST /console/authorize/sign')
    expect(second).toEqual(first)
  })
})

test('A stored order is deleted by the next visit to any page after 15 minutes', async () => {
  let isSignedIn = false
  const { page } = await open(
    '/invitations#token-1',
    {
      ...signingInOn(waiting, () => isSignedIn),
      'GET /console/companies/{company_id}/connections/{connection_id}': () => made,
      'GET /console/companies/{company_id}/connections': () => ({ connections: [made], next_cursor: null }),
      'GET /console/companies/{company_id}/sources': () => ({ sources: [], next_cursor: null }),
      [signConnection]: (call) => ({ ...begun(call), visible_text: text }),
      [collectConnection]: () => ({ ...waiting(), visible_text: text }),
      'POST /console/authorize': () => exampleConsent(),
      'POST /console/authorize/sign': (call) => ({ ...begun(call), state: 'signing', visible_text: text }),
      'POST /console/authorize/sign/{order_id}/collect': () => ({ ...waiting(), visible_text: text }),
    },
    { facts },
  )
  const beginAt = async (path: string, name: string | RegExp): Promise<void> => {
    await page.goto(`https://numera.test${path}`)
    await page.getByRole('button', { name }).click()
    await code(page).waitFor()
    await page.goto('https://elsewhere.test/')
  }
  const remembered = async () => {
    const keys = await page.evaluate(() => Object.keys({ ...localStorage, ...sessionStorage }))
    return keys.filter((key) => key.startsWith('numera.')).toSorted()
  }
  await beginAt('/invitations#token-1', startNames)
  isSignedIn = true
  await beginAt(connectionPath, 'Sign with BankID')
  await beginAt('/oauth/authorize?client_id=app-1', 'Sign and allow')
  await page.goto('https://numera.test/signatures')
  const keys = ['numera.order.connection', 'numera.order.consent', 'numera.order.sign-in']
  expect(await remembered()).toEqual(keys)
  await page.goto('https://elsewhere.test/')
  await page.clock.setSystemTime('2026-11-20T10:16:00Z')
  await page.goto('https://numera.test/signatures')
  await page.getByRole('heading', { level: 1, name: 'Your signatures' }).waitFor()
  expect(await remembered()).toEqual([])
})

describe('Without signatures', () => {
  const noSigning = () =>
    exampleSession({ companies: [ekeby], identity: { provider: 'oidc', demo: false, signs: false } })

  test.each([
    ['the list of connections', `/companies/${ekeby.company_id}/connections`],
    ['a new connection', `/companies/${ekeby.company_id}/connections/new`],
    ['a connection that is made', connectionPath],
  ])('%s says so and explains why', async (_name, path) => {
    const { page } = await open(path, {
      'GET /console/session': noSigning,
      'GET /console/companies/{company_id}/connections/{connection_id}': () => made,
      'GET /console/companies/{company_id}/connections': () => ({ connections: [made], next_cursor: null }),
      'GET /console/companies/{company_id}/sources': () => ({ sources: [], next_cursor: null }),
    })
    await page.getByRole('note').getByText('the electronic identity used here cannot sign').waitFor()
    expect(await page.getByRole('button', { name: /^(Create and sign|Sign with)/ }).count()).toBe(0)
  })

  test('a consent says so before anything is ticked, and returns to the app', async () => {
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

test('A signature names BankID and how to verify its evidence', async () => {
  const { page } = await open('/signatures', {
    'GET /console/session': member,
    'GET /console/signatures': () => ({
      signatures: [{ ...exampleSignature(), provider: 'bankid' }],
      next_cursor: null,
    }),
  })
  await page.getByText('BankID', { exact: true }).waitFor()
  const link = page.getByRole('link', { name: 'How to verify evidence' })
  expect(await link.getAttribute('href')).toBe('/docs/electronic-identity#verify-what-was-signed')
})
