import { createHash } from 'node:crypto'
import { invalidArgument } from '../../http/errors.ts'
import type { OrderOrigin, SigningRequest } from '../identity-provider.ts'
import type { Requested } from './completion.ts'
import { planLaunch, type Launch } from './launch.ts'
import { toSimpleMarkdown } from './simple-markdown.ts'

/** The longest text that BankID takes to be signed, in characters of its base64. */
export const visibleTextCharactersMax = 40_000
/** The most characters of `web.userAgent`; more are cut off. */
export const userAgentCharactersMax = 256

/** What BankID is asked, now and again where nobody scanned the code in time. */
export interface Begun extends Requested {
  request: Record<string, unknown>
  launch: Pick<Launch, 'urlBase' | 'urlEnd'>
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

function requestOf(origin: OrderOrigin, launch: Launch, nonVisible: Uint8Array): Record<string, unknown> {
  const web = webOf(origin)
  return {
    // An IPv4 address that came in over IPv6.
    endUserIp: origin.endUserIp.replace(/^::ffff:(?=\d+\.)/i, ''),
    userNonVisibleData: Buffer.from(nonVisible).toString('base64'),
    returnRisk: true,
    ...(launch.returnUrl === undefined ? {} : { returnUrl: launch.returnUrl }),
    ...(web === undefined ? {} : { web }),
  }
}

function launchOf({ urlBase, urlEnd }: Launch): Begun['launch'] {
  return { urlBase, urlEnd }
}

/** A sign-in. Its signature covers the SHA-256 of our reference (32 bytes), so that it is of no use to another order. */
export function beginSignIn(origin: OrderOrigin, reference: string): Begun {
  const hash = createHash('sha256').update(reference).digest()
  const launch = planLaunch(origin.userAgent, origin.returnUrl)
  return {
    operation: 'auth',
    request: requestOf(origin, launch, hash),
    launch: launchOf(launch),
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
  const launch = planLaunch(request.userAgent, request.returnUrl)
  const personalNumber = request.personalNumber ?? null
  return {
    operation: 'sign',
    request: {
      ...requestOf(request, launch, request.recordSha256),
      userVisibleData,
      userVisibleDataFormat: 'simpleMarkdownV1',
      ...(personalNumber === null ? {} : { requirement: { personalNumber } }),
    },
    launch: launchOf(launch),
    visibleText,
    nonVisibleHex: Buffer.from(request.recordSha256).toString('hex'),
    personalNumber,
  }
}
