import type { ClientCredentials } from './read-client-credentials.ts'
import type { Form } from './read-form.ts'

/** A request to the token or the revoke endpoint, read but not believed. */
export interface TokenRequest {
  form: Form
  /** Every `resource`; undefined where none was named. */
  resources: string[] | undefined
  /** An `Authorization` header was sent, whatever it holds: then a 401 names the scheme that it should have had. */
  usedAuthorization: boolean
  /** What the header holds, where it is a well-formed Basic one. */
  credentials: ClientCredentials | undefined
  /** The client's network (`access/client-network.ts`). */
  network: string
}

/** What a grant answers with (RFC 6749, 5.1). */
export interface TokenAnswer {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  refresh_token?: string
  scope: string
}

/** Exchanges what a request brings for tokens, or throws what it is refused with. */
export type Grant = (request: TokenRequest) => Promise<TokenAnswer>
