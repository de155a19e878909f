/** How the app is started on the same device, and what it returns to. */
export interface Launch {
  /** Precedes the order's autostart token. */
  urlBase: string
  /** Follows the token. */
  urlEnd: string
  /** For BankID; absent if the app closes and leaves the browser as it was. */
  returnUrl?: string
}

const appLink = 'https://app.bankid.com/?autostarttoken='
const scheme = 'bankid:///?autostarttoken='
/** Nothing is opened afterwards. */
const noRedirect = '&redirect=null'

/** Browsers on iOS that are opened by a scheme of their own; their page stays as it was. */
const iosSchemes: readonly [pattern: RegExp, url: string][] = [
  [/\bCriOS\//, 'googlechrome://'],
  [/\bFxiOS\//, 'firefox://'],
]
/** Safari has its version and its name; a web view inside another app has neither. */
const safari = /\bVersion\/[\d.]+ .*\bSafari\//
/** Others on iOS that have both: an address would open in Safari, which does not know the order. */
const iosOther = /\b(?:EdgiOS|OPT|OPiOS|OPX|DuckDuckGo|Ddg|GSA|Brave|YaBrowser|FBAN|FBAV|Instagram)\b/

/**
 * How to start BankID's app from a browser, and how the person returns. On iOS the app opens an address: it gets the return page's
 * in Safari, the browser's own scheme in Chrome and Firefox, and none elsewhere. On Android and on a computer the app closes, which
 * shows the browser again. An iPad calls itself a Mac: the app's scheme works there too.
 *
 * @param returnUrl of the return page; undefined if the page that began must stay open
 */
export function planLaunch(userAgent: string, returnUrl: string | undefined): Launch {
  if (/\b(?:iPhone|iPad|iPod)\b/.test(userAgent)) {
    const browserUrl = iosSchemes.find(([pattern]) => pattern.test(userAgent))?.[1]
    const isSafari = safari.test(userAgent) && !iosOther.test(userAgent)
    const url = browserUrl ?? (isSafari ? returnUrl : undefined)
    if (url === undefined) return { urlBase: appLink, urlEnd: noRedirect }
    return { urlBase: appLink, urlEnd: '', returnUrl: url }
  }
  return { urlBase: /\bAndroid\b/.test(userAgent) ? appLink : scheme, urlEnd: noRedirect }
}
