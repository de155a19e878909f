import { ApiError } from '../http/errors/errors.ts'

interface RateLimitedDetails {
  message?: string
  /** Those of the bucket, where they are not sent anyway. */
  headers?: Record<string, string>
}

/** 429 `rate_limited` with `Retry-After` [all.bucket]; at `/oauth` it is `tooManyRequests` (`oauth/oauth-error.ts`). */
export function rateLimited(
  retryAfterSeconds: number,
  {
    message = 'There were too many requests; wait as long as Retry-After says.',
    headers = {},
  }: RateLimitedDetails = {},
): ApiError {
  return new ApiError('rate_limited', message, {
    headers: { ...headers, 'Retry-After': String(retryAfterSeconds) },
  })
}
