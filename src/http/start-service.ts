import type { Context } from '../context.ts'
import { startCountingUsage } from '../usage/start-counting-usage.ts'
import { buildApp } from './app.ts'
import { startFiguresServer } from './figures-server.ts'
import { keepRequestsYoung } from './keep-requests-young.ts'
import type { Pages } from './pages.ts'
import { startTidying } from './start-tidying.ts'

/** How long requests that have begun may take to end once the service was told to stop. */
const drainMsMax = 20_000

export interface RunningService extends AsyncDisposable {
  /** Where it listens, without a slash at the end. */
  url: string
}

export interface StartServiceOptions {
  /** Instead of the configured one; 0 is any free port. */
  port?: number
  /** The web app, where somebody opens it in a browser. */
  pages?: Pages
  /** See `drainMsMax`. */
  drainMsMax?: number
}

/**
 * Builds the app and listens. Disposing of it takes no more connections, tells probes that it is not ready, lets
 * what was begun end (for a while), and then cuts what is left.
 */
export const startService = async (
  context: Context,
  options: StartServiceOptions = {},
): Promise<RunningService> => {
  keepRequestsYoung()
  const { host, port } = context.config.http
  const stack = new AsyncDisposableStack()
  try {
    stack.use(startTidying(context))
    stack.use(startCountingUsage(context))
    const app = await buildApp(context, options.pages === undefined ? {} : { pages: options.pages })
    stack.defer(async () => {
      const timer = setTimeout(() => app.server.closeAllConnections(), options.drainMsMax ?? drainMsMax)
      await app.close()
      clearTimeout(timer)
    })
    if (context.config.metrics !== undefined) {
      stack.use(await startFiguresServer(context.figures, context.config.metrics))
    }
    const url = await app.listen({ host, port: options.port ?? port })
    return { url, [Symbol.asyncDispose]: () => stack.disposeAsync() }
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}
