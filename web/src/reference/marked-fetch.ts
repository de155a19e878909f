/** What the service knows the reference's calls by (`src/http/docs-origin.ts`). */
const mark = 'x-numera-reference'

export interface FetchEvents {
  /** The API document as the reference shows it. */
  onDocument: (answer: Response) => Promise<Response>
  /** A production connection was refused. */
  onProductionRefused: () => void
  /** An app was given its token. */
  onAppToken: () => void
}

/** Whether an answer says that the reference accepts no such connection; the answer itself stays unread. */
async function isProductionRefused(answer: Response): Promise<boolean> {
  if (answer.status !== 403) return false
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => undefined)
  return (body as { code?: unknown } | undefined)?.code === 'docs_origin_needs_sandbox'
}

/** Creates the `fetch` for everything that the reference sends: marked, without cookies, and to this service alone. */
export function createMarkedFetch({ onDocument, onProductionRefused, onAppToken }: FetchEvents) {
  return async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    const { origin, pathname } = new URL(request.url)
    if (origin !== location.origin) throw new TypeError('The reference calls its own service alone.')
    // Without options, so that the browser uses its preload (`reference.html`).
    if (pathname === '/openapi.json') return onDocument(await fetch(pathname))
    request.headers.set(mark, '1')
    const answer = await fetch(request, { credentials: 'omit' })
    if (await isProductionRefused(answer)) onProductionRefused()
    if (pathname === '/oauth/token' && answer.ok) onAppToken()
    return answer
  }
}
