/** What the service answers beside the documents, where these may lead. A test of the service asks each. */
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

/** What the content policy would refuse: scripts and styles in the page itself, and anything of another host. */
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

/** Every address that a page leads to or loads. */
function addressesIn(html: string): string[] {
  return [...html.matchAll(/<[^>]+?\s(?:href|src)="([^"]*)"/g)].map(([, address]) => decode(address!))
}

function anchorsIn(html: string): Set<string> {
  return new Set([...html.matchAll(/<[^>]+?\sid="([^"]*)"/g)].map(([, id]) => decode(id!)))
}

/**
 * What is wrong with the site: links and anchors that lead nowhere, and what browsers would refuse to load.
 *
 * @param pages the HTML of each page by its address
 * @param files what else is published, by its address
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
