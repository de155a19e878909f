import { jwtVerify, type JWTPayload } from 'jose'
import {
  authorizationCodeGrant,
  AuthorizationResponseError,
  customFetch,
  fetchUserInfo,
  type Configuration,
} from 'openid-client'
import type { OidcSettings } from '../../config/config.ts'
import { checkDisplayText } from '../../http/check-display-text.ts'
import type { NamedSignIn } from '../../sessions/logout-names.ts'
import { parsePersonalNumber } from '../../values/personal-number.ts'
import type { IdentifiedPerson } from '../identity-provider.ts'
import { fetchBounded } from './bounded-fetch.ts'
import { BadCallback, NoPerson, NotVerified } from './failure.ts'
import { providerClockSecondsMax, type FoundProvider } from './find-provider.ts'
import { issuedAtOf } from './issued-at.ts'
import { signatureAlgorithms } from './signature-algorithms.ts'

/** How old an ID token may be when it comes. */
export const idTokenSecondsMax = 600

/** Of a person's name; the rest of a longer one is left out. */
export const nameCharactersMax = 100

/** What an answer is checked against. */
export interface Expected {
  /** `state` of the request. */
  reference: string
  codeVerifier: string
  nonce: string
  /** When the request was made. */
  startedAt: Date
}

/** Who the provider says has signed in. */
export interface Identified {
  person: IdentifiedPerson
  logoutNames: NamedSignIn
  /** The ID token has no `auth_time`, and the configuration wants one. */
  isTimeUnknown: boolean
}

type Claims = JWTPayload

/** The signature, and what openid-client leaves to its caller. @throws NotVerified, and errors of jose */
async function checkIdToken(
  { metadata, keys }: FoundProvider,
  { clientId, acrValues }: OidcSettings,
  idToken: string,
  { startedAt }: Expected,
  at: Date,
): Promise<Claims> {
  const { payload } = await jwtVerify(idToken, keys, {
    issuer: metadata.issuer,
    audience: clientId,
    algorithms: signatureAlgorithms,
    currentDate: at,
    clockTolerance: providerClockSecondsMax,
    maxTokenAge: idTokenSecondsMax,
  })
  const { acr, auth_time: authTime } = payload
  if (acrValues.length > 0 && !acrValues.includes(String(acr))) throw new NotVerified('acr')
  // `prompt=login` requests a new authentication; a provider that says when it was is held to it.
  const startedSeconds = Math.floor(startedAt.getTime() / 1_000)
  if (typeof authTime === 'number' && authTime < startedSeconds - providerClockSecondsMax) {
    throw new NotVerified('auth_time')
  }
  return payload
}

/** The tokens for the code that the browser brought. */
async function exchangeCode(
  configuration: Configuration,
  target: URL,
  { reference, nonce, codeVerifier }: Expected,
): ReturnType<typeof authorizationCodeGrant> {
  let isAsked = false
  configuration[customFetch] = (url, options) => {
    isAsked = true
    return fetchBounded(url, options)
  }
  try {
    return await authorizationCodeGrant(configuration, target, {
      expectedState: reference,
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
    })
  } catch (error) {
    throw isAsked || error instanceof AuthorizationResponseError ? error : new BadCallback(error)
  }
}

/** The claims of the ID token, and where one that is needed is missing there, those of the UserInfo endpoint beside them. */
async function readClaims(
  { metadata }: FoundProvider,
  configuration: Configuration,
  settings: OidcSettings,
  idClaims: Claims,
  accessToken: string,
): Promise<Claims> {
  const { personalNumberClaim, nameClaim } = settings
  const isWhole = idClaims[personalNumberClaim] !== undefined && idClaims[nameClaim] !== undefined
  if (isWhole || metadata.userinfo_endpoint === undefined) return idClaims
  const userInfo = await fetchUserInfo(configuration, accessToken, String(idClaims['sub']))
  return { ...userInfo, ...idClaims }
}

function readName(claim: unknown): string {
  if (typeof claim !== 'string') throw new NoPerson('name')
  const name = [...claim.trim()].slice(0, nameCharactersMax).join('')
  try {
    return checkDisplayText(name, 'name', nameCharactersMax)
  } catch {
    throw new NoPerson('name')
  }
}

/** Twelve digits: ten with a sign, as people write them, may be another country's number. */
const numberForm = /^\d{8}-?\d{4}$/

function readPerson(
  { personalNumberClaim, nameClaim }: OidcSettings,
  claims: Claims,
  at: Date,
): IdentifiedPerson {
  const number = claims[personalNumberClaim]
  const isWhole = typeof number === 'string' && numberForm.test(number.trim())
  const personalNumber = isWhole ? parsePersonalNumber(number, at) : undefined
  if (personalNumber === undefined) throw new NoPerson('personal_number')
  return { personalNumber, name: readName(claims[nameClaim]) }
}

/**
 * Exchanges the code of an authorization response and checks all that comes of it: `state`, `iss` (RFC 9207), PKCE, nonce,
 * the ID token (OpenID Connect Core 1.0, 3.1.3.7) with its signature and `acr`, and that it names a person.
 *
 * @param target the callback's address as it was called
 * @throws what `failureOf` tells apart
 */
export async function identifyPerson(
  provider: FoundProvider,
  settings: OidcSettings,
  target: URL,
  expected: Expected,
  at: Date,
): Promise<Identified> {
  const configuration = provider.configure()
  const tokens = await exchangeCode(configuration, target, expected)
  const idClaims = await checkIdToken(provider, settings, tokens.id_token!, expected, at)
  const claims = await readClaims(provider, configuration, settings, idClaims, tokens.access_token)
  const { sid } = idClaims
  return {
    person: readPerson(settings, claims, at),
    logoutNames: {
      issuer: provider.metadata.issuer,
      sid: typeof sid === 'string' ? sid : undefined,
      sub: String(idClaims['sub']),
      issuedAt: issuedAtOf(idClaims),
    },
    isTimeUnknown: !settings.assumesRecentSignIn && typeof idClaims['auth_time'] !== 'number',
  }
}
