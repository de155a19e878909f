import { approve, type ConsoleClient, type Person, signIn } from './console-client.ts'
import type { Answer } from './call.ts'

/** A member's consent, by the calls that its page makes. */
export interface Consent {
  browser: ConsoleClient
  /** Posts with the session's CSRF token: `post('sign', { permissions, companies })`. */
  post(step: string, body?: object, headers?: Record<string, string>): Promise<Answer>
}

export interface ConsentChoice {
  permissions?: string[]
  companies?: { every: true } | { every: false; company_ids: string[] }
}

/** Opens an app's authorization URL as a signed-in member. */
export const openConsent = async (authorizeUrl: URL | string, browser: ConsoleClient): Promise<Consent> => {
  const query = new URL(authorizeUrl).search
  const { body: session } = await browser.get('/console/session')
  return {
    browser,
    post: (step, body = {}, headers = { 'x-csrf-token': session.csrf_token }) =>
      browser.post(`/console/authorize${step === '' ? '' : `/${step}`}`, { query, ...body }, headers),
  }
}

const required = (answer: Answer, state: string): Answer['body'] => {
  if (answer.body?.state !== state) throw new Error(`${answer.status} ${answer.text}`)
  return answer.body
}

/**
 * Allows what an app asks for, by default everything for every company, and signs it. Gives the URL that the browser is
 * redirected to.
 */
export const signConsent = async (
  url: string,
  consent: Consent,
  person: Person,
  choice: ConsentChoice = {},
): Promise<URL> => {
  const { body: request } = await consent.post('')
  if (request?.state === 'redirect') return new URL(request.location)
  const { permissions = request.permissions, companies = { every: true } } = choice
  const order = required(
    await consent.post('sign', {
      permissions: permissions.map((each: string | { permission: string }) =>
        typeof each === 'string' ? each : each.permission,
      ),
      companies,
    }),
    'signing',
  )
  await approve(url, order.presentation.open_url, person)
  const done = required(await consent.post(`sign/${order.order_id}/collect`), 'complete')
  return new URL(done.location)
}

/** Signs in and allows everything that an app asks for, for every company. */
export const allowApp = async (url: string, authorizeUrl: URL | string, person: Person): Promise<URL> => {
  const consent = await openConsent(authorizeUrl, await signIn(url, person))
  return signConsent(url, consent, person)
}
