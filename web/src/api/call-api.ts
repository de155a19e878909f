import { ApiError } from './api-error.ts'
import type { ConsoleApi } from './console-api.ts'
import { idleHeaders } from './page-idle.ts'
import { suspectSilence, whenReachable } from './reachability.ts'

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

/** How a call is made. */
interface Conduct {
  /** Gives the call up: then no answer came. */
  signal?: AbortSignal
}

interface Parts extends Conduct {
  path?: Record<string, string>
  query?: Record<string, string | readonly string[]>
  body?: unknown
}

/** A name stands as often as it has values. */
function toSearch(query: Parts['query'] = {}): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) params.append(name, one)
  }
  return params.size === 0 ? '' : `?${params}`
}

/** The address of an operation, as calls and links to files have it. */
function addressOf(pattern: string, { path = {}, query }: Parts): string {
  const filled = pattern.replaceAll(/\{(\w+)\}/g, (_part, name: string) => encodeURIComponent(path[name]!))
  return `${filled}${toSearch(query)}`
}

/** The address of a file that the console API gives. */
export function fileAddress<Called extends Operation & `GET ${string}`>(
  operation: Called,
  request: ApiRequest<Called>,
): string {
  return addressOf(operation.slice('GET '.length), request as Parts)
}

async function toApiError(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => ({}))) as Partial<
    Record<'code' | 'message' | 'field', string>
  > & {
    details?: unknown
  }
  const wait = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new ApiError(response.status, {
    code: body.code,
    message: body.message,
    field: body.field,
    details: body.details,
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
  request: ApiRequest<Called> & Conduct,
  ...token: Token<Called>
): Promise<ApiResponse<Called>> {
  const { body } = request as Parts
  const [csrfToken] = token as [csrfToken?: string]
  const response = await send(operation, request as Parts, {
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(csrfToken === undefined ? {} : { 'x-csrf-token': csrfToken }),
  })
  if (!response.ok) throw await toApiError(response)
  return (response.status === 204 ? undefined : await bodyOf(response)) as ApiResponse<Called>
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
    const response = await fetch(addressOf(pattern, request), {
      method,
      headers: { ...headers, ...idleHeaders() },
      ...(signal === undefined ? {} : { signal }),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    // So says a proxy whose service is away.
    if (response.status === 502 || response.status === 504) void whenReachable()
    return response
  } catch {
    if (signal?.aborted !== true) void whenReachable()
    throw new ApiError(0)
  } finally {
    clear()
  }
}

/** @throws ApiError where the answer broke off */
async function bodyOf(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch {
    throw new ApiError(0)
  }
}

/** An answer with the tag that the service gave it. */
export interface Tagged<Answer> {
  answer: Answer
  etag: string | null
}

/**
 * Reads what is known already, so that it comes again only where it has changed (RFC 9110, section 13.1.2).
 *
 * @param known what was read before
 * @returns `known` itself where nothing has changed
 * @throws ApiError as {@link callApi} does
 */
export async function renewFromApi<Called extends Operation & `GET ${string}`>(
  operation: Called,
  request: ApiRequest<Called>,
  known: Tagged<ApiResponse<Called>> | undefined,
): Promise<Tagged<ApiResponse<Called>>> {
  const tag = known?.etag ?? null
  const response = await send(operation, request as Parts, tag === null ? {} : { 'if-none-match': tag })
  if (response.status === 304 && known !== undefined) return known
  if (!response.ok) throw await toApiError(response)
  return { answer: (await bodyOf(response)) as ApiResponse<Called>, etag: response.headers.get('etag') }
}
