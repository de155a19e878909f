import { type Answer, call } from './call.ts'

/** One request of a browser, as its transport sends it. */
export interface ConsoleRequest {
  method: string
  path: string
  headers: Record<string, string>
  /** JSON; undefined for none. */
  body: unknown
}

/** A browser at the pages: keeps its cookies, names its origin, and sends its session's CSRF token with what it writes. */
export interface ConsoleClient<Received = Answer> {
  cookies: Map<string, string>
  /** Adds no CSRF token. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Received>
  get(path: string, headers?: Record<string, string>): Promise<Received>
  /** With headers of its own, the CSRF token is sent only if it is one of them. */
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Received>
  put(path: string, body: unknown): Promise<Received>
  patch(path: string, body: unknown): Promise<Received>
  delete(path: string): Promise<Received>
}

export interface Person {
  personalNumber: string
  name: string
}

/**
 * A browser over any transport, which gives the answer and its `Set-Cookie` headers.
 *
 * @param cookies shared with other browsers, if given
 */
// oxlint-disable-next-line typescript/no-explicit-any -- tests read answers as they come
export function createConsoleClientOver<Received extends { body: any }>(
  origin: string,
  transport: (request: ConsoleRequest) => Promise<{ answer: Received; setCookies: readonly string[] }>,
  cookies = new Map<string, string>(),
): ConsoleClient<Received> {
  const send: ConsoleClient<Received>['send'] = async (method, path, body, headers = {}) => {
    const { answer, setCookies } = await transport({
      method,
      path,
      body,
      headers: {
        ...(method === 'GET' ? {} : { origin, 'sec-fetch-site': 'same-origin' }),
        ...(cookies.size === 0 ? {} : { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') }),
        ...headers,
      },
    })
    for (const line of setCookies) {
      const [name, value] = line.split(';', 1)[0]!.split('=') as [string, string]
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return answer
  }
  // Like a page, it reads the token once for each session.
  const known = { cookies: '', headers: {} as Record<string, string> }
  const csrfHeaders = async (): Promise<Record<string, string>> => {
    const current = [...cookies.values()].join()
    if (known.cookies !== current) {
      const { body } = await send('GET', '/console/session')
      known.cookies = current
      known.headers = body?.csrf_token === undefined ? {} : { 'x-csrf-token': body.csrf_token }
    }
    return known.headers
  }
  const write = async (method: string, path: string, body?: unknown): Promise<Received> =>
    send(method, path, body, cookies.size === 0 ? {} : await csrfHeaders())
  return {
    cookies,
    send,
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body = {}, headers) =>
      headers === undefined ? write('POST', path, body) : send('POST', path, body, headers),
    put: (path, body) => write('PUT', path, body),
    patch: (path, body) => write('PATCH', path, body),
    delete: (path) => write('DELETE', path),
  }
}

/**
 * Signs a person in with the demo's electronic identity.
 *
 * @param answer approves the order as the person, given its `open_url`
 */
// oxlint-disable-next-line typescript/no-explicit-any -- tests read answers as they come
export async function signInWith<Received extends { body: any }>(
  client: ConsoleClient<Received>,
  answer: (openUrl: string) => Promise<void>,
): Promise<ConsoleClient<Received>> {
  const { body: order } = await client.post('/console/sign-in')
  await answer(order.presentation.open_url)
  const { body } = await client.post(`/console/sign-in/${order.order_id}/collect`)
  if (body.state !== 'complete') throw new Error(`the sign-in is not complete: ${JSON.stringify(body)}`)
  return client
}

/** A browser without a session, over HTTP. */
export const createConsoleClient = (url: string, cookies?: Map<string, string>): ConsoleClient =>
  createConsoleClientOver(
    url,
    async ({ path, ...request }) => {
      const answer = await call(`${url}${path}`, request)
      return { answer, setCookies: answer.headers.getSetCookie() }
    },
    cookies,
  )

/** Approves an order on the page of the demo's electronic identity. */
export const approve = async (url: string, openUrl: string, person: Person): Promise<void> => {
  const answer = await call(new URL(openUrl, url).href, {
    method: 'POST',
    body: { answer: 'approve', personal_number: person.personalNumber, name: person.name },
  })
  if (answer.status !== 204) throw new Error(`the order was not approved: ${answer.status} ${answer.text}`)
}

/** A browser in which this person has signed in with the demo's electronic identity. */
export const signIn = (url: string, person: Person): Promise<ConsoleClient> =>
  signInWith(createConsoleClient(url), (openUrl) => approve(url, openUrl, person))
