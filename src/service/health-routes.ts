import type { Context } from './context.ts'
import type { App } from '../http/contract.ts'
import { unavailable } from '../http/to-api-error.ts'
import { createReadiness, createReadinessChecks } from './readiness.ts'

/**
 * `GET /health/live`: the process answers. `GET /health/ready`: calls can be taken, that is every check of
 * `readiness.ts` passes and no shutdown has begun; else 503, which says nothing about the inside. Not part of the API
 * document.
 */
export async function registerHealthRoutes(app: App, context: Context): Promise<void> {
  let closing = false
  app.addHook('preClose', (done) => {
    closing = true
    done()
  })
  const isReady = createReadiness(await createReadinessChecks(context), context.log)

  app.get('/health/live', async () => ({ status: 'live' }))

  app.get('/health/ready', async () => {
    if (closing || !(await isReady())) throw unavailable('The service is not ready to take calls.')
    return { status: 'ready' }
  })
}
