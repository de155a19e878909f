import { hash } from 'node:crypto'
import { invalidArgument } from '../../../platform/http/errors/errors.ts'
import type { Device, OrderOrigin, SigningRequest } from '../identity-provider.ts'
import type { Requested } from './completion.ts'
import { planLaunch, type Launch } from './launch.ts'
import { toSimpleMarkdown } from './simple-markdown.ts'

/** The longest text that BankID accepts for signing, in characters of its base64. */
const visibleTextCharactersMax = 40_000
/** The most characters of `web.userAgent`; more are cut off. */
const userAgentCharactersMax = 256

/** What is requested of BankID, at first and when an order is renewed. */
export interface Begun extends Requested {
  request: { endUserIp: string; [name: string]: unknown }
  device: Device
  /** How the app is started; null in an order for another device. */
  launch: Pick<Launch, 'urlBase' | 'urlEnd'> | null
  /** The app opens the return page, whose nonce proves that it is on the same device. */
  opensReturnPage: boolean
}

/** RFC 1123 names in lower case, as BankID accepts them; an IPv6 address is not one. */
const domainPattern = /^[\da-z.-]{3,253}$/

/** What BankID assesses the risk by: where the order was begun, and in which browser. */
function toWeb({ returnUrl, userAgent }: OrderOrigin): Record<string, string> | undefined {
  const { hostname } = new URL(returnUrl)
  const browser = userAgent.replaceAll(/[^\x20-\x7e]/g, '').slice(0, userAgentCharactersMax)
  const web = {
    ...(domainPattern.test(hostname) ? { referringDomain: hostname } : {}),
    ...(browser === '' ? {} : { userAgent: browser }),
  }
  return Object.keys(web).length === 0 ? undefined : web
}

function begin(
  origin: OrderOrigin,
  nonVisible: Uint8Array,
  more: Record<string, unknown> = {},
): Pick<Begun, 'request' | 'device' | 'launch' | 'opensReturnPage' | 'nonVisibleHex'> {
  const { device, keepsPage, userAgent, returnUrl } = origin
  const launch = device === 'this' ? planLaunch(userAgent, keepsPage ? undefined : returnUrl) : null
  const web = toWeb(origin)
  const bytes = Buffer.from(nonVisible)
  return {
    request: {
      // An IPv4 address that came in over IPv6.
      endUserIp: origin.endUserIp.replace(/^::ffff:(?=\d+\.)/i, ''),
      userNonVisibleData: bytes.toString('base64'),
      returnRisk: true,
      ...(launch?.returnUrl === undefined ? {} : { returnUrl: launch.returnUrl }),
      ...(web === undefined ? {} : { web }),
      ...more,
    },
    device,
    launch: launch && { urlBase: launch.urlBase, urlEnd: launch.urlEnd },
    opensReturnPage: launch?.returnUrl === returnUrl,
    nonVisibleHex: bytes.toString('hex'),
  }
}

/** A sign-in. Its signature covers the SHA-256 of our reference (32 bytes), so that it is useless for another order. */
export function beginSignIn(origin: OrderOrigin, reference: string): Begun {
  const begun = begin(origin, hash('sha256', reference, 'buffer'))
  return { operation: 'auth', ...begun, visibleText: null, personalNumber: null }
}

/**
 * A signature. The person reads the text, and signs it together with the record's SHA-256: its 32 bytes are the
 * `userNonVisibleData`.
 *
 * @throws 400 `invalid_argument` if the text is longer than BankID accepts
 */
export function beginSigning(request: SigningRequest): Begun {
  const visibleText = toSimpleMarkdown(request.visibleText)
  const userVisibleData = Buffer.from(visibleText).toString('base64')
  if (userVisibleData.length > visibleTextCharactersMax) {
    throw invalidArgument(
      'The text is longer than BankID can show: choose less at a time, such as fewer companies.',
    )
  }
  const { recordSha256, personalNumber = null } = request
  const begun = begin(request, recordSha256, {
    userVisibleData,
    userVisibleDataFormat: 'simpleMarkdownV1',
    ...(personalNumber === null ? {} : { requirement: { personalNumber } }),
  })
  return { operation: 'sign', ...begun, visibleText, personalNumber }
}
