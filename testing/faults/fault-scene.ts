import { readdir, readFile, readlink, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, call, delivery, ingest } from '../process/call.ts'
import { type Service, startService } from '../process/start-service.ts'
import { type Connection, openShop } from '../process/shop.ts'

/** A service with the built-in database, and how to observe both. */
export interface FaultScene extends AsyncDisposable {
  service: Service
  connection: Connection
  /** Pushes a row with the amount 1 under a key. */
  push(key: string): Promise<Answer>
  isReady(): Promise<boolean>
  /** Waits until the service is ready, or not. */
  untilReady(wanted: boolean): Promise<void>
  /** The process id of the database. */
  postmaster(): Promise<number>
  /** The process ids of the database and its children. */
  databaseProcesses(): Promise<number[]>
}

export const startFaultScene = async (): Promise<FaultScene> => {
  const service = await startService({
    // The tests stop and kill the database, so it must be the service's own.
    environment: { DATABASE_URL: '', NUMERA_RATE_PER_MINUTE: '100000', NUMERA_RATE_BURST: '100000' },
  })
  const shop = await openShop(service)
  const connection = await shop.connect({ source_id: await shop.createSource() })
  const row = { at: '2026-01-15T12:00:00+01:00', amount: '1' }
  const isReady = async (): Promise<boolean> => {
    const answer = await call(`${service.url}/health/ready`).catch(() => undefined)
    return answer?.status === 200
  }
  return {
    service,
    connection,
    push: (key) => ingest(service.url, connection.credential, delivery(row, { idempotency_key: key })),
    isReady,
    untilReady: async (wanted) => {
      for (let tries = 0; (await isReady()) !== wanted; tries++) {
        if (tries > 400) throw new Error(`the service is still ${wanted ? 'not ready' : 'ready'}`)
        await sleep(50)
      }
    },
    postmaster: async () =>
      Number((await readFile(join(service.dataFolder, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0]),
    databaseProcesses: async () => {
      // Each has the cluster as its working folder.
      const cluster = await realpath(join(service.dataFolder, 'postgres'))
      const found: number[] = []
      for (const entry of await readdir('/proc')) {
        if (!/^\d+$/.test(entry)) continue
        if ((await readlink(`/proc/${entry}/cwd`).catch(() => '')) === cluster) found.push(Number(entry))
      }
      return found
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}
