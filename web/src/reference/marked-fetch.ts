/** Marks the reference's calls for the service (`src/platform/http/docs-origin.ts`). */
const mark = 'x-numera-reference'

export interface FetchEvents {
  /** Changes the API document before it is shown. */
  onDocument: (answer: Response) => Promise<Response>
  onProductionRefused: () => void
  /** An app received its token. */
  onAppToken: () => void
}

/** Whether the service rejected a production connection. Leaves the answer unread. */
async function isProductionRefused(answer: Response): Promise<boolean> {
  if (answer.status !== 403) return false
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => undefined)
  return (body as { code?: unknown } | undefined)?.code === 'docs_origin_needs_sandbox'
}

/** Creates the reference's `fetch`: marked, without cookies, and only to this service. */
export function createMarkedFetch({ onDocument, onProductionRefused, onAppToken }: FetchEvents) {
  return async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    const { origin, pathname } = new URL(request.url)
    if (origin !== location.origin) throw new TypeError('The reference only calls its own service.')
    // Without options, to match the preload of `reference.html`.
    if (pathname === '/openapi.json') return onDocument(await fetch(pathname))
    request.headers.set(mark, '1')
    const answer = await fetch(request, { credentials: 'omit' })
    if (await isProductionRefused(answer)) onProductionRefused()
    if (pathname === '/oauth/token' && answer.ok) onAppToken()
    return answer
  }
}
