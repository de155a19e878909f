import type { QueryClient } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { loadRest } from './load-rest.ts'
import { createPagesRouter } from './routes.tsx'
import { knownSession } from './session/use-session.ts'

/** Every page but the consent, by its address: once it is known who is signed in, and the script of the page is there. */
export async function openPages(client: QueryClient): Promise<ReactNode> {
  const router = createPagesRouter(client)
  await Promise.all([router.load(), knownSession(client)])
  loadRest(router, client)
  return <RouterProvider router={router} />
}
