import type { AppContext } from './app-context.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { startRecoveringMoves } from '../engine/moves/start-recovering-moves.ts'
import { startCountingUsage } from '../engine/usage/start-counting-usage.ts'
import { abandonRequests } from '../platform/http/abandon-requests.ts'
import { buildApp, type BuildAppOptions } from './app.ts'
import { startMetricsServer } from '../platform/telemetry/metrics-server.ts'
import { keepRequestsYoung } from '../platform/http/keep-requests-young.ts'
import { createErrorBodyWriter } from './error-body.ts'
import { listenError } from './listen-error.ts'
import type { Pages } from '../platform/web-app/web-app.ts'
import type { OpenBackup } from './backup/open-backup.ts'
import { startBackup } from './backup/start-backup.ts'
import { startExpirySweep } from './start-expiry-sweep.ts'

/**
 * How long requests that have begun may take to end once no more connections are accepted, in milliseconds; then theirs
 * are cut. A push has its answer by then, even with a dead database; a read or a page that waits as long as
 * it may at every step can be cut.
 */
const requestsEndMsMax = 12_000

/**
 * How long the rest may take once the last request has ended (records of calls, threads), in milliseconds. Then it is
 * left undone.
 */
export const closeMsMax = 3_000

export interface RunningService extends AsyncDisposable {
  /** Where it listens, without a slash at the end. */
  url: string
  /** See `abandonRequests`. */
  abandon: () => Promise<string[]>
}

export interface StartServiceOptions {
  /** Instead of the configured one; 0 is any free port. */
  port?: number
  /** The web app; a placeholder by default. */
  pages?: Pages
  /** See `BuildAppOptions`. */
  prepare?: BuildAppOptions['prepare']
  /** See `requestsEndMsMax`. */
  requestsEndMsMax?: number
  /** Opens the place that backups are kept in. */
  openBackup?: () => Promise<OpenBackup>
}

/**
 * Builds the app and listens. Disposing of it fails readiness probes, still takes calls until balancers have noticed
 * (`NUMERA_DRAIN_SECONDS`), then accepts no more connections, lets requests in progress end for a while, and cuts the
 * rest.
 */
export async function startService(
  context: AppContext,
  options: StartServiceOptions = {},
): Promise<RunningService> {
  keepRequestsYoung()
  const { host, port } = context.config.http
  const stack = new AsyncDisposableStack()
  try {
    stack.use(startExpirySweep(context))
    stack.use(startCountingUsage(context))
    stack.use(startRecoveringMoves(context))
    if (options.openBackup !== undefined) stack.use(await startBackup(context, options.openBackup))
    const { pages, prepare } = options
    const app = await buildApp(context, {
      ...(pages === undefined ? {} : { pages }),
      ...(prepare === undefined ? {} : { prepare }),
    })
    stack.defer(async () => {
      app.draining.begin()
      if (app.server.listening) await sleep(context.config.http.drainMs)
      const requestsMs = options.requestsEndMsMax ?? requestsEndMsMax
      const cut = setTimeout(() => app.server.closeAllConnections(), requestsMs)
      const timer = new AbortController()
      const late = sleep(requestsMs + closeMsMax, undefined, { signal: timer.signal }).catch(() => {})
      await Promise.race([app.close(), late])
      timer.abort()
      clearTimeout(cut)
    })
    if (context.config.metrics !== undefined) {
      const metricsServer = startMetricsServer(context.telemetry, context.config.metrics)
      stack.use(
        await metricsServer.catch((error: unknown) => {
          throw listenError(error, { ...context.config.metrics!, variable: 'NUMERA_METRICS_PORT' })
        }),
      )
    }
    const url = await app.listen({ host, port: options.port ?? port }).catch((error: unknown) => {
      throw listenError(error, { host, port: options.port ?? port, variable: 'NUMERA_HTTP_PORT' })
    })
    const writeErrorBody = createErrorBodyWriter(context.config.baseUrl)
    const abandon = (): Promise<string[]> => abandonRequests(app, writeErrorBody)
    return { url, abandon, [Symbol.asyncDispose]: () => stack.disposeAsync() }
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}
