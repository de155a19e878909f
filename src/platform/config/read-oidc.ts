import type { OidcSettings, SecretSettings } from './config.ts'
import type { EnvironmentReader } from './environment-reader.ts'
import { isLoopback } from './is-loopback.ts'
import { Secret } from './secret.ts'

/** RFC 6749, 3.3: what one scope, and here one `acr` too, is made of. */
const scopePattern = /^[\x21\x23-\x5b\x5d-\x7e]+$/

/** OpenID Connect Discovery 1.0, 3: https, without query and fragment; on this machine http will do. */
function readIssuer(read: EnvironmentReader): string {
  const text = read.text('NUMERA_OIDC_ISSUER') ?? ''
  const url = URL.parse(text)
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))
  if (!isSafe || /[?#@]/.test(text)) {
    read.refuse('NUMERA_OIDC_ISSUER', 'must be the https address of an OpenID Connect provider')
  }
  return text
}

function readNeeded(read: EnvironmentReader, name: string, what: string): string {
  const value = read.text(name)
  if (value === undefined) read.refuse(name, `must be set with NUMERA_IDENTITY=oidc: ${what}`)
  return value ?? ''
}

function readScopes(read: EnvironmentReader): string[] {
  const scopes = (read.text('NUMERA_OIDC_SCOPES') ?? 'openid profile').split(/[\s,]+/)
  if (!scopes.includes('openid') || !scopes.every((scope) => scopePattern.test(scope))) {
    read.refuse('NUMERA_OIDC_SCOPES', 'must be scopes separated by spaces, openid among them')
  }
  return scopes
}

function readAcrValues(read: EnvironmentReader): string[] {
  const values = read.list('NUMERA_OIDC_ACR_VALUES')
  if (!values.every((value) => scopePattern.test(value))) {
    read.refuse('NUMERA_OIDC_ACR_VALUES', 'must be names without spaces, separated by commas')
  }
  return values
}

/** The OpenID Connect provider that signs people in, where one is configured. Its client secret is kept apart. */
export function readOidc(
  read: EnvironmentReader,
  isUsed: boolean,
): { oidc: OidcSettings | undefined; oidcClientSecret: SecretSettings['oidcClientSecret'] } {
  if (!isUsed) return { oidc: undefined, oidcClientSecret: undefined }
  const oidc: OidcSettings = {
    issuer: readIssuer(read),
    clientId: readNeeded(read, 'NUMERA_OIDC_CLIENT_ID', 'what the provider knows this deployment by'),
    personalNumberClaim: readNeeded(
      read,
      'NUMERA_OIDC_PERSONAL_NUMBER_CLAIM',
      'the claim that holds the personal number, such as ssn',
    ),
    nameClaim: read.text('NUMERA_OIDC_NAME_CLAIM') ?? 'name',
    acrValues: readAcrValues(read),
    scopes: readScopes(read),
    assumesRecentSignIn: read.oneOf('NUMERA_OIDC_AUTH_TIME', ['required', 'assumed']) === 'assumed',
  }
  const secret = readNeeded(read, 'NUMERA_OIDC_CLIENT_SECRET', 'the provider gave it with the client id')
  return { oidc, oidcClientSecret: new Secret(secret) }
}
