import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'

/** An app's storage for the libraries of the Model Context Protocol, in memory: of both generations. */
export class AppStorage implements OAuthClientProvider {
  readonly redirectUrl: string
  sentTo: URL | undefined
  #client: OAuthClientInformationMixed | undefined
  #tokens: OAuthTokens | undefined
  #codeVerifier = ''

  constructor(redirectUrl: string) {
    this.redirectUrl = redirectUrl
  }
  get clientMetadata() {
    return {
      client_name: 'Ledger Insight',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      software_id: '4NRB1-0XZABZI9E6-5SM3R',
    }
  }
  state() {
    return 'a state of the app'
  }
  clientInformation() {
    return this.#client
  }
  saveClientInformation(client: OAuthClientInformationMixed) {
    this.#client = client
  }
  tokens() {
    return this.#tokens
  }
  saveTokens(tokens: OAuthTokens) {
    this.#tokens = tokens
  }
  redirectToAuthorization(url: URL) {
    this.sentTo = url
  }
  saveCodeVerifier(codeVerifier: string) {
    this.#codeVerifier = codeVerifier
  }
  codeVerifier() {
    return this.#codeVerifier
  }
  invalidateCredentials(scope: string) {
    if (scope === 'tokens' || scope === 'all') this.#tokens = undefined
    if (scope === 'client' || scope === 'all') this.#client = undefined
  }
}
