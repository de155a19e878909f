import type { App } from '../http/contract.ts'
import { approveDemoOrder, type SeedContext } from './seed.ts'

export interface ConsoleAnswer {
  status: number
  /** Parsed JSON, or the text of a file; undefined without a body. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read answers as they come
  body: any
  headers: Record<string, number | string | string[] | undefined>
}

/** A browser of the pages: keeps its cookies, says its origin, writes JSON, and sends its session's CSRF token. */
export interface ConsoleClient {
  cookies: Map<string, string>
  /** Without a body it sends none; what writes has one. The CSRF token is among the headers, or is not sent. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ConsoleAnswer>
  get(path: string, headers?: Record<string, string>): Promise<ConsoleAnswer>
  /** With headers of its own it sends the CSRF token only where it is among them. */
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<ConsoleAnswer>
  patch(path: string, body: unknown): Promise<ConsoleAnswer>
  put(path: string, body: unknown): Promise<ConsoleAnswer>
  delete(path: string): Promise<ConsoleAnswer>
}

/** A browser that nobody has signed in with yet. */
export const createConsoleClient = (app: App): ConsoleClient => {
  const cookies = new Map<string, string>()
  const send: ConsoleClient['send'] = async (method, url, body, headers = {}) => {
    const answer = await app.inject({
      method: method as 'GET',
      url,
      headers: {
        ...(method === 'GET' ? {} : { origin: 'http://localhost:8080', 'sec-fetch-site': 'same-origin' }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(cookies.size === 0 ? {} : { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    })
    for (const cookie of answer.cookies) {
      if (cookie.value === '') cookies.delete(cookie.name)
      else cookies.set(cookie.name, cookie.value)
    }
    const isJson = String(answer.headers['content-type']).startsWith('application/json')
    const text = answer.payload === '' ? undefined : answer.payload
    return {
      status: answer.statusCode,
      body: isJson && text !== undefined ? JSON.parse(text) : text,
      headers: answer.headers,
    }
  }
  /** As a page does, which asks once for each session. */
  const known = { cookies: '', headers: {} as Record<string, string> }
  const csrfHeaders = async (): Promise<Record<string, string>> => {
    const inCookies = [...cookies.values()].join()
    if (known.cookies !== inCookies) {
      const { body } = await send('GET', '/console/session')
      known.cookies = inCookies
      known.headers = body?.csrf_token === undefined ? {} : { 'x-csrf-token': body.csrf_token }
    }
    return known.headers
  }
  const write = async (method: string, path: string, body?: unknown): Promise<ConsoleAnswer> =>
    send(method, path, body, cookies.size === 0 ? {} : await csrfHeaders())
  return {
    cookies,
    send,
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body = {}, headers) =>
      headers === undefined ? write('POST', path, body) : send('POST', path, body, headers),
    patch: (path, body) => write('PATCH', path, body),
    put: (path, body) => write('PUT', path, body),
    delete: (path) => write('DELETE', path),
  }
}

/** A browser in which this person has signed in with the demo's electronic identity. */
export const signInConsole = async (
  app: App,
  context: SeedContext,
  person: { personalNumber: string; name: string },
): Promise<ConsoleClient> => {
  const client = createConsoleClient(app)
  const { body: order } = await client.post('/console/sign-in')
  await approveDemoOrder(context, order.presentation.open_url, person)
  const { body } = await client.post(`/console/sign-in/${order.order_id}/collect`)
  if (body.state !== 'complete') throw new Error(`nobody was signed in: ${JSON.stringify(body)}`)
  return client
}
