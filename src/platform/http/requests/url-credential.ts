/**
 * Finds a credential in a request target [all.url-credential]. A target ends up in logs, histories and
 * `Referer` headers, so one that carries a credential is refused even where all else is right.
 */

/** The prefixes of this service's credentials, not preceded by a letter, digit or underscore. */
const prefixed = /(?<![A-Za-z0-9_])(?:nsk|ncs|nat|nrt|nac|nk)_/

const parameterNames = new Set([
  'access_token',
  'token',
  'api_key',
  'apikey',
  'key',
  'secret',
  'client_secret',
  'authorization',
])

/** A target with a credential has one of these; nearly all targets have none. */
const candidate = /[?@%#;]|n(?:sk|cs|at|rt|ac|k)_/

/** How many layers of encoding are decoded; no client adds more by mistake. */
const decodingsMax = 3

/** Decodes the ASCII of percent-encoded text; what is no valid encoding stays as it is. Never throws. */
function decodeAscii(text: string): string {
  return text.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/** The text, and what it decodes to, layer by layer. */
function layers(text: string): string[] {
  const found = [text]
  for (let decodings = 0; decodings < decodingsMax; decodings++) {
    const decoded = decodeAscii(found[decodings]!)
    if (decoded === found[decodings]) break
    found.push(decoded)
  }
  return found
}

const absolute = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i

/** Takes a target in absolute form (`http://user@host/path`) apart; one in origin form has no authority. */
function splitAuthority(target: string): { authority: string; rest: string } {
  const match = absolute.exec(target)
  return match === null
    ? { authority: '', rest: target }
    : { authority: match[1]!, rest: target.slice(match[0].length) || '/' }
}

/** Whether the target names something under `/v1`, or `/mcp`, as the router would understand it. */
export function isApiTarget(target: string): boolean {
  if (target.startsWith('/v1/')) return true
  if (target.charCodeAt(0) === 47 && !target.includes('%') && !/^\/(?:v1|mcp)/.test(target)) return false
  const path = decodeAscii(splitAuthority(target).rest.split(/[?#]/, 1)[0]!)
  return path === '/v1' || path === '/mcp' || path.startsWith('/v1/')
}

/** Whether a raw request target has a credential. */
export function hasUrlCredential(target: string): boolean {
  if (!candidate.test(target)) return false
  const { authority, rest } = splitAuthority(target)
  if (authority.includes('@')) return true
  if (layers(rest.replaceAll('+', ' ')).some((text) => prefixed.test(text))) return true

  const queryStart = rest.search(/[?#;]/)
  if (queryStart === -1) return false
  return rest
    .slice(queryStart + 1)
    .split(/[&;?#]/)
    .some((pair) => {
      const name = pair.split('=', 1)[0]!.replaceAll('+', ' ')
      return layers(name).some((text) => parameterNames.has(text.trim().toLowerCase()))
    })
}
