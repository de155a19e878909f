/** Other addresses of the service that documents may link to. A test of the service requests each one. */
const serviceAddresses = new Set([
  '/',
  '/sign-in',
  '/docs/api',
  '/docs/numera.postman_collection.json',
  '/llms.txt',
  '/llms-full.txt',
  '/openapi.json',
  '/openapi.yaml',
])

/** What the content policy blocks: inline scripts and styles, and other hosts. */
const refused: readonly [RegExp, string][] = [
  [/<[^>]+\sstyle=/i, 'a style in the page'],
  [/<style\b/i, 'a style in the page'],
  [/<script(?![^>]*\ssrc=)/i, 'a script in the page'],
  [/<[^>]+\son[a-z]+=/i, 'a script in the page'],
  [/<(?:script|img|link|iframe|source)\b[^>]+(?:src|href)="(?:https?:)?\/\//i, 'something from another host'],
]

function decode(text: string): string {
  return text.replaceAll('&quot;', '"').replaceAll('&amp;', '&')
}

/** Every address that a page links to or loads. */
function addressesIn(html: string): string[] {
  return [...html.matchAll(/<[^>]+?\s(?:href|src)="([^"]*)"/g)].map(([, address]) => decode(address!))
}

function anchorsIn(html: string): Set<string> {
  return new Set([...html.matchAll(/<[^>]+?\sid="([^"]*)"/g)].map(([, id]) => decode(id!)))
}

/**
 * Finds broken links and anchors, and what browsers would block.
 *
 * @param pages the HTML of each page, by address
 * @param files the addresses of all other files
 */
export function checkSite(pages: ReadonlyMap<string, string>, files: ReadonlySet<string>): string[] {
  const problems: string[] = []
  const anchors = new Map([...pages].map(([address, html]) => [address, anchorsIn(html)]))
  for (const [page, html] of pages) {
    for (const [pattern, what] of refused) if (pattern.test(html)) problems.push(`${page} holds ${what}.`)
    for (const link of new Set(addressesIn(html))) {
      if (/^[a-z][\w+.-]*:/i.test(link)) continue
      const [path = '', fragment] = link.split('#', 2)
      const target = path === '' ? page : path
      if (!pages.has(target)) {
        if (!files.has(target) && !serviceAddresses.has(target)) {
          problems.push(`${page} leads to ${link}, which is not there.`)
        }
      } else if (fragment !== undefined && !anchors.get(target)!.has(decodeURIComponent(fragment))) {
        problems.push(`${page} leads to ${link}: that page has no such heading.`)
      }
    }
  }
  return problems
}
