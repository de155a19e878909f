import { describe, expect, test } from 'vitest'
import { findMarkdownFault } from '../../../../stand-ins/bankid/simple-markdown.ts'
import { planLaunch } from './launch.ts'
import { qrText } from './qr-text.ts'
import { toSimpleMarkdown } from './simple-markdown.ts'

const page = `https://numera.example.com/bankid/return#nonce=${'N'.repeat(43)}`
const ios = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const android = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko)'
const link = 'https://app.bankid.com/?autostarttoken='

const safari = `${ios} Version/18.5 Mobile/15E148 Safari/604.1`
const chromeOnIos = `${ios} CriOS/138.0.7204.33 Mobile/15E148 Safari/604.1`

describe('the address that starts the app, and the one to return to', () => {
  test.each([
    ['Safari on iOS', safari, link, '', page],
    ['Chrome on iOS', chromeOnIos, link, '', 'googlechrome://'],
    ['Firefox on iOS', `${ios} FxiOS/139.0 Mobile/15E148 Safari/604.1`, link, '', 'firefox://'],
    [
      'Edge on iOS',
      `${ios} Version/18.0 EdgiOS/136.0 Mobile/15E148 Safari/604.1`,
      link,
      '&redirect=null',
      undefined,
    ],
    [
      'Opera on iOS',
      `${ios} Version/18.5 Mobile/15E148 Safari/604.1 OPT/5.5`,
      link,
      '&redirect=null',
      undefined,
    ],
    ['a view of pages inside another app on iOS', `${ios} Mobile/15E148`, link, '&redirect=null', undefined],
    [
      'such a view that names its app',
      `${ios} Mobile/15E148 LinkedInApp/9.29 [Safari/604.1]`,
      link,
      '&redirect=null',
      undefined,
    ],
    [
      'Chrome on Android',
      `${android} Chrome/138.0.0.0 Mobile Safari/537.36`,
      link,
      '&redirect=null',
      undefined,
    ],
    [
      'Firefox on Android',
      'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0',
      link,
      '&redirect=null',
      undefined,
    ],
    [
      'Edge on Windows',
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0',
      'bankid:///?autostarttoken=',
      '&redirect=null',
      undefined,
    ],
    [
      'Safari on a Mac',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15',
      'bankid:///?autostarttoken=',
      '&redirect=null',
      undefined,
    ],
  ])('%s', (_browser, userAgent, urlBase, urlEnd, returnUrl) => {
    expect(planLaunch(userAgent, page)).toEqual({
      urlBase,
      urlEnd,
      ...(returnUrl === undefined ? {} : { returnUrl }),
    })
  })

  test.each([
    ['Safari, where an address would open a new tab', safari, '&redirect=null', undefined],
    ['Chrome, which comes back as it was', chromeOnIos, '', 'googlechrome://'],
  ])('a page on iOS that must stay open: %s', (_browser, userAgent, urlEnd, returnUrl) => {
    const back = returnUrl === undefined ? {} : { returnUrl }
    expect(planLaunch(userAgent, undefined)).toEqual({ urlBase: link, urlEnd, ...back })
  })
})

test('the QR code is that of BankID’s published example', () => {
  const order = {
    qrStartToken: '67df3917-fa0d-44e5-b327-edcc928297f8',
    qrStartSecret: 'd28db9a7-4cde-429e-a983-359be676944c',
  }
  expect([0, 1, 2].map((seconds) => qrText(order, seconds))).toEqual([
    'bankid.67df3917-fa0d-44e5-b327-edcc928297f8.0.dc69358e712458a66a7525beef148ae8526b1c71610eff2c16cdffb4cdac9bf8',
    'bankid.67df3917-fa0d-44e5-b327-edcc928297f8.1.949d559bf23403952a94d103e67743126381eda00f0b3cbddbf7c96b1adcbce2',
    'bankid.67df3917-fa0d-44e5-b327-edcc928297f8.2.a9e5ec59cb4eee4ef4117150abc58fad7a85439a6a96ccbecc3668b41795b3f3',
  ])
})

describe('a text as simpleMarkdownV1', () => {
  test('has its first line as heading and hyphens as a list, and is otherwise unchanged', () => {
    expect(toSimpleMarkdown('I sign.\n\nName: *A* | B\r\n- one #1\n- two\n#no\n+no\n---')).toBe(
      String.raw`## I sign.

Name: \*A\* \| B
+ one \#1
+ two
\#no
\+no
\-\-\-`,
    )
  })

  test('names characters that BankID cannot show by their number', () => {
    expect(toSimpleMarkdown('Shop 😀\u0007')).toBe('## Shop [U\\+1F600][U\\+0007]')
  })

  test.each([
    'I sign.\n- \n-\n-x\n - y\n\\- z',
    '# * + - | \\',
    '| a | b |\n|---|---|',
    '*bold* *open\n+1 a\n+ b\n##',
    '\u0000\u{10FFFF}\uFFFF\uD800 \t å',
    '',
    '\n\nLater',
  ])('is valid for every text: %j', (text) => {
    expect(findMarkdownFault(toSimpleMarkdown(text))).toBeUndefined()
  })
})
