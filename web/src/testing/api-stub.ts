import type { Request, Route } from 'playwright-core'
import type { ApiResponse, Operation } from '../api/call-api.ts'

/** A call as the page made it. */
export interface Call {
  operation: Operation
  /** The parameters of the path, in order. */
  path: string[]
  query: Record<string, string>
  body: unknown
  csrfToken: string | undefined
}

/** The body of a success, or any other response; `Response.error()` means none, as without a network. */
type Reply<Called extends Operation> = ApiResponse<Called> | Response

/** The service's response, for each operation that the page may call. */
export type Replies = {
  [Called in Operation]?: (call: Call) => Reply<Called> | Promise<Reply<Called>>
} & {
  /** The state of the deliveries that the stream sends, where another text is a change; or the stream's refusal. */
  deliveryChanges?: () => string | Response
}

/** How soon the page reopens the stream, in milliseconds: never, unless the state can change. */
const reopenAfterMs = 200
const neverMs = 3_600_000

/** The entity tag of the deliveries' state, or the stream's refusal. */
function toState({ deliveryChanges }: Replies): string | Response {
  const state = deliveryChanges?.() ?? '1'
  return state instanceof Response ? state : `"${state}"`
}

/** Sends the state to a page as an event (HTML, "Server-sent events"). The page reopens the stream automatically. */
function sendChanges(route: Route, replies: Replies): Promise<void> {
  const retryMs = replies.deliveryChanges === undefined ? neverMs : reopenAfterMs
  const state = toState(replies)
  if (state instanceof Response) {
    return state.type === 'error' ? route.abort() : route.fulfill({ status: state.status })
  }
  return route.fulfill({
    contentType: 'text/event-stream',
    body: `retry: ${retryMs}\nevent: change\ndata: ${JSON.stringify({ etag: state, deliveries: null })}\n\n`,
  })
}

/** An error of the console API. */
export function apiError(status: number, code: string, message = code, headers: HeadersInit = {}): Response {
  return Response.json({ code, message }, { status, headers })
}

function toCall(operation: Operation, request: Request): Call | undefined {
  const [method, pattern] = operation.split(' ') as [string, string]
  const { pathname, searchParams } = new URL(request.url())
  const match = new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '([^/]+)')}$`).exec(pathname)
  if (match === null || request.method() !== method) return undefined
  return {
    operation,
    path: match.slice(1).map(decodeURIComponent),
    query: Object.fromEntries(searchParams),
    body: request.postDataJSON(),
    csrfToken: request.headers()['x-csrf-token'],
  }
}

/**
 * Answers a page's call to the console API.
 *
 * @throws Error for a call without a reply
 */
export async function answerCall(
  route: Route,
  replies: Replies,
  onCall: (call: Call) => void,
): Promise<void> {
  const request = route.request()
  if (new URL(request.url()).pathname.endsWith('/deliveries/events')) return sendChanges(route, replies)
  for (const operation of Object.keys(replies) as Operation[]) {
    const call = toCall(operation, request)
    if (call === undefined) continue
    onCall(call)
    const reply = await (replies[operation] as (call: Call) => unknown)(call)
    if (reply === undefined) return route.fulfill({ status: 204 })
    if (!(reply instanceof Response)) {
      // Polled while the stream is being reopened: nothing has changed.
      const state = operation.endsWith('/last-deliveries') ? toState(replies) : undefined
      return route.fulfill({ json: reply, headers: typeof state === 'string' ? { etag: state } : {} })
    }
    if (reply.type === 'error') return route.abort()
    const { status, headers } = reply
    return route.fulfill({ status, headers: Object.fromEntries(headers), body: await reply.text() })
  }
  await route.abort()
  throw new Error(`There is no reply for ${request.method()} ${request.url()}.`)
}
