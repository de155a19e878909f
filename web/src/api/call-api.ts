import { ApiError } from './api-error.ts'
import type { ConsoleApi } from './console-api.ts'
import { idleHeaders } from './page-idle.ts'
import { suspectSilence, whenReachable } from './reachability.ts'

/** Method and path pattern, such as `GET /console/apps`. */
export type Operation = keyof ConsoleApi
type Read = Operation & `GET ${string}`

/** The body of a successful response; undefined where it has none. */
export type ApiResponse<Called extends Operation> = ConsoleApi[Called]['answer']

/** `path` fills in the pattern, `query` follows it, `body` is sent as JSON. */
export type ApiRequest<Called extends Operation> = Omit<ConsoleApi[Called], 'answer'>

/** The session's CSRF token, which every write but signing in needs. */
export type Token<Called extends Operation> = Called extends Read | `POST /console/sign-in${string}`
  ? []
  : [csrfToken: string]

interface Parts {
  path?: Record<string, string>
  query?: Record<string, string | readonly string[]>
  body?: unknown
  signal?: AbortSignal
}

function toAddress(pattern: string, { path = {}, query = {} }: Parts): string {
  const filled = pattern.replaceAll(/\{(\w+)\}/g, (_part, name: string) => encodeURIComponent(path[name]!))
  const params = new URLSearchParams()
  for (const [name, values] of Object.entries(query)) {
    for (const value of [values].flat()) params.append(name, value)
  }
  return params.size === 0 ? filled : `${filled}?${params}`
}

/** The address of a file that the console API serves. */
export function fileAddress<Called extends Read>(operation: Called, request: ApiRequest<Called>): string {
  return toAddress(operation.slice('GET '.length), request as Parts)
}

async function toApiError(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => ({}))) as ConstructorParameters<typeof ApiError>[1]
  const wait = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new ApiError(response.status, { ...body, retryAfterS: Number.isFinite(wait) ? wait : undefined })
}

/**
 * Calls the console API as the signed-in person.
 *
 * @throws ApiError for every response but success, and where none came
 */
export async function callApi<Called extends Operation>(
  operation: Called,
  request: ApiRequest<Called> & { signal?: AbortSignal },
  ...[csrfToken]: Token<Called>
): Promise<ApiResponse<Called>> {
  const { body } = request as Parts
  const response = await send(operation, request as Parts, {
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(csrfToken !== undefined && { 'x-csrf-token': csrfToken }),
  })
  if (!response.ok) throw await toApiError(response)
  return (response.status === 204 ? undefined : await readBody(response)) as ApiResponse<Called>
}

/** @throws ApiError where no answer came */
async function send(
  operation: Operation,
  request: Parts,
  headers: Record<string, string>,
): Promise<Response> {
  const { body, signal } = request
  const [method, pattern] = operation.split(' ') as [string, string]
  const clear = suspectSilence()
  try {
    const response = await fetch(toAddress(pattern, request), {
      method,
      headers: { ...headers, ...idleHeaders() },
      ...(signal !== undefined && { signal }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    // From a proxy that cannot reach the service.
    if (response.status === 502 || response.status === 504) void whenReachable()
    return response
  } catch {
    if (signal?.aborted !== true) void whenReachable()
    throw new ApiError(0)
  } finally {
    clear()
  }
}

/** @throws ApiError where the answer was cut off */
async function readBody(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch {
    throw new ApiError(0)
  }
}

/** An answer with its entity tag. */
export interface Tagged<Answer> {
  answer: Answer
  etag: string | null
}

/**
 * Reads again only what has changed (RFC 9110, section 13.1.2).
 *
 * @returns `known` itself where nothing has changed
 * @throws ApiError as {@link callApi} does
 */
export async function renewFromApi<Called extends Read>(
  operation: Called,
  request: ApiRequest<Called>,
  known: Tagged<ApiResponse<Called>> | undefined,
): Promise<Tagged<ApiResponse<Called>>> {
  const tag = known?.etag ?? null
  const response = await send(operation, request as Parts, tag === null ? {} : { 'if-none-match': tag })
  if (response.status === 304 && known !== undefined) return known
  if (!response.ok) throw await toApiError(response)
  return { answer: (await readBody(response)) as ApiResponse<Called>, etag: response.headers.get('etag') }
}
