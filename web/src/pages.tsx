import type { QueryClient } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { loadOverlays } from './frame/overlays.ts'
import { createPagesRouter } from './routes.tsx'
import { awaitSession } from './session/use-session.ts'

/** Every page but the consent, by its address: once it is known who is signed in, and the script of the page is there. */
export async function openPages(client: QueryClient): Promise<ReactNode> {
  const router = createPagesRouter(client)
  await Promise.all([router.load(), awaitSession(client)])
  loadRest(router, client)
  return <RouterProvider router={router} />
}

/** A browser that does not say when it is idle is taken to be so after this, milliseconds. */
const idleAfterMs = 1_000

function whenIdle(next: () => void): void {
  if (typeof requestIdleCallback === 'undefined') setTimeout(next, idleAfterMs)
  else requestIdleCallback(next)
}

/** Whether the person has asked for little to be sent. Not every browser says (Network Information API). */
function savesData(): boolean {
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true
}

/**
 * Loads the scripts that the first page did not need, one page after the other while the browser is idle: a later click is
 * answered without waiting for them, and without a network.
 */
function loadRest(router: ReturnType<typeof createPagesRouter>, client: QueryClient): void {
  if (savesData()) return
  // Who sees cards opens one.
  const first = router.routesById['/frame/companies/$companyId/reports/$sourceId/$metric']
  const routes = new Set([first, ...Object.values(router.routesById)])
  const rest = [...[...routes].map((route) => () => router.loadRouteChunk(route)), loadOverlays].values()

  async function loadNext(): Promise<void> {
    // What the page itself asks for comes first.
    if (client.isFetching() > 0) return whenIdle(() => void loadNext())
    const { value: load } = rest.next()
    if (load === undefined) return
    // What fails here is loaded when it is needed.
    await Promise.resolve(load()).catch(() => {})
    whenIdle(() => void loadNext())
  }
  whenIdle(() => void loadNext())
}
