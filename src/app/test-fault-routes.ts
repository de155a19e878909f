import type { AppContext } from './app-context.ts'
import { Type } from 'typebox'
import type { App } from '../platform/http/contract.ts'

const body = Type.Object(
  { kind: Type.Union([Type.Literal('exception'), Type.Literal('rejection')]) },
  { additionalProperties: false },
)

/**
 * `POST /test/fault` makes an unforeseen fault happen: an exception, or a rejection, that nothing catches. Only with
 * `serve --test-clock`, which is refused wherever people could reach it (`config/read-config.ts`).
 */
export async function registerTestFaultRoutes(app: App, context: AppContext): Promise<void> {
  if (!context.config.testClock) return
  app.post('/test/fault', { schema: { body } }, (request) => {
    setImmediate(() => {
      const fault = new Error('a fault that a test requested')
      if (request.body.kind === 'exception') throw fault
      void Promise.reject(fault)
    })
    // Never answered by this handler: the call is one of those under way.
    return new Promise(() => {})
  })
}
