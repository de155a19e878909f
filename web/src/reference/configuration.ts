import type { Shown } from './colours.ts'

/** All languages and clients of the library but curl, JavaScript, Python, PHP and C#. */
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
 * The library's settings. Everything that would call, link to or load from its makers is off.
 *
 * @param credential filled in; empty for none
 * @param customFetch sends all of its calls
 */
export function createConfiguration(credential: string, colours: Shown, customFetch: typeof fetch): object {
  const clientId = meta('reference-app')
  const redirectUri = `${location.origin}/docs/api/callback`
  return {
    url: '/openapi.json',
    pageTitle: 'API reference · Numera',
    customFetch,
    telemetry: false,
    withDefaultFonts: false,
    agent: off,
    mcp: off,
    hideClientButton: true,
    showDeveloperTools: 'never',
    externalUrls: { dashboardUrl: '', registryUrl: '', proxyUrl: '', apiBaseUrl: '' },
    // Typed credentials are not stored.
    persistAuth: false,
    theme: 'none',
    forceDarkModeState: colours,
    hideDarkModeToggle: true,
    documentDownloadType: 'direct',
    hiddenClients,
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    defaultOpenAllTags: true,
    orderSchemaPropertiesBy: 'preserve',
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
