interface Person {
  personalNumber: string
  name: string
}

/** An order at the demo identity, as the console API answers it. */
interface BegunOrder {
  order_id: string
  presentation: { open_url: string }
}

interface BegunSession {
  csrf_token: string
  companies: { company_id: string }[]
}

/** A browser in which a person is signed in; disposing of it signs them out. */
export interface DemoBrowser extends AsyncDisposable {
  person: Person
  /** Calls the console API; the answer is assumed to be a `T`. @throws Error if it is refused */
  send<T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<T>
}

async function readAnswer<T>(answer: Response, method: string, path: string): Promise<T> {
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return (text === '' ? undefined : JSON.parse(text)) as T
}

/** A call of a program, over HTTP. @throws Error where it is refused */
export async function callDemo<T>(url: string, init: RequestInit): Promise<T> {
  return readAnswer<T>(await fetch(url, init), init.method ?? 'GET', new URL(url).pathname)
}

/** Approves an order on the demo identity's page. */
async function approve(url: string, order: BegunOrder, { personalNumber, name }: Person): Promise<void> {
  const { pathname } = new URL(order.presentation.open_url, url)
  await callDemo(`${url}${pathname}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ answer: 'approve', personal_number: personalNumber, name }),
  })
}

/**
 * Begins the order of `path`, approves it as the browser's person, and collects it.
 *
 * @returns the answer to the last step
 */
export async function completeOrder<T>(
  url: string,
  browser: Pick<DemoBrowser, 'person' | 'send'>,
  path: string,
  begin: object = {},
  collect: object = {},
): Promise<T> {
  const order = await browser.send<BegunOrder>('POST', path, begin)
  await approve(url, order, browser.person)
  const progress = await browser.send<T & { state: string }>(
    'POST',
    `${path}/${order.order_id}/collect`,
    collect,
  )
  if (progress.state !== 'complete') throw new Error(`${path} was not signed: ${progress.state}`)
  return progress
}

/**
 * A person signs in with the demo identity and opens their companies, which know them by name from then on.
 *
 * @param url where the service listens, without a slash at the end
 */
export async function openDemoBrowser(url: string, person: Person): Promise<DemoBrowser> {
  const cookies = new Map<string, string>()
  let csrfToken: string | undefined
  const send = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(csrfToken === undefined ? {} : { 'x-csrf-token': csrfToken }),
        cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    for (const cookie of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = cookie.split(';', 1)[0]!.split(/=(.*)/s)
      cookies.set(name, value)
    }
    return readAnswer<T>(answer, method, path)
  }
  await completeOrder(url, { person, send }, '/console/sign-in')
  const session = await send<BegunSession>('GET', '/console/session')
  csrfToken = session.csrf_token
  for (const { company_id: id } of session.companies) await send('GET', `/console/companies/${id}`)
  return { person, send, [Symbol.asyncDispose]: () => send('POST', '/console/sign-out', {}) }
}
