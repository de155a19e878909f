import { pino } from 'pino'
import { afterAll, afterEach, beforeEach, expect, vi } from 'vitest'
import { buildApp } from '../../../src/app/app.ts'
import type { App } from '../../../src/platform/http/contract.ts'
import {
  startOpenIdProvider,
  type OpenIdProviderStandIn,
} from '../../../stand-ins/openid-provider/start-openid-provider.ts'
import { createConsoleClient, type ConsoleClient } from '../console-client.ts'
import { createTestClock } from '../test-clock.ts'
import { createTestContext, type TestContext } from '../test-context.ts'
import { createTestDatabase } from '../test-database.ts'

/** The address of the service, as the provider knows it. */
export const service = 'http://localhost:8080'
export const tolvan = '191212121212'

export interface Deployment {
  context: TestContext
  app: App
}

export interface BegunSignIn {
  browser: ConsoleClient
  orderId: string
  openUrl: string
}

/** What the page gets for a sign-in that a logout has ended. */
export const ended = { state: 'failed', reason: 'ended' }

export const getSeconds = (): number => Math.floor(Date.now() / 1_000)

/** The `state` of its authorization request. */
export const getReference = ({ openUrl }: BegunSignIn): string => new URL(openUrl).searchParams.get('state')!

/** Starts a sign-in that leads back to an invitation. */
export const begin = async (app: App, headers: Record<string, string> = {}): Promise<BegunSignIn> => {
  const browser = createConsoleClient(app)
  const { status, body } = await browser.post('/console/sign-in', { return_to: '/invitations?x=1' }, headers)
  expect(status).toBe(200)
  return { browser, orderId: body.order_id, openUrl: body.presentation.open_url }
}

/** The browser follows the provider to an address of the service. */
export const comeBack = (browser: ConsoleClient, callback: string) => {
  const { pathname, search } = new URL(callback)
  return browser.get(`${pathname}${search}`)
}

export const collect = async ({ browser, orderId }: BegunSignIn) =>
  (await browser.post(`/console/sign-in/${orderId}/collect`)).body

export const getSessionStatus = async (browser: ConsoleClient): Promise<number> =>
  (await browser.get('/console/session')).status

/** Sends a logout token to the service as the provider does. */
export const logOut = (
  app: App,
  fields: Record<string, string> | string,
  headers: Record<string, string> = {},
) =>
  app.inject({
    method: 'POST',
    url: '/sign-in/back-channel-logout',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(fields).toString(),
  })

/** A counter of a deployment, for one outcome. */
const count = async ({ context }: Deployment, metric: string, outcome: string): Promise<number> => {
  const text = await context.telemetry.registry.getSingleMetricAsString(metric)
  return Number(new RegExp(`outcome="${outcome}"[^}]*} (\\d+)`).exec(text)?.[1] ?? 0)
}

export const countSignIns = (deployment: Deployment, outcome: string): Promise<number> =>
  count(deployment, 'numera_openid_connect_sign_ins_total', outcome)

export const countLogouts = (deployment: Deployment, outcome: string): Promise<number> =>
  count(deployment, 'numera_back_channel_logouts_total', outcome)

export const countCalls = (provider: OpenIdProviderStandIn, path: string): number =>
  provider.calls.filter((each) => each.startsWith(path)).length

/**
 * A service that signs people in at the stand-in of an OpenID Connect provider, for the tests of one file. To be called while
 * the file is read, at its top.
 */
export const startOpenIdConnectScene = async () => {
  const opened = new AsyncDisposableStack()
  let logged = ''
  const database = await createTestDatabase()
  const provider = opened.use(await startOpenIdProvider({ relyingParty: service }))
  /** A further service, with the machine's time and metadata of its own. */
  const deploy = async (
    environment: NodeJS.ProcessEnv = {},
    at: OpenIdProviderStandIn = provider,
  ): Promise<Deployment> => {
    const context = createTestContext(database.pool, {
      environment: { ...at.environment, ...environment },
      clock: createTestClock(Date.now()),
      log: pino({ level: 'trace' }, { write: (line) => void (logged += line) }),
    })
    const app = await buildApp(context)
    opened.defer(() => app.close())
    return { context, app }
  }
  const usual = await deploy()

  beforeEach(async () => {
    provider.answerAsUsual()
    usual.context.clock.set(Date.now())
    // Some tests move the clock, and what is left of a rate is stored by that time.
    await database.pool.query('delete from rate_buckets')
    // A logout of the same second would end the next test's sign-ins.
    await database.pool.query('delete from used_logout_tokens')
  })
  afterEach(() => void vi.useRealTimers())
  afterAll(async () => {
    await opened.disposeAsync()
    await database[Symbol.asyncDispose]()
  })

  /** A sign-in that is complete at the provider, and that no page has collected. */
  const signInAtProvider = async (app: App = usual.app, personalNumber = tolvan): Promise<BegunSignIn> => {
    const begun = await begin(app)
    await comeBack(begun.browser, await provider.visit(begun.openUrl, personalNumber))
    return begun
  }

  return {
    database,
    provider,
    usual,
    opened,
    deploy,
    /** Everything that was logged, as it was written. */
    getLog: (): string => logged,
    signInAtProvider,
    /** A whole sign-in, and what the page gets when it collects. */
    signIn: async (app: App = usual.app, personalNumber: string | undefined = tolvan) => {
      const begun = await begin(app)
      const back = await comeBack(begun.browser, await provider.visit(begun.openUrl, personalNumber))
      expect(back.status).toBe(303)
      expect(back.headers['location']).toBe(`${service}/invitations?x=1`)
      return { ...begun, progress: await collect(begun) }
    },
  }
}
