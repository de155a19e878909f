import type { AppContext } from './app-context.ts'
import { Type } from 'typebox'
import type { TestClock } from '../platform/clock/clock.ts'
import { type App } from '../platform/http/contract.ts'
import { invalidArgument } from '../platform/http/errors/errors.ts'

const body = Type.Object(
  {
    advance_seconds: Type.Optional(Type.Number()),
    /** RFC 3339. */
    set: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
)

function isMovable(clock: AppContext['clock']): clock is TestClock {
  return 'advance' in clock
}

/**
 * `GET /test/clock` answers with the service's time, `POST /test/clock` moves it by `advance_seconds` or sets it to an
 * instant. Only with `serve --test-clock`; not part of the API document.
 */
export async function registerTestClockRoutes(app: App, context: AppContext): Promise<void> {
  const { clock } = context
  if (!context.config.testClock || !isMovable(clock)) return
  const now = (): { now: string } => ({ now: new Date(clock.now()).toISOString() })

  app.get('/test/clock', now)

  app.post('/test/clock', { schema: { body } }, async (request) => {
    const { advance_seconds: seconds, set } = request.body
    if (set !== undefined) {
      if (Number.isNaN(Date.parse(set))) throw invalidArgument('It is no RFC 3339 instant.', 'set')
      clock.set(set)
    }
    if (seconds !== undefined) clock.advance(seconds * 1_000)
    return now()
  })
}
