import { type Answer, call } from './call.ts'

/** A person at the pages: keeps cookies, says its origin, as a browser does, and writes with the session's CSRF token. */
export interface Browser {
  get(path: string): Promise<Answer>
  /** With headers of its own it sends the CSRF token only where it is among them. */
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  put(path: string, body: unknown): Promise<Answer>
  patch(path: string, body: unknown): Promise<Answer>
  delete(path: string): Promise<Answer>
}

export interface Person {
  personalNumber: string
  name: string
}

/** A browser in which nobody is signed in; with cookies that it shares where they are given. */
export const openBrowser = (url: string, cookies = new Map<string, string>()): Browser => {
  const send = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const answer = await call(`${url}${path}`, {
      method,
      body,
      headers: {
        ...(method === 'GET' ? {} : { origin: url, 'sec-fetch-site': 'same-origin' }),
        cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
        ...headers,
      },
    })
    for (const line of answer.headers.getSetCookie()) {
      const [name, value] = line.split(';', 1)[0]!.split('=') as [string, string]
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return answer
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
  const write = async (method: string, path: string, body?: unknown): Promise<Answer> =>
    send(method, path, body, cookies.size === 0 ? {} : await csrfHeaders())
  return {
    get: (path) => send('GET', path),
    post: (path, body = {}, headers) =>
      headers === undefined ? write('POST', path, body) : send('POST', path, body, headers),
    put: (path, body) => write('PUT', path, body),
    patch: (path, body) => write('PATCH', path, body),
    delete: (path) => write('DELETE', path),
  }
}

/** The person answers an order on the page of the demo's electronic identity. */
export const approve = async (url: string, openUrl: string, person: Person): Promise<void> => {
  const answer = await call(new URL(openUrl, url).href, {
    method: 'POST',
    body: { answer: 'approve', personal_number: person.personalNumber, name: person.name },
  })
  if (answer.status !== 204) throw new Error(`the order was not approved: ${answer.status} ${answer.text}`)
}

/** A browser in which this person has signed in with the demo's electronic identity. */
export const signIn = async (url: string, person: Person): Promise<Browser> => {
  const browser = openBrowser(url)
  const { body: order } = await browser.post('/console/sign-in')
  await approve(url, order.presentation.open_url, person)
  const { body } = await browser.post(`/console/sign-in/${order.order_id}/collect`)
  if (body.state !== 'complete') throw new Error(`nobody was signed in: ${JSON.stringify(body)}`)
  return browser
}
