import type { QueryClient } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useState } from 'react'
import { createPagesRouter } from './routes.tsx'

/** Every page but the consent, by its address. */
export function Pages({ client }: { client: QueryClient }) {
  const [router] = useState(() => createPagesRouter(client))
  return <RouterProvider router={router} />
}
