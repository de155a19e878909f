import { type AppCallback, startAppCallback } from '../testing/process/app-callback.ts'
import { delivery, ingest } from '../testing/process/call.ts'
import { waitUntilRead } from '../testing/process/numera-api.ts'
import { type Service, startService } from '../testing/process/start-service.ts'
import { openShop, type Shop } from '../testing/process/shop.ts'

/** A running service with a company whose revenue of one day is known, and an app's callback address. */
export interface AppScene extends AsyncDisposable {
  service: Service
  url: string
  shop: Shop
  orgnr: string
  sourceId: string
  callback: AppCallback
  /** The day's revenue as a read returns it: metric, day and value. */
  samples: { metric: string; period_start: string; value: string }[]
  /** Where an app reads that. */
  samplesUrl: URL
}

export const startAppScene = async (environment: NodeJS.ProcessEnv = {}): Promise<AppScene> => {
  const stack = new AsyncDisposableStack()
  try {
    const service = stack.use(await startService({ environment }))
    const { url } = service
    const callback = stack.use(await startAppCallback())
    const shop = await openShop(service)
    const sourceId = await shop.createSource()
    const { credential } = await shop.connect({ source_id: sourceId })
    const { body } = await ingest(
      url,
      credential,
      delivery([{ at: '2026-01-15T12:00:00+01:00', amount: '249.50', country: 'SE' }]),
    )
    await waitUntilRead(url, credential, body.artifact_id)
    const { orgnr } = shop.company
    return {
      service,
      url,
      shop,
      orgnr,
      sourceId,
      callback,
      samples: [{ metric: 'revenue', period_start: '2026-01-15', value: '249.5' }],
      samplesUrl: new URL(
        `${url}/v1/samples?${new URLSearchParams({ orgnr, from: '2026-01-01', to: '2026-02-01' })}`,
      ),
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    }
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}
