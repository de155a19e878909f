import { ApiError } from '../http/errors.ts'

/** 429 `rate_limited` with `Retry-After` [all.bucket]. `headers` are those of the bucket, where they are not sent anyway. */
export function rateLimited(retryAfterSeconds: number, headers: Record<string, string> = {}): ApiError {
  return new ApiError('rate_limited', 'There were too many requests; wait as long as Retry-After says.', {
    headers: { ...headers, 'Retry-After': String(retryAfterSeconds) },
  })
}
