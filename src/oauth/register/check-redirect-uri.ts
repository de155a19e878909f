import { isLoopback } from '../../config/is-loopback.ts'
import { invalidRedirectUri } from '../errors.ts'

/** The part of the configuration that decides on redirect addresses. */
export interface RedirectRules {
  /** Whether http addresses of the member's own machine may be registered. */
  loopbackRedirects: boolean
}

/** In characters. More than this would not fit into a request line beside the other parameters. */
export const redirectUriCharactersMax = 2_000

/** Scheme and authority (RFC 3986, 3), with exactly two slashes: a browser would accept any number. */
const pattern = /^(https?):\/\/([^/?]+)/i
const hostPattern = /^(?:[\w-]+(?:\.[\w-]+)*\.?|\[[\da-f:.]+\])$/

/** The host in the authority, in lower case. */
function hostOf(uri: string): string {
  return pattern.exec(uri)![2]!.replace(/:\d*$/, '').toLowerCase()
}

interface Rule {
  breaks(uri: string, rules: RedirectRules): boolean
  sentence: string
}

/**
 * In this order: each relies on the ones before it. The address is later compared byte for byte, and read by browsers,
 * so one that a browser would read as a different address than is written is refused.
 */
const checks: Rule[] = [
  {
    breaks: (uri) => uri.length > redirectUriCharactersMax,
    sentence: `may have at most ${redirectUriCharactersMax} characters`,
  },
  {
    breaks: (uri) => /[^\0-\x7f]/.test(uri),
    sentence: 'may hold ASCII characters only: a host in punycode, the rest percent-encoded',
  },
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  { breaks: (uri) => /[\0-\x20\x7f]/.test(uri), sentence: 'may hold neither spaces nor control characters' },
  // Browsers read it as a slash.
  { breaks: (uri) => uri.includes('\\'), sentence: 'may not hold a backslash' },
  // RFC 6749, 3.1.2. An empty fragment is one too.
  { breaks: (uri) => uri.includes('#'), sentence: 'may not have a fragment' },
  { breaks: (uri) => !pattern.test(uri), sentence: 'must be an https address' },
  {
    breaks: (uri) => pattern.exec(uri)![2]!.includes('@'),
    sentence: 'may hold neither user name nor password',
  },
  // Not `0x7f.1` nor `%6c`, which a browser would turn into other hosts.
  {
    breaks: (uri) => !hostPattern.test(hostOf(uri)) || URL.parse(uri)?.hostname !== hostOf(uri),
    sentence: 'must have a host that is written out, and a valid port if any',
  },
  {
    breaks: (uri, { loopbackRedirects }) =>
      !uri.toLowerCase().startsWith('https:') && !(loopbackRedirects && isLoopback(hostOf(uri))),
    sentence: 'must be an https address',
  },
]

/**
 * Whether an app may be sent back to this address (specification "POST /oauth/register"; [oauth.redirect]).
 * `name` is what the sentence calls it.
 *
 * @throws `invalid_redirect_uri`
 */
export function checkRedirectUri(uri: string, name: string, rules: RedirectRules): void {
  const broken = checks.find(({ breaks }) => breaks(uri, rules))
  if (broken !== undefined) throw invalidRedirectUri(`${name} ${broken.sentence}.`)
}
