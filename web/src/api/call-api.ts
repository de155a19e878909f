import { ApiError } from './api-error.ts'
import type { ConsoleApi } from './console-api.ts'

/** Method and path pattern, such as `GET /console/apps`. */
export type Operation = keyof ConsoleApi

/** The body of a successful response; undefined where it has none. */
export type ApiResponse<Called extends Operation> = ConsoleApi[Called]['answer']

/** Parts of a request: `path` fills in the pattern, `query` comes after it, `body` is sent as JSON. */
export type ApiRequest<Called extends Operation> = Omit<ConsoleApi[Called], 'answer'>

/** What the service refuses without the session's CSRF token: every write but those of signing in. */
type Token<Called extends Operation> = Called extends `GET ${string}` | `POST /console/sign-in${string}`
  ? []
  : [csrfToken: string]

interface Parts {
  path?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
}

async function toApiError(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => ({}))) as {
    code?: string
    message?: string
    field?: string
  }
  const wait = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new ApiError(response.status, {
    code: body.code,
    message: body.message,
    field: body.field,
    retryAfterS: Number.isFinite(wait) ? wait : undefined,
  })
}

/**
 * Calls the console API as the person who is signed in.
 *
 * @param token the CSRF token of the session that the page was opened in, for every write
 * @throws ApiError for every response but success, and where none came
 */
export async function callApi<Called extends Operation>(
  operation: Called,
  request: ApiRequest<Called>,
  ...token: Token<Called>
): Promise<ApiResponse<Called>> {
  const { path = {}, query, body } = request as Parts
  const [csrfToken] = token as [csrfToken?: string]
  const [method, pattern] = operation.split(' ') as [string, string]
  const filled = pattern.replaceAll(/\{(\w+)\}/g, (_part, name: string) => encodeURIComponent(path[name]!))
  const search = query === undefined ? '' : `?${new URLSearchParams(query)}`
  let response: Response
  try {
    response = await fetch(`${filled}${search}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(csrfToken === undefined ? {} : { 'x-csrf-token': csrfToken }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  } catch {
    throw new ApiError(0)
  }
  if (!response.ok) throw await toApiError(response)
  return (response.status === 204 ? undefined : await response.json()) as ApiResponse<Called>
}
