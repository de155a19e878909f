/** How the app is started on the same device, and what it goes back to. */
export interface Launch {
  /** To which the order's autostart token is appended. */
  urlBase: string
  /** What follows the token. */
  urlEnd: string
  /** For BankID; absent where the app closes and leaves the browser as it was. */
  returnUrl?: string
}

const appLink = 'https://app.bankid.com/?autostarttoken='
const scheme = 'bankid:///?autostarttoken='
/** Nothing is opened afterwards. */
const stay = '&redirect=null'

/** Browsers on iOS that are opened by a scheme of their own; the page in them stays as it was. */
const iosSchemes: readonly [pattern: RegExp, url: string][] = [
  [/\bCriOS\//, 'googlechrome://'],
  [/\bFxiOS\//, 'firefox://'],
]
/** Safari says its version and its name; a view of pages inside another app says neither. */
const safari = /\bVersion\/[\d.]+ .*\bSafari\//
/** Others on iOS that say both: an address would open in Safari, which does not know the order. */
const iosOther = /\b(?:EdgiOS|OPT|OPiOS|OPX|DuckDuckGo|Ddg|GSA|Brave|YaBrowser|FBAN|FBAV|Instagram)\b/

/**
 * How to start BankID's app from a browser, and how the person gets back. On iOS the app opens an address, so it is given the
 * return page's in Safari, the browser's own scheme in Chrome and Firefox, and none elsewhere. On Android and on a computer the app
 * closes, which brings back the browser that was there before. An iPad calls itself a Mac: the app's scheme works there too.
 *
 * @param returnUrl of the return page; undefined where the page that began must stay as it is
 */
export function planLaunch(userAgent: string, returnUrl: string | undefined): Launch {
  if (/\b(?:iPhone|iPad|iPod)\b/.test(userAgent)) {
    const ofBrowser = iosSchemes.find(([pattern]) => pattern.test(userAgent))?.[1]
    const isSafari = safari.test(userAgent) && !iosOther.test(userAgent)
    const own = ofBrowser ?? (isSafari ? returnUrl : undefined)
    if (own === undefined) return { urlBase: appLink, urlEnd: stay }
    return { urlBase: appLink, urlEnd: '', returnUrl: own }
  }
  const isAndroid = /\bAndroid\b/.test(userAgent)
  return { urlBase: isAndroid ? appLink : scheme, urlEnd: stay }
}
