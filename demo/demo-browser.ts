import type { IdentifiedPerson } from '../src/people/identity/identity-provider.ts'

/** An order at the demo's electronic identity, as the pages' API answers it. */
interface BegunOrder {
  order_id: string
  presentation: { open_url: string }
}

interface BegunSession {
  csrf_token: string
  companies: { company_id: string }[]
}

/** A browser in which somebody has signed in to the pages of a demo. */
export interface DemoBrowser {
  person: IdentifiedPerson
  /** Of the pages' API; what it answers is taken to be a `T`. @throws Error where it refuses */
  send<T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<T>
}

/** A call as a program makes it, over HTTP. @throws Error where it is refused */
export async function callDemo<T>(url: string, init: RequestInit): Promise<T> {
  const answer = await fetch(url, init)
  const text = await answer.text()
  if (!answer.ok)
    throw new Error(`${init.method ?? 'GET'} ${new URL(url).pathname}: ${answer.status} ${text}`)
  return (text === '' ? undefined : JSON.parse(text)) as T
}

/** Answers an order at the demo's electronic identity, as the person does on its page. */
async function approve(url: string, order: BegunOrder, person: IdentifiedPerson): Promise<void> {
  const { pathname } = new URL(order.presentation.open_url, url)
  await callDemo(`${url}${pathname}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      answer: 'approve',
      personal_number: person.personalNumber,
      name: person.name,
    }),
  })
}

/**
 * Signs what the pages' API begins at `path`: begins the order, answers it as the person, collects it.
 *
 * @returns what the last step answers, once it is complete
 */
export async function completeOrder<T>(
  url: string,
  browser: DemoBrowser,
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
 * A person signs in with the demo's electronic identity and opens their companies, which know them by name from then on.
 *
 * @param url where the service listens, without a slash at the end
 */
export async function openDemoBrowser(url: string, person: IdentifiedPerson): Promise<DemoBrowser> {
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
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as T
  }
  const browser: DemoBrowser = { person, send }
  await completeOrder(url, browser, '/console/sign-in')
  const session = await send<BegunSession>('GET', '/console/session')
  csrfToken = session.csrf_token
  for (const { company_id: id } of session.companies) await send('GET', `/console/companies/${id}`)
  return browser
}
