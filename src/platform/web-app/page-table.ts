import { uuidPattern } from '../../formats/values/uuid-pattern.ts'

/** A page of the web app, as `web/build-pages-table.ts` writes it into `dist/pages.json`. */
export interface PageEntry {
  /** As a route: `/companies/:company_id/reports`. */
  address: string
  /** The scripts that the page loads and the document does not name. */
  scripts: readonly string[]
  /** What the page requests first of the console API, besides the session. */
  calls: readonly string[]
  /** Whether people may be redirected to it. */
  isReturnable: boolean
}

/** The page that BankID's app opens: it posts the proof of that, and the service never redirects to it or from it. */
export const returnPage = '/bankid/return'

/** The consent page for people who return to it: `/oauth/authorize` redirects, so no order leads there. */
export const consentPage = '/consent'

/** Addresses for programs, and for what pages load. None is a page. */
export const programsOnly = /^\/(?:v1|console|oauth|assets|\.well-known)(?:[/?]|$)/

/** An address is made of names and parameters, so that no sign in it has a meaning in a pattern. */
const addressPattern = /^\/(?:(?::\w+|[\w-]+)(?:\/(?::\w+|[\w-]+))*)?$/

/** Matches ids and names only, so that a path can neither climb nor hide a character behind a percent sign. */
const parameter = '[\\w-]+'

/**
 * Creates the check whether a path, with its query, is the address of a page that a person may be redirected to. A fragment is
 * refused: a browser would keep it through a redirect (RFC 9110, section 10.2.2).
 *
 * @throws Error where an address of the table is none of a page
 */
export function createReturnCheck(pages: readonly PageEntry[]): (target: string) => boolean {
  for (const { address } of pages) {
    if (!addressPattern.test(address) || programsOnly.test(address)) {
      throw new Error(`The table of pages has ${address}, which cannot be the address of a page.`)
    }
  }
  const paths = pages
    .filter(({ address, isReturnable }) => isReturnable && address !== returnPage)
    .map(({ address }) => address.slice(1).replaceAll(/:\w+/g, parameter))
  // The query has any visible character of ASCII but `#`.
  const returnable = new RegExp(`^/(?:(?:${paths.filter(Boolean).join('|')})/?)?(?:\\?[!"$-~]*)?$`)
  return (target) => returnable.test(target)
}

/** Requested by every page, for visitors and members alike. */
const sessionCall = '/console/session'

/** With the mode of a script's own call, so that the script gets this response. */
const toPreload = (url: string): string => `<${url}>; rel=preload; as=fetch; crossorigin`

/**
 * What a browser should load together with a page's document: a `Link` header (RFC 8288; HTML, "Link type preload", "Link type
 * modulepreload").
 *
 * @param params of the address, which may be any text; a call is left out where one of them is no id
 */
export function getLinks(page: PageEntry | undefined, params: Readonly<Record<string, string>> = {}): string {
  const calls = (page?.calls ?? []).flatMap((call) => {
    const names = [...call.matchAll(/:(\w+)/g)].map(([, name]) => name!)
    if (!names.every((name) => uuidPattern.test(params[name] ?? ''))) return []
    return [call.replaceAll(/:(\w+)/g, (_, name: string) => params[name]!)]
  })
  return [
    ...[sessionCall, ...calls].map(toPreload),
    ...(page?.scripts ?? []).map((script) => `<${script}>; rel=modulepreload`),
  ].join(', ')
}
