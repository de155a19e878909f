import { createHash } from 'node:crypto'
import { invalidArgument } from '../../http/errors.ts'
import type { Device, OrderOrigin, SigningRequest } from '../identity-provider.ts'
import type { Requested } from './completion.ts'
import { planLaunch, type Launch } from './launch.ts'
import { toSimpleMarkdown } from './simple-markdown.ts'

/** The longest text that BankID takes to be signed, in characters of its base64. */
export const visibleTextCharactersMax = 40_000
/** The most characters of `web.userAgent`; more are cut off. */
export const userAgentCharactersMax = 256

/** What BankID is asked, now and again where nobody scanned the code in time. */
export interface Begun extends Requested {
  request: { endUserIp: string; [name: string]: unknown }
  /** The device that it is for; undefined in an order that a version before began, which was for either. */
  device: Device | undefined
  /** How the app is started; null in an order for another device. */
  launch: Pick<Launch, 'urlBase' | 'urlEnd'> | null
  /** The app opens the return page, whose nonce proves that it is on the same device. Absent in orders of a version before. */
  opensReturnPage?: boolean
}

/** RFC 1123 names in lower case, as BankID takes them; an IPv6 address is none. */
const domainPattern = /^[\da-z.-]{3,253}$/

/** What BankID weighs the risk by: where the order was begun, and in which browser. */
function webOf({ returnUrl, userAgent }: OrderOrigin): Record<string, string> | undefined {
  const { hostname } = new URL(returnUrl)
  const browser = userAgent.replaceAll(/[^\x20-\x7e]/g, '').slice(0, userAgentCharactersMax)
  const web = {
    ...(domainPattern.test(hostname) ? { referringDomain: hostname } : {}),
    ...(browser === '' ? {} : { userAgent: browser }),
  }
  return Object.keys(web).length === 0 ? undefined : web
}

function requestOf(origin: OrderOrigin, launch: Launch | null, nonVisible: Uint8Array): Begun['request'] {
  const web = webOf(origin)
  return {
    // An IPv4 address that came in over IPv6.
    endUserIp: origin.endUserIp.replace(/^::ffff:(?=\d+\.)/i, ''),
    userNonVisibleData: Buffer.from(nonVisible).toString('base64'),
    returnRisk: true,
    ...(launch?.returnUrl === undefined ? {} : { returnUrl: launch.returnUrl }),
    ...(web === undefined ? {} : { web }),
  }
}

/** How the app is started, for the device that the order is for. */
function launchOf({ device, keepsPage, userAgent, returnUrl }: OrderOrigin): Launch | null {
  return device === 'this' ? planLaunch(userAgent, keepsPage ? undefined : returnUrl) : null
}

function startOf(
  { device, returnUrl }: OrderOrigin,
  launch: Launch | null,
): Pick<Begun, 'device' | 'launch' | 'opensReturnPage'> {
  return {
    device,
    launch: launch && { urlBase: launch.urlBase, urlEnd: launch.urlEnd },
    opensReturnPage: launch?.returnUrl === returnUrl,
  }
}

/**
 * A sign-in. Its signature covers the SHA-256 of our reference (32 bytes), so that it is of no use to another order.
 */
export function beginSignIn(origin: OrderOrigin, reference: string): Begun {
  const hash = createHash('sha256').update(reference).digest()
  const launch = launchOf(origin)
  return {
    operation: 'auth',
    request: requestOf(origin, launch, hash),
    ...startOf(origin, launch),
    visibleText: null,
    nonVisibleHex: hash.toString('hex'),
    personalNumber: null,
  }
}

/**
 * A signature. The person reads the text, and signs it together with the record's SHA-256: its 32 bytes are the
 * `userNonVisibleData`.
 *
 * @throws 400 `invalid_argument` where the text is longer than BankID takes
 */
export function beginSigning(request: SigningRequest): Begun {
  const visibleText = toSimpleMarkdown(request.visibleText)
  const userVisibleData = Buffer.from(visibleText).toString('base64')
  if (userVisibleData.length > visibleTextCharactersMax) {
    throw invalidArgument(
      'The text to be signed is longer than BankID can show: choose less at a time, such as fewer companies.',
    )
  }
  const launch = launchOf(request)
  const personalNumber = request.personalNumber ?? null
  return {
    operation: 'sign',
    request: {
      ...requestOf(request, launch, request.recordSha256),
      userVisibleData,
      userVisibleDataFormat: 'simpleMarkdownV1',
      ...(personalNumber === null ? {} : { requirement: { personalNumber } }),
    },
    ...startOf(request, launch),
    visibleText,
    nonVisibleHex: Buffer.from(request.recordSha256).toString('hex'),
    personalNumber,
  }
}
