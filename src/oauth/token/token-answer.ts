import type { ClientRequest } from '../client/client-request.ts'

/** What the token endpoint answers with (RFC 6749, 5.1). */
export interface TokenAnswer {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  refresh_token?: string
  scope: string
}

/** Exchanges what a request brings for tokens, or throws what it is refused with. */
export type Grant = (request: ClientRequest) => Promise<TokenAnswer>
