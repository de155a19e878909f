import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { ConfigError } from './config-error.ts'
import {
  identityProviders,
  logLevels,
  type CompanyLimits,
  type Config,
  type IdentityProviderName,
  type SecretSettings,
} from './config.ts'
import { createEnvironmentReader, type EnvironmentReader } from './environment-reader.ts'
import { isLoopback } from './is-loopback.ts'
import { publicDemoLimits } from './public-demo-limits.ts'
import { readBackup } from './read-backup.ts'
import { readBankId } from './read-bankid.ts'
import { readKey } from './read-keys.ts'
import { readOidc } from './read-oidc.ts'
import { Secret } from './secret.ts'

export interface ReadConfigOptions {
  /** Requested on the command line: tests may move the clock. */
  testClock?: boolean
  /** The options of the command line that set variables, by the variable: a problem names the option. */
  setByOption?: Readonly<Record<string, string>>
}

const minuteMs = 60_000
const mebibyte = 1_048_576

const gibibyte = 1_073_741_824
/** Exact as a number, and far below the largest that the database can count. */
const limitMax = 999_999_999_999_999
const demoCredentialPattern = /^nsk_demo\w*$/

function parseOrigin(text: string): URL | undefined {
  const url = URL.parse(text)
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
  return isOrigin ? url : undefined
}

function readBaseUrl(read: EnvironmentReader, port: number): URL {
  const fallback = new URL(`http://localhost:${port}`)
  const value = read.text('NUMERA_BASE_URL')
  if (value === undefined) return fallback
  const url = parseOrigin(value)
  if (url) return url
  read.refuse(
    'NUMERA_BASE_URL',
    'must be an http or https address without path, such as https://numera.example.com',
  )
  return fallback
}

/** The demo provider lets anyone sign in as anyone, so beyond this machine it must be requested by name. */
function readIdentityProvider(read: EnvironmentReader, baseUrl: URL, host: string): IdentityProviderName {
  const name = read.oneOf('NUMERA_IDENTITY', identityProviders)
  if (name !== undefined) return name
  if (!isLoopback(baseUrl.hostname) || !isLoopback(host)) {
    read.refuse(
      'NUMERA_IDENTITY',
      'must be set when NUMERA_BASE_URL or NUMERA_HTTP_HOST is not a loopback address: ' +
        '"demo" lets anyone sign in as anyone',
    )
  }
  return 'demo'
}

function readTrustProxy(read: EnvironmentReader): Config['http']['trustProxy'] {
  const items = read.list('NUMERA_TRUST_PROXY')
  const first = items[0]
  if (first === undefined || items.join() === '0') return false
  if (items.length === 1 && /^[1-9]\d?$/.test(first)) return Number(first)
  // "true" would believe anything that a client says about itself.
  if (items.every((item) => /^(?:[\da-f.:]+(?:\/\d{1,3})?|loopback|linklocal|uniquelocal)$/i.test(item)))
    return items
  read.refuse('NUMERA_TRUST_PROXY', 'must be the number of proxies, or their addresses separated by commas')
  return false
}

/**
 * Only balancers ask whether a process is ready, and only with a database of its own has a deployment several of them:
 * anyone else would wait for nothing.
 */
function readDrainMs(read: EnvironmentReader, isBalanced: boolean): number {
  return read.integer('NUMERA_DRAIN_SECONDS', isBalanced ? 5 : 0, 0, 300) * 1_000
}

function readDocsOrigins(read: EnvironmentReader): string[] {
  return read.list('NUMERA_DOCS_ORIGIN').flatMap((text) => {
    const url = parseOrigin(text)
    if (url === undefined) read.refuse('NUMERA_DOCS_ORIGIN', `has ${text}, which is no http or https origin`)
    return url ? [url.origin] : []
  })
}

/** RFC 8707, 2: an absolute address without a fragment. */
function readOauthResources(read: EnvironmentReader): string[] {
  return read.list('NUMERA_OAUTH_RESOURCES').filter((text) => {
    const url = URL.parse(text)
    const fits = url !== null && /^https?:$/.test(url.protocol) && !text.includes('#')
    if (!fits) read.refuse('NUMERA_OAUTH_RESOURCES', `has ${text}, which is no http or https address`)
    return fits
  })
}

function readDemoCredential(read: EnvironmentReader, provider: IdentityProviderName): string | undefined {
  const value = read.text('NUMERA_DEMO_CREDENTIAL')
  if (value === undefined) return provider === 'demo' ? 'nsk_demo_reads_fixture_samples' : undefined
  if (demoCredentialPattern.test(value)) return value
  read.refuse(
    'NUMERA_DEMO_CREDENTIAL',
    'must start with nsk_demo and hold letters, digits and underscores only',
  )
  return undefined
}

const databaseUrlPattern = /^postgres(?:ql)?:\/\//

function readStandbyUrls(read: EnvironmentReader, databaseUrl: string | undefined): readonly string[] {
  const urls = read.list('NUMERA_STANDBY_URLS')
  if (!urls.every((url) => databaseUrlPattern.test(url))) {
    // A comma inside a password ends an address too.
    read.refuse(
      'NUMERA_STANDBY_URLS',
      'must be addresses that begin with postgresql://, separated by commas, with %2C for a comma inside one',
    )
  }
  if (urls.length > 0 && databaseUrl === undefined) {
    read.refuse(
      'NUMERA_STANDBY_URLS',
      'must be set together with DATABASE_URL: the built-in database has no standbys',
    )
  }
  return urls
}

type KeySettings = Pick<SecretSettings, 'masterKey' | 'masterKeyCommand' | 'previousMasterKey'>

function readMasterKeys(read: EnvironmentReader, databaseUrl: string | undefined): KeySettings {
  const masterKey = readKey(read, 'NUMERA_MASTER_KEY')
  const command = read.text('NUMERA_MASTER_KEY_COMMAND')
  const previousMasterKey = readKey(read, 'NUMERA_MASTER_KEY_PREVIOUS')
  const hasKey = masterKey !== undefined || command !== undefined
  if (masterKey !== undefined && command !== undefined) {
    read.refuse('NUMERA_MASTER_KEY_COMMAND', 'must not be set together with NUMERA_MASTER_KEY')
  }
  if (previousMasterKey !== undefined && !hasKey) {
    read.refuse(
      'NUMERA_MASTER_KEY_PREVIOUS',
      'must be set together with NUMERA_MASTER_KEY or NUMERA_MASTER_KEY_COMMAND, which has the new one',
    )
  }
  if (masterKey !== undefined && previousMasterKey?.equals(masterKey)) {
    read.refuse('NUMERA_MASTER_KEY_PREVIOUS', 'must be another key than NUMERA_MASTER_KEY')
  }
  if (!hasKey && databaseUrl !== undefined) {
    read.refuse(
      'NUMERA_MASTER_KEY',
      'or NUMERA_MASTER_KEY_COMMAND must be set together with DATABASE_URL, the same for every process; ' +
        'make a key with: node -p "crypto.randomBytes(32).toString(\'base64url\')"',
    )
  }
  return {
    masterKey: masterKey && new Secret(masterKey),
    masterKeyCommand: command === undefined ? undefined : new Secret(command),
    previousMasterKey: previousMasterKey && new Secret(previousMasterKey),
  }
}

function readSecrets(
  read: EnvironmentReader,
): Pick<SecretSettings, 'databaseUrl' | 'standbyUrls' | keyof KeySettings> {
  const databaseUrl = read.text('DATABASE_URL')
  if (databaseUrl !== undefined && !databaseUrlPattern.test(databaseUrl)) {
    read.refuse('DATABASE_URL', 'must begin with postgresql://')
  }
  const standbyUrls = readStandbyUrls(read, databaseUrl)
  return {
    databaseUrl: databaseUrl === undefined ? undefined : new Secret(databaseUrl),
    standbyUrls: standbyUrls.length === 0 ? undefined : new Secret(standbyUrls),
    ...readMasterKeys(read, databaseUrl),
  }
}

function readRates(read: EnvironmentReader): Config['rates'] {
  const connection = {
    perMinute: read.integer('NUMERA_RATE_PER_MINUTE', 60, 1, 10_000_000),
    burst: read.integer('NUMERA_RATE_BURST', 20, 1, 10_000_000),
  }
  const demo = {
    perMinute: read.integer('NUMERA_DEMO_RATE_PER_MINUTE', 10, 1, 10_000_000),
    burst: read.integer('NUMERA_DEMO_RATE_BURST', 5, 1, 10_000_000),
  }
  const oauth = {
    perMinute: read.integer('NUMERA_OAUTH_RATE_PER_MINUTE', 60, 1, 10_000_000),
    burst: read.integer('NUMERA_OAUTH_RATE_BURST', 20, 1, 10_000_000),
  }
  // A page that waits for a signature writes once a second: a person with two of them open stays below it.
  const write = {
    perMinute: read.integer('NUMERA_WRITE_RATE_PER_MINUTE', 120, 1, 10_000_000),
    burst: read.integer('NUMERA_WRITE_RATE_BURST', 120, 1, 10_000_000),
  }
  return { connection, webhook: { ...connection }, demo, oauth, write }
}

/** What a company may hold. */
const companyDefaults: CompanyLimits = {
  sources: 1_000,
  connections: 1_000,
  members: 1_000,
  shape_versions: 10_000,
  cells: 5_000_000,
  stored_bytes: 100 * gibibyte,
  waiting_bytes: 2 * gibibyte,
  waiting_deliveries: 1_000_000,
}

function readCompanyLimits(read: EnvironmentReader, fallback: CompanyLimits): Config['companyLimits'] {
  return {
    sources: read.integer('NUMERA_COMPANY_SOURCES', fallback.sources, 1, 1_000_000),
    connections: read.integer('NUMERA_COMPANY_CONNECTIONS', fallback.connections, 1, 1_000_000),
    members: read.integer('NUMERA_COMPANY_MEMBERS', fallback.members, 1, 1_000_000),
    shape_versions: read.integer('NUMERA_SOURCE_SHAPE_VERSIONS', fallback.shape_versions, 1, 1_000_000_000),
    cells: read.integer('NUMERA_COMPANY_CELLS', fallback.cells, 1, limitMax),
    stored_bytes: read.integer('NUMERA_COMPANY_STORED_BYTES', fallback.stored_bytes, 1, limitMax),
    waiting_bytes: read.integer('NUMERA_COMPANY_WAITING_BYTES', fallback.waiting_bytes, 1, limitMax),
    waiting_deliveries: read.integer(
      'NUMERA_COMPANY_WAITING_DELIVERIES',
      fallback.waiting_deliveries,
      1,
      limitMax,
    ),
  }
}

/** At most the 12 hours that a session lasts anyway. */
function readSessions(read: EnvironmentReader): Config['sessions'] {
  return {
    idleMs: read.integer('NUMERA_SESSION_IDLE_MINUTES', 60, 5, 720) * minuteMs,
    recentSignInMs: read.integer('NUMERA_RECENT_SIGN_IN_MINUTES', 30, 1, 720) * minuteMs,
  }
}

function readFolder(read: EnvironmentReader, name: string): string | undefined {
  const path = read.text(name)
  return path === undefined ? undefined : resolve(path)
}

function readDemoResetAt(read: EnvironmentReader, databaseUrl: unknown): string | undefined {
  const value = read.text('NUMERA_DEMO_RESET_AT')
  if (value === undefined) return undefined
  if (!/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(value)) {
    read.refuse('NUMERA_DEMO_RESET_AT', 'must be a time of day, such as 03:00')
  }
  if (databaseUrl !== undefined) {
    read.refuse(
      'NUMERA_DEMO_RESET_AT',
      'must not be set together with DATABASE_URL: only the built-in database is emptied',
    )
  }
  return value
}

/** Settings that are allowed by themselves but not together. */
function checkTogether(read: EnvironmentReader, config: Config, baseUrl: URL): void {
  if (config.testClock && !isLoopback(baseUrl.hostname)) {
    read.refuse('NUMERA_BASE_URL', 'must be a loopback address where tests may move the clock')
  }
  if (config.testClock && config.identityProvider !== 'demo') {
    read.refuse('NUMERA_IDENTITY', 'must be demo where tests may move the clock')
  }
  if (config.metrics && config.metrics.port === config.http.port) {
    read.refuse('NUMERA_METRICS_PORT', 'must differ from NUMERA_HTTP_PORT')
  }
  if (baseUrl.protocol === 'http:' && !isLoopback(baseUrl.hostname) && config.identityProvider !== 'demo') {
    read.refuse('NUMERA_BASE_URL', 'must be an https address: credentials travel over it')
  }
}

function deepFreeze<T extends object>(object: T): T {
  for (const value of Object.values(object))
    if (typeof value === 'object' && value !== null) deepFreeze(value)
  return Object.freeze(object)
}

/**
 * The whole configuration, from the environment (docs/configuration.md). Throws a `ConfigError` that names every
 * variable at fault.
 */
export function readConfig(
  env: NodeJS.ProcessEnv,
  options: ReadConfigOptions = {},
): { config: Config; secrets: SecretSettings } {
  const read = createEnvironmentReader(env, options.setByOption)
  const port = read.integer('NUMERA_HTTP_PORT', 8080, 1, 65_535)
  const host = read.text('NUMERA_HTTP_HOST') ?? '127.0.0.1'
  const metricsPort = read.integer('NUMERA_METRICS_PORT', 9464, 0, 65_535)
  const baseUrl = readBaseUrl(read, port)
  const identityProvider = readIdentityProvider(read, baseUrl, host)
  const { bankid, bankidPassphrase } = readBankId(read, identityProvider.endsWith('bankid'))
  const { oidc, oidcClientSecret } = readOidc(read, identityProvider.startsWith('oidc'))
  const { backup, ...backupSecrets } = readBackup(read)
  const secrets: SecretSettings = {
    ...readSecrets(read),
    bankidPassphrase,
    oidcClientSecret,
    ...backupSecrets,
  }
  const demoResetAt = readDemoResetAt(read, secrets.databaseUrl)
  const loopbackRedirects =
    read.oneOf('NUMERA_OAUTH_LOOPBACK_REDIRECTS', ['yes', 'no']) ??
    (identityProvider === 'demo' ? 'yes' : 'no')

  const trustProxy = readTrustProxy(read)

  const config: Config = {
    baseUrl: baseUrl.origin,
    http: {
      host,
      port,
      trustProxy,
      connectionsMax: read.integer('NUMERA_CONNECTIONS', 10_000, 16, 1_000_000),
      // A client network's share of less would not hold one of the largest bodies.
      bodiesBytesMax: read.integer('NUMERA_BODY_MEMORY_MIB', 512, 128, 65_536) * mebibyte,
      drainMs: readDrainMs(read, trustProxy !== false && secrets.databaseUrl !== undefined),
    },
    // For the operator: on this machine only, unless configured otherwise.
    metrics:
      metricsPort === 0
        ? undefined
        : { host: read.text('NUMERA_METRICS_HOST') ?? '127.0.0.1', port: metricsPort },
    dataFolder: resolve(read.text('NUMERA_DATA_FOLDER') ?? './data'),
    backupRehearsalFolder: readFolder(read, 'NUMERA_BACKUP_REHEARSAL'),
    backup,
    embeddedDatabase: secrets.databaseUrl === undefined,
    database: { connectionsMax: read.integer('NUMERA_DATABASE_CONNECTIONS', 20, 8, 1_000) },
    logLevel: read.oneOf('NUMERA_LOG_LEVEL', logLevels) ?? 'info',
    identityProvider,
    bankid,
    oidc,
    rates: readRates(read),
    sessions: readSessions(read),
    companyLimits: readCompanyLimits(read, demoResetAt === undefined ? companyDefaults : publicDemoLimits),
    oauth: { loopbackRedirects: loopbackRedirects === 'yes', resources: readOauthResources(read) },
    docsOrigins: readDocsOrigins(read),
    demoCredential: readDemoCredential(read, identityProvider),
    demoResetAt,
    worker: {
      // One core is left to requests and the database.
      count: read.integer('NUMERA_WORKERS', Math.min(4, Math.max(1, availableParallelism() - 1)), 0, 64),
      pollIntervalMs: read.integer('NUMERA_WORKER_POLL_MS', 1_000, 10, 10 * minuteMs),
    },
    testClock: options.testClock ?? false,
  }
  checkTogether(read, config, baseUrl)
  if (read.problems.length > 0) throw new ConfigError(read.problems)
  return { config: deepFreeze(config), secrets: Object.freeze(secrets) }
}
