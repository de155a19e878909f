import type { JWTPayload } from 'jose'
import {
  authorizationCodeGrant,
  AuthorizationResponseError,
  customFetch,
  fetchUserInfo,
  type Configuration,
} from 'openid-client'
import { parsePersonalNumber } from '../../../formats/values/personal-number.ts'
import type { OidcSettings } from '../../../platform/config/config.ts'
import { checkDisplayText } from '../../../platform/http/requests/check-display-text.ts'
import type { NamedSignIn } from '../../sessions/provider-logout.ts'
import type { IdentifiedPerson } from '../identity-provider.ts'
import { fetchBounded } from './bounded-fetch.ts'
import { BadCallback, NoPerson, NotVerified } from './failure.ts'
import { providerClockSecondsMax, type FoundProvider } from './find-provider.ts'
import { toIssuedAt, verifyToken } from './verify-token.ts'

/** How old an ID token may be when it arrives. */
const idTokenSecondsMax = 600

/** Of a person's name; the rest of a longer one is cut off. */
const nameCharactersMax = 100

/** What an answer is checked against. */
export interface Expected {
  /** `state` of the request. */
  reference: string
  codeVerifier: string
  nonce: string
  /** When the request was sent. */
  startedAt: Date
}

export interface Identified {
  person: IdentifiedPerson
  logoutNames: NamedSignIn
  /** The ID token has no `auth_time`, and the configuration requires one. */
  isTimeUnknown: boolean
}

/** Verifies the token, and checks what openid-client leaves to its caller. @throws NotVerified, and errors of jose */
async function checkIdToken(
  provider: FoundProvider,
  { clientId, acrValues }: OidcSettings,
  idToken: string,
  { startedAt }: Expected,
  at: Date,
): Promise<JWTPayload> {
  const { payload } = await verifyToken(provider, clientId, idToken, at, { maxTokenAge: idTokenSecondsMax })
  const { acr, auth_time: authTime } = payload
  if (acrValues.length > 0 && !acrValues.includes(String(acr))) throw new NotVerified('acr')
  // `prompt=login` requests a new authentication; if the provider says when it was, it must be new.
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
  let isCalled = false
  configuration[customFetch] = (url, options) => {
    isCalled = true
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
    throw isCalled || error instanceof AuthorizationResponseError ? error : new BadCallback(error)
  }
}

/** The claims of the ID token; if one that is needed is missing there, those of the UserInfo endpoint too. */
async function readClaims(
  { metadata }: FoundProvider,
  configuration: Configuration,
  { personalNumberClaim, nameClaim }: OidcSettings,
  idClaims: JWTPayload,
  accessToken: string,
): Promise<JWTPayload> {
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
const numberPattern = /^\d{8}-?\d{4}$/

function readPersonalNumber(claim: unknown, at: Date): string {
  const isWhole = typeof claim === 'string' && numberPattern.test(claim.trim())
  const personalNumber = isWhole ? parsePersonalNumber(claim, at) : undefined
  if (personalNumber === undefined) throw new NoPerson('personal_number')
  return personalNumber
}

/**
 * Exchanges the code of an authorization response and checks everything that results: `state`, `iss` (RFC 9207), PKCE, nonce,
 * the ID token (OpenID Connect Core 1.0, 3.1.3.7) with its signature and `acr`, and that it names a person.
 *
 * @param target the address of the callback as it was called
 * @throws what `toFailure` tells apart
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
    person: {
      personalNumber: readPersonalNumber(claims[settings.personalNumberClaim], at),
      name: readName(claims[settings.nameClaim]),
    },
    logoutNames: {
      issuer: provider.metadata.issuer,
      sid: typeof sid === 'string' ? sid : undefined,
      sub: String(idClaims['sub']),
      issuedAt: toIssuedAt(idClaims),
    },
    isTimeUnknown: !settings.assumesRecentSignIn && typeof idClaims['auth_time'] !== 'number',
  }
}
