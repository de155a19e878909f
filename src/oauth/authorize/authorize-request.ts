import { appPermissions, type AppPermission } from '../../access/app-permissions.ts'
import type { RegisteredApp } from '../register/app.ts'
import { findRepeated, valueOf, valuesOf, type OauthParameters } from '../parameters.ts'
import { givenTwice } from '../errors.ts'
import { RedirectError } from '../redirect-error.ts'
import { furtherServers } from '../resources.ts'
import { readScope } from '../scope.ts'
import { readCodeChallenge } from './read-code-challenge.ts'
import { readCompanies } from './read-companies.ts'

/** What an app asks a member for: well-formed, and no more than an app may ask for. */
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
  /** Further servers that the token is to be for. */
  resources: string[]
}

/** What parsing a request depends on beside the request and its app. */
export interface Deployment {
  baseUrl: string
  /** See `config.oauth.resources`. */
  resources: readonly string[]
  now: Date
}

/** RFC 6749, 3.1: no parameter more than once, not even an unknown one. @throws `invalid_request` */
function checkGivenOnce(parameters: OauthParameters): void {
  const repeated = findRepeated(parameters)
  if (repeated !== undefined) throw new RedirectError('invalid_request', givenTwice(repeated))
}

/**
 * Requests come as parameters of the address alone, never as a signed object or by reference (RFC 9101; [oauth.codes]):
 * nothing is fetched from anywhere.
 *
 * @throws `invalid_request`
 */
function checkRequestObject(parameters: OauthParameters): void {
  for (const name of ['request', 'request_uri']) {
    if (valuesOf(parameters, name).length > 0) {
      throw new RedirectError('invalid_request', `The parameter ${name} is not supported.`)
    }
  }
}

/**
 * RFC 6749, 4.1.1. @throws `invalid_request` where it is missing, `unsupported_response_type` where it is not `code`
 */
function checkResponseType(parameters: OauthParameters): void {
  const responseType = valueOf(parameters, 'response_type')
  if (responseType === undefined) {
    throw new RedirectError('invalid_request', 'The parameter response_type is missing.')
  }
  if (responseType !== 'code') {
    throw new RedirectError('unsupported_response_type', 'The parameter response_type must be code.')
  }
}

/**
 * The requested permissions: those of `scope`, or every one that an app may hold where there is none.
 *
 * @throws `invalid_scope` for one that does not exist or that no app may hold
 */
function readPermissions(parameters: OauthParameters): AppPermission[] {
  const scope = valueOf(parameters, 'scope')
  const permissions = scope === undefined ? [...appPermissions] : readScope(scope)
  if (permissions === undefined) {
    throw new RedirectError(
      'invalid_scope',
      `The parameter scope may only name ${appPermissions.join(' and ')}, with a space between.`,
    )
  }
  return permissions
}

/** @throws `invalid_target` for a server that is not on the deployment's list */
function readServers(parameters: OauthParameters, { baseUrl, resources }: Deployment): string[] {
  const others = furtherServers(valuesOf(parameters, 'resource'), baseUrl, resources)
  if (others === undefined) {
    throw new RedirectError(
      'invalid_target',
      'The parameter resource names a server that no tokens are issued for here: leave it out for this service.',
    )
  }
  return others
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
  deployment: Deployment,
): AuthorizeRequest {
  checkGivenOnce(parameters)
  checkRequestObject(parameters)
  checkResponseType(parameters)
  return {
    app,
    redirectUri,
    state: valueOf(parameters, 'state'),
    codeChallenge: readCodeChallenge(parameters),
    permissions: readPermissions(parameters),
    companies: readCompanies(parameters, deployment.now),
    resources: readServers(parameters, deployment),
  }
}
