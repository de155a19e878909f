import { approve, type Browser, type Person, signIn } from './browser.ts'
import type { Answer } from './call.ts'

/** A member at the consent page, by what the page itself calls. */
export interface Consent {
  browser: Browser
  /** Posts to the API of the page with its CSRF token: `post('sign', { permissions, companies })`. */
  post(step: string, body?: object, headers?: Record<string, string>): Promise<Answer>
}

export interface ConsentChoice {
  permissions?: string[]
  companies?: { every: true } | { every: false; company_ids: string[] }
}

/** A signed-in member opens the address that an app sent them to. */
export const openConsent = async (authorizeUrl: URL | string, browser: Browser): Promise<Consent> => {
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
 * Allows what an app asks for and signs it: everything that is asked of every company, unless told otherwise. Gives the
 * address that the browser is sent to.
 */
export const signConsent = async (
  url: string,
  consent: Consent,
  person: Person,
  choice: ConsentChoice = {},
): Promise<URL> => {
  const { body: asked } = await consent.post('')
  if (asked?.state === 'redirect') return new URL(asked.location)
  const { permissions = asked.permissions, companies = { every: true } } = choice
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

/** A person opens the address, signs in, allows everything that is asked of every company, and signs that. */
export const allowApp = async (url: string, authorizeUrl: URL | string, person: Person): Promise<URL> => {
  const consent = await openConsent(authorizeUrl, await signIn(url, person))
  return signConsent(url, consent, person)
}
