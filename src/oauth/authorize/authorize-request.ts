import type { AppPermission } from '../../access/app-permissions.ts'
import type { RegisteredApp } from '../register/app.ts'
import { checkGivenOnce } from './check-given-once.ts'
import { checkRequestObject } from './check-request-object.ts'
import { checkResponseType } from './check-response-type.ts'
import { valueOf, type Parameters } from './parameters.ts'
import { readCodeChallenge } from './read-code-challenge.ts'
import { readCompanies } from './read-companies.ts'
import { readResources } from './read-resources.ts'
import { readScope } from './read-scope.ts'

/** What an app asks a member for: well-formed, and no more than an app may ask for. */
export interface AuthorizeRequest {
  app: RegisteredApp
  /** One of the app's, byte for byte. */
  redirectUri: string
  state: string | undefined
  codeChallenge: string
  /** At least one. */
  permissions: AppPermission[]
  /** Organisation numbers that the app suggests, as they are kept. */
  companies: string[]
  /** Further servers that the token is to be for. */
  resources: string[]
}

/** What the reading of a request depends on beside the request and its app. */
export interface Deployment {
  baseUrl: string
  /** See `config.oauth.resources`. */
  resources: readonly string[]
  now: Date
}

/**
 * Reads a request of an app that is known and may be answered at `redirectUri` (specification "GET
 * {base_url}/oauth/authorize"). Pure: the page and the console API read one query alike.
 *
 * @throws RedirectError with the first thing that is wrong
 */
export const readAuthorizeRequest = (
  parameters: Parameters,
  { app, redirectUri }: Pick<AuthorizeRequest, 'app' | 'redirectUri'>,
  deployment: Deployment,
): AuthorizeRequest => {
  checkGivenOnce(parameters)
  checkRequestObject(parameters)
  checkResponseType(parameters)
  return {
    app,
    redirectUri,
    state: valueOf(parameters, 'state'),
    codeChallenge: readCodeChallenge(parameters),
    permissions: readScope(parameters),
    companies: readCompanies(parameters, deployment.now),
    resources: readResources(parameters, deployment.baseUrl, deployment.resources),
  }
}
