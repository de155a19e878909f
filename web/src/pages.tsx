import { RouterProvider } from '@tanstack/react-router'
import { createPagesRouter } from './routes.tsx'

const router = createPagesRouter()

/** Every page but the consent, by its address. */
export function Pages() {
  return <RouterProvider router={router} />
}
