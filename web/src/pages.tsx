import type { QueryClient } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { loadOverlays } from './frame/overlays.ts'
import { createPagesRouter } from './routes.tsx'
import { awaitSession } from './session/use-session.ts'

/** Every page but the consent, once the session is known and the page's script is loaded. */
export async function openPages(client: QueryClient): Promise<ReactNode> {
  const router = createPagesRouter(client)
  await Promise.all([router.load(), awaitSession(client)])
  loadRest(router, client)
  return <RouterProvider router={router} />
}

/** Without `requestIdleCallback`, the browser counts as idle after this time, in milliseconds. */
const idleAfterMs = 1_000

function whenIdle(next: () => void): void {
  if (typeof requestIdleCallback === 'undefined') setTimeout(next, idleAfterMs)
  else requestIdleCallback(next)
}

/** Whether the person wants to save data (Network Information API, not in every browser). */
function savesData(): boolean {
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true
}

/** Loads the scripts of the other pages one by one while the browser is idle, so that later clicks need not wait for them. */
function loadRest(router: ReturnType<typeof createPagesRouter>, client: QueryClient): void {
  if (savesData()) return
  // After the cards, people open a report.
  const first = router.routesById['/frame/companies/$companyId/reports/$sourceId/$metric']
  const routes = new Set([first, ...Object.values(router.routesById)])
  const rest = [...[...routes].map((route) => () => router.loadRouteChunk(route)), loadOverlays].values()

  async function loadNext(): Promise<void> {
    // The page's own calls come first.
    if (client.isFetching() > 0) return whenIdle(() => void loadNext())
    const { value: load } = rest.next()
    if (load === undefined) return
    // What fails here is loaded when it is needed.
    await Promise.resolve(load()).catch(() => {})
    whenIdle(() => void loadNext())
  }
  whenIdle(() => void loadNext())
}
