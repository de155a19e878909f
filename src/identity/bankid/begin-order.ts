import { createHash, randomBytes } from 'node:crypto'
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
  /** What the address that the app opens brings back to the page, as proof that it is on the same device; null where it opens none. */
  returnNonce: string | null
}

/** Bytes of the nonce that comes back from the app with the page's address. */
const returnNonceBytes = 32

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

function launchFor({ device, keepsPage, userAgent }: OrderOrigin, returnUrl: string): Launch | null {
  return device === 'this' ? planLaunch(userAgent, keepsPage ? undefined : returnUrl) : null
}

function startOf(launch: Launch | null): Begun['launch'] {
  return launch && { urlBase: launch.urlBase, urlEnd: launch.urlEnd }
}

/**
 * A sign-in. Its signature covers the SHA-256 of our reference (32 bytes), so that it is of no use to another order. The address
 * that the app opens ends in a nonce, which is shown nowhere before. Not in the fragment: where an address redirects (RFC 9110, section
 * 10.2.2), as the authorize endpoint does to apps, browsers hand it on.
 */
export function beginSignIn(origin: OrderOrigin, reference: string): Begun {
  const hash = createHash('sha256').update(reference).digest()
  const nonce = randomBytes(returnNonceBytes).toString('base64url')
  const joint = origin.returnUrl.includes('?') ? '&' : '?'
  const returnUrl = `${origin.returnUrl}${joint}bankid_nonce=${nonce}`
  const launch = launchFor(origin, returnUrl)
  return {
    operation: 'auth',
    request: requestOf(origin, launch, hash),
    device: origin.device,
    launch: startOf(launch),
    returnNonce: launch?.returnUrl === returnUrl ? nonce : null,
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
  const launch = launchFor(request, request.returnUrl)
  const personalNumber = request.personalNumber ?? null
  return {
    operation: 'sign',
    request: {
      ...requestOf(request, launch, request.recordSha256),
      userVisibleData,
      userVisibleDataFormat: 'simpleMarkdownV1',
      ...(personalNumber === null ? {} : { requirement: { personalNumber } }),
    },
    device: request.device,
    launch: startOf(launch),
    returnNonce: null,
    visibleText,
    nonVisibleHex: Buffer.from(request.recordSha256).toString('hex'),
    personalNumber,
  }
}
