import { hashSecret, newSecret } from '../../keys/secrets.ts'

/** Of an access token; one whose connection ends sooner lasts as long as that. */
export const accessTokenMs = 60 * 60_000

/** An access token and a refresh token, not yet kept. */
export interface TokenPair {
  accessToken: string
  refreshToken: string
  accessHash: Buffer
  refreshHash: Buffer
  issuedAt: Date
  /** At the latest: the connection may end sooner. */
  accessExpiresAt: Date
}

export const newTokenPair = (nowMs: number): TokenPair => {
  const accessToken = newSecret('nat_')
  const refreshToken = newSecret('nrt_')
  return {
    accessToken,
    refreshToken,
    accessHash: hashSecret(accessToken),
    refreshHash: hashSecret(refreshToken),
    issuedAt: new Date(nowMs),
    accessExpiresAt: new Date(nowMs + accessTokenMs),
  }
}
