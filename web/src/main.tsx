import './ui/style/style.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { holdKeys } from './frame/early-keys.ts'
import { watchInput } from './api/page-idle.ts'
import { startReachability } from './api/reachability.ts'
import { removeExpiredOrders } from './identity/remembered-order.ts'
import { prefetchReturn, returnPage, extractReturnNonce } from './identity/return-from-app.ts'
import { authorizePage, consentPage, restoreFragment } from './identity/return-to.ts'
import { startLanguage } from './language/language.ts'
import { prefetchReports } from './company/report-list.ts'
import { createQueryClient } from './session/create-query-client.ts'
import { awaitSession, followSession, prefetchSession } from './session/use-session.ts'
import { startColours } from './ui/style/colours.ts'
import { ConnectionLine } from './ui/feedback/connection-line.tsx'
import { Broken, ErrorBoundary } from './ui/feedback/error-boundary.tsx'

const client = createQueryClient()

/**
 * The consent page has no router, which would rewrite the query that the page returns to the service unchanged. The page that
 * BankID's app opens has none because it is small.
 */
async function loadPage(): Promise<ReactNode> {
  const { pathname } = location
  if (pathname === returnPage) {
    const { ReturnPage } = await import('./identity/return-page.tsx')
    return <ReturnPage />
  }
  if (pathname !== authorizePage && pathname !== consentPage) {
    const { openPages } = await import('./pages.tsx')
    return openPages(client)
  }
  const { ConsentPage } = await import('./consent/consent-page.tsx')
  await awaitSession(client)
  return <ConsentPage />
}

watchInput()
holdKeys()
extractReturnNonce()
prefetchReturn(client)
restoreFragment()
removeExpiredOrders()
startLanguage()
startColours()
startReachability()
followSession(client)
void prefetchSession(client)
prefetchReports(client, location.pathname)
createRoot(document.querySelector('#connection')!).render(<ConnectionLine />)
const root = createRoot(document.querySelector('#root')!)

function show(page: ReactNode): void {
  root.render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <ErrorBoundary>{page}</ErrorBoundary>
      </QueryClientProvider>
    </StrictMode>,
  )
}

// Until then, the document shows its own frame.
void loadPage().then(show, () => show(<Broken />))
