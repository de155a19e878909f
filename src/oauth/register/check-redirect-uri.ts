import { isLoopback } from '../../platform/config/is-loopback.ts'
import { OauthError } from '../oauth-error.ts'

/** The part of the configuration that decides on redirect addresses. */
export interface RedirectRules {
  /** Whether http addresses of the member's own machine may be registered. */
  loopbackRedirects: boolean
}

/** In characters. More would not fit into a request line with the other parameters. */
export const redirectUriCharactersMax = 2_000

/** Scheme and authority (RFC 3986, 3), with exactly two slashes: a browser would accept any number. */
const pattern = /^(https?):\/\/([^/?]+)/i
const hostPattern = /^(?:[\w-]+(?:\.[\w-]+)*\.?|\[[\da-f:.]+\])$/

/** The host in the authority, in lower case. */
function getHost(uri: string): string {
  return pattern.exec(uri)![2]!.replace(/:\d*$/, '').toLowerCase()
}

/**
 * In this order: each relies on the ones before it. The address is later compared byte for byte, and parsed by browsers, so
 * one that a browser would parse as another address than is written is refused.
 */
const rules: [isBroken: (uri: string, rules: RedirectRules) => boolean, sentence: string][] = [
  [(uri) => uri.length > redirectUriCharactersMax, `may have at most ${redirectUriCharactersMax} characters`],
  [
    (uri) => /[^\0-\x7f]/.test(uri),
    'may contain ASCII characters only: a host in punycode, the rest percent-encoded',
  ],
  // oxlint-disable-next-line no-control-regex -- these are what is searched for
  [(uri) => /[\0-\x20\x7f]/.test(uri), 'may contain neither spaces nor control characters'],
  // Browsers read it as a slash.
  [(uri) => uri.includes('\\'), 'may not contain a backslash'],
  // RFC 6749, 3.1.2. An empty fragment is one too.
  [(uri) => uri.includes('#'), 'may not have a fragment'],
  [(uri) => !pattern.test(uri), 'must be an https address'],
  [(uri) => pattern.exec(uri)![2]!.includes('@'), 'may contain neither user name nor password'],
  // Not `0x7f.1` nor `%6c`, which a browser would turn into other hosts.
  [
    (uri) => !hostPattern.test(getHost(uri)) || URL.parse(uri)?.hostname !== getHost(uri),
    'must have a host that is written out, and a valid port if any',
  ],
  [
    (uri, { loopbackRedirects }) =>
      !uri.toLowerCase().startsWith('https:') && !(loopbackRedirects && isLoopback(getHost(uri))),
    'must be an https address',
  ],
]

/**
 * Checks that an app may be sent back to this address (specification "POST /oauth/register"; [oauth.redirect]).
 *
 * @param name what the sentence calls it
 * @throws `invalid_redirect_uri`
 */
export function checkRedirectUri(uri: unknown, name: string, settings: RedirectRules): void {
  const broken =
    typeof uri === 'string' ? rules.find(([isBroken]) => isBroken(uri, settings))?.[1] : 'must be a string'
  if (broken !== undefined) throw new OauthError('invalid_redirect_uri', `${name} ${broken}.`)
}
