import './ui/style.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { watchTouches } from './api/page-idle.ts'
import { forgetOldOrders } from './identity/remembered-order.ts'
import { prefetchReturn, returnPage, takeReturnNonce } from './identity/return-from-app.ts'
import { authorizePage, consentPage, restoreFragment } from './identity/return-to.ts'
import { startLanguage } from './language/language.ts'
import { prefetchReports } from './company/report-list.ts'
import { createQueryClient } from './session/create-query-client.ts'
import { prefetchSession } from './session/use-session.ts'
import { startColours } from './ui/colours.ts'
import { Broken, ErrorBoundary } from './ui/error-boundary.tsx'

const client = createQueryClient()

/**
 * The page that apps send members to, and that they come back to, stands alone: it hands its query back to the service letter by letter,
 * and a router writes queries its own way. So does the page that BankID's app opens: it is small.
 */
function loadPage(): Promise<ReactNode> {
  const { pathname } = location
  if (pathname === returnPage) {
    return import('./identity/return-page.tsx').then(({ ReturnPage }) => <ReturnPage />)
  }
  return pathname === authorizePage || pathname === consentPage
    ? import('./consent/consent-page.tsx').then(({ ConsentPage }) => <ConsentPage />)
    : import('./pages.tsx').then(({ Pages }) => <Pages client={client} />)
}

watchTouches()
takeReturnNonce()
prefetchReturn(client)
restoreFragment()
forgetOldOrders()
startLanguage()
startColours()
prefetchSession(client)
prefetchReports(client, location.pathname)
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

// Not lazily, with nothing in its place until then: React shows what comes after nothing 300 ms later at the earliest.
void loadPage().then(show, () => show(<Broken />))
