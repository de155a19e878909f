import type { App } from '../http/contract.ts'
import { approveDemoOrder, type SeedContext } from './seed.ts'

export interface ConsoleAnswer {
  status: number
  /** Parsed JSON, or the text of a file; undefined without a body. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read answers as they come
  body: any
  headers: Record<string, number | string | string[] | undefined>
}

/** A browser of the pages: keeps its cookies, says its origin, writes JSON. */
export interface ConsoleClient {
  cookies: Map<string, string>
  /** Without a body it sends none; what writes has one. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ConsoleAnswer>
  get(path: string, headers?: Record<string, string>): Promise<ConsoleAnswer>
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
  return {
    cookies,
    send,
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body = {}, headers = {}) => send('POST', path, body, headers),
    patch: (path, body) => send('PATCH', path, body),
    put: (path, body) => send('PUT', path, body),
    delete: (path) => send('DELETE', path),
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
