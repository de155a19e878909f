import './ui/style.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { AppsPage } from './apps/apps-page.tsx'
import { ConsentPage } from './consent/consent-page.tsx'
import { startLanguage } from './language/language.ts'
import { createQueryClient } from './session/create-query-client.ts'
import { SignInPage } from './session/sign-in-page.tsx'

/** The pages by their address. The service serves the document at these and at `/sign-in`. */
const pages: Record<string, () => React.ReactNode> = {
  '/oauth/authorize': ConsentPage,
  '/apps': AppsPage,
}
const Page = pages[location.pathname] ?? SignInPage

startLanguage()
createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    {/* Without its own style elements: the content policy takes styles from files alone. */}
    <MantineProvider defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={createQueryClient()}>
        <Page />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
