import './ui/style.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { startLanguage } from './language/language.ts'
import { createQueryClient } from './session/create-query-client.ts'
import { prefetchSession } from './session/use-session.ts'
import { startColours } from './ui/colours.ts'
import { ErrorBoundary } from './ui/error-boundary.tsx'

/**
 * The page that apps send members to stands alone: it hands its query back to the service letter by letter, and a router
 * writes queries its own way.
 */
const App = lazy(() =>
  location.pathname === '/oauth/authorize'
    ? import('./consent/consent-page.tsx').then(({ ConsentPage }) => ({ default: ConsentPage }))
    : import('./pages.tsx').then(({ Pages }) => ({ default: Pages })),
)

const client = createQueryClient()

startLanguage()
startColours()
prefetchSession(client)
createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <ErrorBoundary>
        <Suspense>
          <App />
        </Suspense>
      </ErrorBoundary>
    </QueryClientProvider>
  </StrictMode>,
)
