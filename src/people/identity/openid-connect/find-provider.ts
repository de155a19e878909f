import { createRemoteJWKSet, customFetch as fetchOfKeys, type JWTVerifyGetKey } from 'jose'
import {
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  clockSkew,
  clockTolerance,
  Configuration,
  customFetch,
  discovery,
  type ClientAuth,
  type ServerMetadata,
} from 'openid-client'
import type { OidcSettings } from '../../../platform/config/config.ts'
import type { DirectoryContext } from '../../../context.ts'
import { fetchBounded, providerAnswerMsMax } from './bounded-fetch.ts'
import { ProviderUnavailable, toFailure } from './failure.ts'

/** How long the provider's metadata is used before it is read again. */
export const providerMetadataMs = 60 * 60_000

/** How long it is used while it cannot be read again. Sign-ins do not wait for that. */
export const providerMetadataKeptMs = 24 * 60 * 60_000

/** The pause after the metadata could not be read. */
export const providerPauseMs = 5_000

/** How long the provider's keys are used before they are read again. */
const providerKeysMs = 10 * 60_000

/** The pause after the provider's keys were read, even if a token names an unknown key. */
export const providerKeysPauseMs = 30_000

/** How much the provider's clock may differ from the deployment's. */
export const providerClockSecondsMax = 60

/** The provider as its metadata describes it. */
export interface FoundProvider {
  metadata: ServerMetadata
  /** Its keys, read again when a token names an unknown one. */
  keys: JWTVerifyGetKey
  /** For openid-client, by the deployment's clock at this moment. */
  configure(): Configuration
}

/** OpenID Connect Discovery 1.0, 3: without a list, the provider accepts `client_secret_basic`. */
function chooseAuthentication(metadata: ServerMetadata, secret: string): ClientAuth {
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  if (methods.includes('client_secret_basic')) return ClientSecretBasic(secret)
  if (methods.includes('client_secret_post')) return ClientSecretPost(secret)
  throw new TypeError('The provider accepts no client secret.')
}

/** Reads the provider's metadata. @throws what `toFailure` tells apart */
async function discover(
  { issuer, clientId }: OidcSettings,
  clientSecret: string,
  { clock }: Pick<DirectoryContext, 'clock'>,
): Promise<FoundProvider> {
  // The configuration allows http on this machine only.
  const isInsecure = issuer.startsWith('http:')
  const timeout = providerAnswerMsMax / 1_000
  const discovered = await discovery(new URL(issuer), clientId, undefined, undefined, {
    [customFetch]: fetchBounded,
    timeout,
    execute: isInsecure ? [allowInsecureRequests] : [],
  })
  const metadata = discovered.serverMetadata()
  const authentication = chooseAuthentication(metadata, clientSecret)
  const keysUrl = new URL(metadata.jwks_uri ?? '')
  if (keysUrl.protocol !== 'https:' && !isInsecure) throw new TypeError('The keys are not behind https.')
  const keys = createRemoteJWKSet(keysUrl, {
    [fetchOfKeys]: fetchBounded,
    timeoutDuration: providerAnswerMsMax,
    cooldownDuration: providerKeysPauseMs,
    cacheMaxAge: providerKeysMs,
  })
  const configure = (): Configuration => {
    const aheadSeconds = Math.round((clock.now() - Date.now()) / 1_000)
    const known = { [clockSkew]: aheadSeconds, [clockTolerance]: providerClockSecondsMax }
    const configuration = new Configuration(metadata, clientId, known, authentication)
    configuration[customFetch] = fetchBounded
    configuration.timeout = timeout
    if (isInsecure) allowInsecureRequests(configuration)
    return configuration
  }
  return { metadata, keys, configure }
}

/**
 * Finds the provider. Its metadata is read when it is first needed, and again when it is old; no sign-in waits for the latter
 * unless it is too old to be used. While the provider is unavailable it is called at intervals, and in between sign-ins fail
 * unless there is metadata.
 */
export function createProviderFinder(
  settings: OidcSettings,
  clientSecret: string,
  context: Pick<DirectoryContext, 'clock' | 'log'>,
): () => Promise<FoundProvider> {
  const { clock, log } = context
  let known: { provider: FoundProvider; atMs: number } | undefined
  let failed: { error: ProviderUnavailable; atMs: number } | undefined
  let reading: Promise<FoundProvider> | undefined
  const isWithin = (atMs: number | undefined, ms: number): boolean => {
    const passedMs = clock.now() - (atMs ?? -Infinity)
    return passedMs >= 0 && passedMs < ms
  }

  const read = async (): Promise<FoundProvider> => {
    try {
      const provider = await discover(settings, clientSecret, context)
      known = { provider, atMs: clock.now() }
      failed = undefined
      return provider
    } catch (error) {
      const { why } = toFailure(error)
      failed = { error: new ProviderUnavailable(why), atMs: clock.now() }
      log.warn({ why }, 'the OpenID Connect provider does not give its metadata')
      throw failed.error
    } finally {
      reading = undefined
    }
  }

  return async () => {
    if (known !== undefined && isWithin(known.atMs, providerMetadataMs)) return known.provider
    const isPaused = failed !== undefined && isWithin(failed.atMs, providerPauseMs)
    if (!isPaused) reading ??= read()
    if (known !== undefined && isWithin(known.atMs, providerMetadataKeptMs)) {
      // A failure is logged.
      reading?.catch(() => {})
      return known.provider
    }
    if (reading !== undefined) return reading
    throw failed!.error
  }
}
