import type { AddressInfo } from 'node:net'
import { beforeEach } from 'vitest'
import { signInConsole, type ConsoleClient } from '../console-client.ts'
import { seedScene } from './scene.ts'
import { storeDelivery, type StoreOptions } from '../store-delivery.ts'
import { startTestService } from '../test-service.ts'
import { startTestWorker } from '../test-worker.ts'

export const goodRow = { at: '2026-01-14T12:00:00Z', amount: '1' }
export const refusedRow = { at: '2026-01-14T12:00:00Z', amount: 'secret' }

/** The data of an event `change`. */
interface Change {
  etag: string
  since: string | null
  deliveries: { artifact_id: string }[] | null
  refused_calls: boolean
}

export interface OpenedEvents {
  answer: Response
  changes: Change[]
  /** Settles when the stream ends. */
  over: Promise<void>
}

/** A company with a source and an owner who reads its deliveries, for each test. To be called at the top of a file. */
export async function startDeliveryLog() {
  const { database, context, app } = await startTestService()
  const { worker } = startTestWorker({ database, context })
  const seed = async () => {
    const { source, ...seeded } = await seedScene(context, { source: {} })
    const { companyId } = seeded.company
    return {
      seeded,
      companyId,
      sourceId: source.sourceId,
      owner: await signInConsole(app, context, seeded.owner),
      /** The address of the company in the console's API. */
      company: `/console/companies/${companyId}`,
    }
  }
  const log = {} as Awaited<ReturnType<typeof seed>>
  beforeEach(async () => {
    Object.assign(log, await seed())
  })

  const store = async (
    rows: object[] | Buffer,
    { source = log.sourceId, ...options }: StoreOptions & { source?: string } = {},
  ): Promise<string> => {
    const to = { companyId: log.companyId, sourceId: source }
    return (await storeDelivery(database.pool, to, rows, options)).artifactId
  }
  const helpers = {
    database,
    context,
    app,
    worker,
    store,
    /** Stores a delivery and parses it. */
    deliver: async (...delivery: Parameters<typeof store>): Promise<string> => {
      const artifactId = await store(...delivery)
      await worker.drain()
      return artifactId
    },
    list: async (query = '') => (await log.owner.get(`${log.company}/deliveries${query}`)).body,
    /** Opens the stream of events over the wire. */
    watch: async (by: ConsoleClient, signal: AbortSignal): Promise<OpenedEvents> => {
      if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
      const { port } = app.server.address() as AddressInfo
      const answer = await fetch(`http://127.0.0.1:${port}${log.company}/deliveries/events`, {
        headers: {
          accept: 'text/event-stream',
          cookie: [...by.cookies].map((pair) => pair.join('=')).join('; '),
        },
        signal,
      })
      const changes: Change[] = []
      const over = (async () => {
        const decoder = new TextDecoder()
        for await (const part of answer.body!) {
          const text = decoder.decode(part as Uint8Array, { stream: true })
          const data = [...text.matchAll(/^event: change\ndata: (.*)$/gm)]
          changes.push(...data.map(([, json]) => JSON.parse(json!) as Change))
        }
      })().catch(() => {})
      return { answer, changes, over }
    },
  }
  return Object.assign(log, helpers)
}
