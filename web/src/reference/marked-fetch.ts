import { showHint } from './hint.ts'
import { isReadOffered, offerReads } from './offer-reads.ts'

/** What the service knows the reference's calls by (`src/http/docs-origin.ts`). */
const mark = 'x-numera-reference'

/** Whether an answer says that the reference takes no such connection; the answer itself stays unread. */
async function isProductionRefused(answer: Response): Promise<boolean> {
  if (answer.status !== 403) return false
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => undefined)
  return (body as { code?: unknown } | undefined)?.code === 'docs_origin_needs_sandbox'
}

/** `fetch` for everything that the reference sends: marked, without cookies, and to this service alone. */
export async function markedFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init)
  const { origin, pathname } = new URL(request.url)
  if (origin !== location.origin) throw new TypeError('The reference calls its own service alone.')
  // As the page has asked for it ahead (`reference.html`).
  if (pathname === '/openapi.json') return offerReads(await fetch(pathname))
  request.headers.set(mark, '1')
  const answer = await fetch(request, { credentials: 'omit' })
  if (await isProductionRefused(answer)) showHint('production')
  if (pathname === '/oauth/token' && answer.ok && isReadOffered()) showHint('app')
  return answer
}
