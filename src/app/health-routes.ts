import type { AppContext } from './app-context.ts'
import type { App } from '../platform/http/contract.ts'
import { release } from '../platform/config/release.ts'
import { unavailable } from '../platform/http/errors/to-api-error.ts'
import { createReadiness, createReadinessChecks, readinessIntervalMs } from './readiness.ts'

/**
 * `GET /health/live`: the process answers. `GET /health/ready`: calls can be taken, that is every check of
 * `readiness.ts` passes and no shutdown has begun; else 503, which says nothing about the inside but that a contract
 * ended this process's release. Not part of the API document.
 */
export async function registerHealthRoutes(app: App, context: AppContext): Promise<void> {
  const isReady = createReadiness(await createReadinessChecks(context), context.log)
  const timer = setInterval(() => void isReady(), readinessIntervalMs).unref()
  app.addHook('preClose', (done) => {
    app.draining.begin()
    clearInterval(timer)
    done()
  })

  app.get('/health/live', async () => ({ status: 'live' }))

  app.get('/health/ready', async () => {
    const ready = app.draining.hasBegun ? false : await isReady()
    if (ready !== true) throw unavailable(ready || 'The service is not ready to take calls.')
    return { status: 'ready', version: release }
  })
}
