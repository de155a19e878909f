import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { ConfigError } from './config-error.ts'
import { publicDemoLimits } from './public-demo-limits.ts'
import { readConfig, type ReadConfigOptions } from './read-config.ts'

const key = 'ab'.repeat(32)
const toProblems = (env: NodeJS.ProcessEnv, options: ReadConfigOptions = {}): readonly string[] => {
  try {
    readConfig(env, options)
    return []
  } catch (error) {
    return (error as ConfigError).problems
  }
}

test('Without any variable the service is a demo on this machine, with the built-in database', () => {
  const { config, secrets } = readConfig({})
  expect(config).toMatchObject({
    baseUrl: 'http://localhost:8080',
    http: { host: '127.0.0.1', port: 8080, trustProxy: false, drainMs: 0 },
    metrics: { port: 9464 },
    dataFolder: `${process.cwd()}/data`,
    embeddedDatabase: true,
    identityProvider: 'demo',
    rates: {
      connection: { perMinute: 60, burst: 20 },
      webhook: { perMinute: 60, burst: 20 },
      demo: { perMinute: 10, burst: 5 },
      write: { perMinute: 120, burst: 120 },
    },
    docsOrigins: [],
    testClock: false,
  })
  expect(config.demoCredential).toMatch(/^nsk_demo/)
  expect(secrets).toEqual({ databaseUrl: undefined, masterKey: undefined, previousMasterKey: undefined })
})

test('The default base address has the port, and an empty variable counts as unset', () => {
  const { config } = readConfig({ NUMERA_HTTP_PORT: '8123', NUMERA_BASE_URL: '', DATABASE_URL: ' ' })
  expect(config.baseUrl).toBe('http://localhost:8123')
  expect(config.embeddedDatabase).toBe(true)
})

test('Everything can be set', () => {
  const { config, secrets } = readConfig(
    {
      DATABASE_URL: 'postgresql://numera:hunter2@db/numera',
      NUMERA_MASTER_KEY: key,
      NUMERA_BASE_URL: 'https://numera.example.com/',
      NUMERA_IDENTITY: 'bankid',
      NUMERA_BANKID_CERTIFICATE_FILE: '/etc/numera/bankid.p12',
      NUMERA_BANKID_PASSPHRASE: 'hunter3',
      NUMERA_BANKID_ISSUER_FILE: '/etc/numera/issuer.pem',
      NUMERA_BANKID_ROOTS_FILE: '/etc/numera/roots.pem',
      NUMERA_HTTP_HOST: '0.0.0.0',
      NUMERA_METRICS_PORT: '0',
      NUMERA_TRUST_PROXY: '10.0.0.0/8, 192.168.1.1',
      NUMERA_DOCS_ORIGIN: 'https://docs.example.com',
      NUMERA_RATE_PER_MINUTE: '600',
      NUMERA_RATE_BURST: '100',
      NUMERA_WORKERS: '0',
    },
    {},
  )
  expect(config).toMatchObject({
    baseUrl: 'https://numera.example.com',
    http: { host: '0.0.0.0', trustProxy: ['10.0.0.0/8', '192.168.1.1'], drainMs: 5_000 },
    metrics: undefined,
    embeddedDatabase: false,
    identityProvider: 'bankid',
    bankid: {
      url: 'https://appapi2.bankid.com/rp/v6.0',
      certificateFile: '/etc/numera/bankid.p12',
      keyFile: undefined,
      issuerFile: '/etc/numera/issuer.pem',
      rootsFile: '/etc/numera/roots.pem',
    },
    oidc: undefined,
    rates: { connection: { perMinute: 600, burst: 100 }, webhook: { perMinute: 600, burst: 100 } },
    docsOrigins: ['https://docs.example.com'],
    demoCredential: undefined,
    worker: { count: 0 },
  })
  expect(secrets.databaseUrl?.reveal()).toBe('postgresql://numera:hunter2@db/numera')
  expect(secrets.masterKey?.reveal()).toEqual(Buffer.alloc(32, 0xab))
  expect(readConfig({ NUMERA_TRUST_PROXY: '2' }).config.http.trustProxy).toBe(2)
})

test('A secret is not printed in any way', () => {
  const { secrets } = readConfig({
    DATABASE_URL: 'postgresql://numera:hunter2@db/numera',
    NUMERA_MASTER_KEY: key,
  })
  const printed = [String(secrets.databaseUrl), JSON.stringify(secrets), inspect(secrets, { depth: 9 })]
  for (const text of printed) {
    expect(text).toContain('[secret]')
    expect(text).not.toContain('hunter2')
  }
})

test('The configuration cannot be changed afterwards', () => {
  const { config } = readConfig({})
  expect(() => Object.assign(config.rates.connection, { burst: 1 })).toThrow(TypeError)
})

describe('The demo identity provider', () => {
  test('must be requested by name where others can reach the service', () => {
    expect(toProblems({ NUMERA_BASE_URL: 'https://numera.example.com' })).toEqual([
      expect.stringMatching(/^NUMERA_IDENTITY must be set when .* not a loopback address/),
    ])
    expect(toProblems({ NUMERA_HTTP_HOST: '0.0.0.0' })).toHaveLength(1)
    expect(toProblems({ NUMERA_BASE_URL: 'https://numera.example.com', NUMERA_IDENTITY: 'demo' })).toEqual([])
    expect(toProblems({ NUMERA_BASE_URL: 'http://[::1]:8080', NUMERA_HTTP_HOST: '::1' })).toEqual([])
  })
})

test('A demo that is recreated each night has lower limits, and is never in another database', () => {
  const { config } = readConfig({ NUMERA_DEMO_RESET_AT: '03:00', NUMERA_COMPANY_CELLS: '7' })
  expect(config.demoResetAt).toBe('03:00')
  expect(config.companyLimits).toEqual({ ...publicDemoLimits, cells: 7 })
  expect(toProblems({ NUMERA_DEMO_RESET_AT: '24:00' })).toEqual([
    'NUMERA_DEMO_RESET_AT must be a time of day, such as 03:00',
  ])
  const elsewhere = { DATABASE_URL: 'postgresql://db/numera', NUMERA_MASTER_KEY: key }
  expect(toProblems({ NUMERA_DEMO_RESET_AT: '03:00', ...elsewhere })).toEqual([
    expect.stringMatching(/^NUMERA_DEMO_RESET_AT must not be set together with DATABASE_URL/),
  ])
})

test('What was set by an option is named as the option, and other variables by their names', () => {
  const problems = toProblems(
    { NUMERA_DEMO_RESET_AT: '3', NUMERA_HTTP_PORT: 'many', NUMERA_METRICS_PORT: 'many' },
    { setByOption: { NUMERA_DEMO_RESET_AT: '--reset-at', NUMERA_HTTP_PORT: '--port' } },
  )
  expect(problems).toHaveLength(3)
  expect(problems).toContain('--reset-at must be a time of day, such as 03:00')
  expect(problems).toContainEqual(expect.stringMatching(/^--port must be a whole number/))
  expect(problems).toContainEqual(expect.stringMatching(/^NUMERA_METRICS_PORT must be a whole number/))
})

test('Every variable at fault is named, and no secret is shown', () => {
  const problems = toProblems({
    DATABASE_URL: 'mysql://root:hunter2@db',
    NUMERA_MASTER_KEY: 'hunter2',
    NUMERA_HTTP_PORT: '80a',
    NUMERA_METRICS_PORT: '65536',
    NUMERA_BASE_URL: 'http://localhost:8080/numera',
    NUMERA_LOG_LEVEL: 'loud',
    NUMERA_TRUST_PROXY: 'true',
    NUMERA_DEMO_CREDENTIAL: 'nsk_live',
    NUMERA_DOCS_ORIGIN: 'docs.example.com',
    NUMERA_RATE_BURST: '0',
  })
  expect(problems.map((problem) => problem.split(' ')[0]).toSorted()).toEqual([
    'DATABASE_URL',
    'NUMERA_BASE_URL',
    'NUMERA_DEMO_CREDENTIAL',
    'NUMERA_DOCS_ORIGIN',
    'NUMERA_HTTP_PORT',
    'NUMERA_LOG_LEVEL',
    'NUMERA_MASTER_KEY',
    'NUMERA_METRICS_PORT',
    'NUMERA_RATE_BURST',
    'NUMERA_TRUST_PROXY',
  ])
  expect(problems.join()).not.toContain('hunter2')
})

test('A database of one’s own needs a key of one’s own', () => {
  expect(toProblems({ DATABASE_URL: 'postgresql://db/numera' })).toEqual([
    expect.stringMatching(
      /^NUMERA_MASTER_KEY or NUMERA_MASTER_KEY_COMMAND must be set together with DATABASE_URL/,
    ),
  ])
})

test('Standbys are addresses of PostgreSQL, only with a database of one’s own, and no password is shown', () => {
  const env = { DATABASE_URL: 'postgresql://db/numera', NUMERA_MASTER_KEY: key }
  const urls = 'postgresql://a:hunter2@one/numera, postgres://two/numera,'
  const { secrets } = readConfig({ ...env, NUMERA_STANDBY_URLS: urls })
  expect(secrets.standbyUrls!.reveal()).toEqual([
    'postgresql://a:hunter2@one/numera',
    'postgres://two/numera',
  ])
  expect(inspect(secrets)).not.toContain('hunter2')
  expect(readConfig(env).secrets.standbyUrls).toBeUndefined()
  const problems = [
    ...toProblems({ ...env, NUMERA_STANDBY_URLS: 'postgresql://one:hunter2,3@db/numera' }),
    ...toProblems({ NUMERA_STANDBY_URLS: 'postgresql://one:hunter2@db/numera' }),
  ]
  expect(problems).toEqual([
    expect.stringMatching(/^NUMERA_STANDBY_URLS must be addresses that begin with postgresql:/),
    expect.stringMatching(/^NUMERA_STANDBY_URLS must be set together with DATABASE_URL/),
  ])
  expect(problems.join()).not.toContain('hunter2')
})

test('Tests move the clock on this machine only', () => {
  const env = { NUMERA_BASE_URL: 'https://numera.example.com', NUMERA_IDENTITY: 'demo' }
  expect(() => readConfig(env, { testClock: true })).toThrow('NUMERA_BASE_URL must be a loopback address')
  expect(readConfig({}, { testClock: true }).config.testClock).toBe(true)
})

test('Tests move the clock only with the demo identity', () => {
  expect(() => readConfig({ NUMERA_IDENTITY: 'bankid' }, { testClock: true })).toThrow(
    'NUMERA_IDENTITY must be demo where tests may move the clock',
  )
})

test('Metrics of the service are for this machine unless configured otherwise', () => {
  const open = { NUMERA_HTTP_HOST: '0.0.0.0', NUMERA_IDENTITY: 'demo' }
  expect(readConfig(open).config.metrics).toEqual({ host: '127.0.0.1', port: 9464 })
  expect(readConfig({ ...open, NUMERA_METRICS_HOST: '0.0.0.0' }).config.metrics?.host).toBe('0.0.0.0')
})

test('A key comes from one place: a variable or a command', () => {
  const command = { NUMERA_MASTER_KEY_COMMAND: 'cat key' }
  expect(toProblems({ ...command, NUMERA_MASTER_KEY: key })).toEqual([
    'NUMERA_MASTER_KEY_COMMAND must not be set together with NUMERA_MASTER_KEY',
  ])
  const { secrets } = readConfig({
    ...command,
    DATABASE_URL: 'postgresql://db/numera',
    NUMERA_MASTER_KEY_PREVIOUS: key,
  })
  expect(secrets.masterKeyCommand?.reveal()).toBe('cat key')
  expect(JSON.stringify(secrets)).not.toContain('cat key')
})
