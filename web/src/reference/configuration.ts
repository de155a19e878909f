import type { Shown } from './colours.ts'

/** Of the languages and clients that the library knows, all but curl, JavaScript, Python, PHP and C#. */
const hiddenClients = (
  'c clojure dart fsharp go http java julia kotlin node objc ocaml powershell r ruby rust swift ' +
  'shell/wget shell/httpie js/axios js/ofetch js/jquery js/xhr ' +
  'python/python3 python/httpx_sync python/httpx_async python/aiohttp ' +
  'php/guzzle php/laravel csharp/restsharp'
).split(' ')

const off = { disabled: true }
const meta = (name: string): string | undefined =>
  document.querySelector<HTMLMetaElement>(`meta[name="numera-${name}"]`)?.content

/**
 * The library's settings: everything of it that would call, link or load from its makers is off.
 *
 * @param credential what is filled in; empty for nothing
 * @param customFetch through which it sends everything
 */
export function configurationOf(credential: string, colours: Shown, customFetch: typeof fetch): object {
  const clientId = meta('reference-app')
  const redirectUri = `${location.origin}/docs/api/callback`
  return {
    url: '/openapi.json',
    pageTitle: 'API reference · Numera',
    customFetch,
    // Nothing of its makers.
    telemetry: false,
    withDefaultFonts: false,
    agent: off,
    mcp: off,
    hideClientButton: true,
    showDeveloperTools: 'never',
    externalUrls: { dashboardUrl: '', registryUrl: '', proxyUrl: '', apiBaseUrl: '' },
    // What is typed in goes with the page.
    persistAuth: false,
    theme: 'none',
    forceDarkModeState: colours,
    hideDarkModeToggle: true,
    documentDownloadType: 'direct',
    hiddenClients,
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    defaultOpenAllTags: true,
    orderSchemaPropertiesBy: 'preserve',
    // What is set by the address alone: the headings below are the document's.
    hideModels: true,
    oauth2RedirectUri: redirectUri,
    authentication: {
      preferredSecurityScheme: 'bearer',
      securitySchemes: {
        bearer: { token: credential },
        ...(clientId !== undefined && {
          app: {
            flows: {
              authorizationCode: {
                'x-scalar-client-id': clientId,
                'x-scalar-redirect-uri': redirectUri,
                'x-usePkce': 'SHA-256',
                selectedScopes: ['company.read', 'metrics.read'],
              },
            },
          },
        }),
      },
    },
  }
}
