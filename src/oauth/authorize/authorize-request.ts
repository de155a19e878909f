import { parseOrgnr } from '../../formats/values/orgnr.ts'
import { appPermissions, type AppPermission } from '../../people/access/app-permissions.ts'
import { type OauthParameters, describeRepeated, getValue, getValues, readScope } from '../parameters.ts'
import type { Config } from '../../platform/config/config.ts'
import { RedirectError } from '../redirect-error.ts'
import type { RegisteredApp } from '../register/app.ts'
import { findOtherServers, toolsResource } from '../resources.ts'

/** What an app requests of a member: well-formed, and no more than an app may request. */
export interface AuthorizeRequest {
  app: RegisteredApp
  /** One of the app's, byte for byte. */
  redirectUri: string
  state: string | undefined
  codeChallenge: string
  /** At least one. */
  permissions: AppPermission[]
  /** Organisation numbers that the app suggests, as they are stored. */
  companies: string[]
  /** Other servers for which the token is requested. */
  resources: string[]
  /** The tools for assistants, if the tokens are for these of this service: the member is asked for no other server. */
  ownResource?: string
}

function invalidRequest(sentence: string): RedirectError {
  return new RedirectError('invalid_request', sentence)
}

/** RFC 6749, 3.1: no parameter more than once, not even an unknown one. */
function checkGivenOnce(parameters: OauthParameters): void {
  const repeated = describeRepeated(parameters)
  if (repeated !== undefined) throw invalidRequest(repeated)
}

/**
 * Requests consist of the address's parameters, never a signed object or a reference (RFC 9101; [oauth.codes]): nothing is
 * fetched from anywhere.
 */
function checkRequestObject(parameters: OauthParameters): void {
  for (const name of ['request', 'request_uri']) {
    if (getValues(parameters, name).length > 0)
      throw invalidRequest(`The parameter ${name} is not supported.`)
  }
}

/** RFC 6749, 4.1.1. @throws `invalid_request` if it is missing, `unsupported_response_type` if it is not `code` */
function checkResponseType(parameters: OauthParameters): void {
  const responseType = getValue(parameters, 'response_type')
  if (responseType === undefined) throw invalidRequest('The parameter response_type is missing.')
  if (responseType !== 'code') {
    throw new RedirectError('unsupported_response_type', 'The parameter response_type must be code.')
  }
}

/** BASE64URL(SHA256(code_verifier)): 32 bytes. */
const challengePattern = /^[A-Za-z0-9_-]{43}$/

/**
 * The challenge of PKCE (RFC 7636, 4.3). Its method is required: without one it would be `plain`, which anyone who reads the
 * request could answer.
 */
function readCodeChallenge(parameters: OauthParameters): string {
  const challenge = getValue(parameters, 'code_challenge')
  if (challenge === undefined) {
    throw invalidRequest(
      'The parameter code_challenge is missing: send the SHA-256 of a code_verifier, as PKCE has it.',
    )
  }
  if (getValue(parameters, 'code_challenge_method') !== 'S256') {
    throw invalidRequest('The parameter code_challenge_method must be S256, in capitals.')
  }
  if (!challengePattern.test(challenge)) {
    throw invalidRequest(
      'The parameter code_challenge must be the SHA-256 of code_verifier as 43 base64url characters without padding.',
    )
  }
  return challenge
}

/** The permissions of `scope`, or all that an app may have without one. @throws `invalid_scope` for any other */
function readPermissions(parameters: OauthParameters): AppPermission[] {
  const scope = getValue(parameters, 'scope')
  const permissions = scope === undefined ? [...appPermissions] : readScope(scope)
  if (permissions !== undefined) return permissions
  throw new RedirectError(
    'invalid_scope',
    `The parameter scope may only name ${appPermissions.join(' and ')}, with a space between.`,
  )
}

/** Organisation numbers in the parameter `companies`; more are `invalid_request`. */
export const suggestedCompaniesMax = 100

/**
 * The companies that the app suggests, as the stored digits [all.orgnr]. The member chooses: whether such companies exist,
 * and whose they are, is not revealed.
 */
function readCompanies(parameters: OauthParameters, now: Date): string[] {
  const given = (getValue(parameters, 'companies') ?? '').split(/[ ,]/).filter((text) => text !== '')
  if (given.length > suggestedCompaniesMax) {
    throw invalidRequest(`The parameter companies may name at most ${suggestedCompaniesMax}.`)
  }
  const numbers = given.map((text) => {
    const orgnr = parseOrgnr(text, now)
    if (orgnr !== undefined) return orgnr
    throw invalidRequest('The parameter companies must hold organisation numbers, with a space between.')
  })
  return [...new Set(numbers)]
}

/** @throws `invalid_target` for a server that is not on the deployment's list */
function readServers(parameters: OauthParameters, config: Pick<Config, 'baseUrl' | 'oauth'>): string[] {
  const others = findOtherServers(getValues(parameters, 'resource'), config)
  if (others !== undefined) return others
  throw new RedirectError(
    'invalid_target',
    'The parameter resource names a server for which no tokens are issued here: leave it out for this service.',
  )
}

/**
 * Parses a request of a known app that may be answered at `redirectUri` (specification "GET
 * {base_url}/oauth/authorize"). Pure: the page and the console API parse a query alike.
 *
 * @throws RedirectError with the first thing that is wrong
 */
export function readAuthorizeRequest(
  parameters: OauthParameters,
  { app, redirectUri }: Pick<AuthorizeRequest, 'app' | 'redirectUri'>,
  config: Pick<Config, 'baseUrl' | 'oauth'>,
  now: Date,
): AuthorizeRequest {
  checkGivenOnce(parameters)
  checkRequestObject(parameters)
  checkResponseType(parameters)
  const tools = toolsResource(config.baseUrl)
  const servers = readServers(parameters, config)
  return {
    app,
    redirectUri,
    state: getValue(parameters, 'state'),
    codeChallenge: readCodeChallenge(parameters),
    permissions: readPermissions(parameters),
    companies: readCompanies(parameters, now),
    resources: servers.filter((server) => server !== tools),
    ...(servers.includes(tools) ? { ownResource: tools } : {}),
  }
}
