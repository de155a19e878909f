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
import type { OidcSettings } from '../../config/config.ts'
import type { Context } from '../../service/context.ts'
import { fetchBounded, providerAnswerMsMax } from './bounded-fetch.ts'
import { failureOf, ProviderUnavailable } from './failure.ts'

/** How long the provider's metadata is believed before it is asked for anew. */
export const providerMetadataMs = 60 * 60_000

/** How long they are used while they cannot be had anew. Sign-ins do not wait for that meanwhile. */
export const providerMetadataKeptMs = 24 * 60 * 60_000

/** How long the provider is not asked again after it could not be asked for its metadata. */
export const providerPauseMs = 5_000

/** How long the provider's keys are believed before they are asked for anew. */
export const providerKeysMs = 10 * 60_000

/** How long after the provider's keys came they are not asked for again, whatever key a token names. */
export const providerKeysPauseMs = 30_000

/** How far the provider's clock may be from the deployment's. */
export const providerClockSecondsMax = 60

/** The provider as its metadata describes it. */
export interface FoundProvider {
  metadata: ServerMetadata
  /** Its keys, asked for again when a token names another one. */
  keys: JWTVerifyGetKey
  /** What openid-client needs, by the deployment's clock at this moment. */
  configure(): Configuration
}

/** OpenID Connect Discovery 1.0, 3: without a list, the provider takes `client_secret_basic`. */
function authenticationOf(metadata: ServerMetadata, secret: string): ClientAuth {
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  if (methods.includes('client_secret_basic')) return ClientSecretBasic(secret)
  if (methods.includes('client_secret_post')) return ClientSecretPost(secret)
  throw new TypeError('The provider takes no client secret.')
}

/** Asks the provider for its metadata. @throws what `failureOf` tells apart */
async function askProvider(
  { issuer, clientId }: OidcSettings,
  clientSecret: string,
  { clock }: Pick<Context, 'clock'>,
): Promise<FoundProvider> {
  // The configuration allows http on this machine only.
  const isInsecure = issuer.startsWith('http:')
  const timeout = providerAnswerMsMax / 1_000
  const asked = await discovery(new URL(issuer), clientId, undefined, undefined, {
    [customFetch]: fetchBounded,
    timeout,
    execute: isInsecure ? [allowInsecureRequests] : [],
  })
  const metadata = asked.serverMetadata()
  const authentication = authenticationOf(metadata, clientSecret)
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
 * How to find the provider: it is asked for its metadata when it is first needed, and again when they are old; nobody waits
 * for the latter, unless they are too old to be used. While it is away it is asked at intervals, and without metadata it is
 * unavailable in between.
 */
export function createProviderFinder(
  settings: OidcSettings,
  clientSecret: string,
  context: Pick<Context, 'clock' | 'log'>,
): () => Promise<FoundProvider> {
  const { clock, log } = context
  let kept: { provider: FoundProvider; atMs: number } | undefined
  let failed: { error: ProviderUnavailable; atMs: number } | undefined
  let asking: Promise<FoundProvider> | undefined
  const isWithin = (atMs: number | undefined, ms: number): boolean => {
    const passedMs = clock.now() - (atMs ?? -Infinity)
    return passedMs >= 0 && passedMs < ms
  }

  const askOnce = async (): Promise<FoundProvider> => {
    try {
      const provider = await askProvider(settings, clientSecret, context)
      kept = { provider, atMs: clock.now() }
      failed = undefined
      return provider
    } catch (error) {
      const { why } = failureOf(error)
      failed = { error: new ProviderUnavailable(why), atMs: clock.now() }
      log.warn({ why }, 'the OpenID Connect provider does not say its metadata')
      throw failed.error
    } finally {
      asking = undefined
    }
  }

  return async () => {
    if (kept !== undefined && isWithin(kept.atMs, providerMetadataMs)) return kept.provider
    const isPaused = failed !== undefined && isWithin(failed.atMs, providerPauseMs)
    if (!isPaused) asking ??= askOnce()
    if (kept !== undefined && isWithin(kept.atMs, providerMetadataKeptMs)) {
      // Why it failed is logged.
      asking?.catch(() => {})
      return kept.provider
    }
    if (asking !== undefined) return asking
    throw failed!.error
  }
}
