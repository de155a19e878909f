import { readdir, readFile, readlink, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, call, delivery, ingest } from './call.ts'
import { type Service, startService } from './service.ts'
import { type Connection, openShop } from './shop.ts'

/** A service that keeps its own database running, and what looks after both from outside. */
export interface FaultScene extends AsyncDisposable {
  service: Service
  connection: Connection
  /** Pushes a row of 1 under a key. */
  push(key: string): Promise<Answer>
  isReady(): Promise<boolean>
  /** Waits until readiness says so, or not. */
  untilReady(wanted: boolean): Promise<void>
  /** The process number of its database. */
  postmaster(): Promise<number>
  /** Every process of its database. */
  databaseProcesses(): Promise<number[]>
}

export const startFaultScene = async (): Promise<FaultScene> => {
  const service = await startService({
    // The database is stopped and killed here: that is the service's own, whatever server the other tests are given.
    environment: { DATABASE_URL: '', NUMERA_RATE_PER_MINUTE: '100000', NUMERA_RATE_BURST: '100000' },
  })
  const shop = await openShop(service)
  const connection = await shop.connect({ source_id: await shop.makeSource() })
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
        if (tries > 400) throw new Error('waited in vain')
        await sleep(50)
      }
    },
    postmaster: async () =>
      Number((await readFile(join(service.dataFolder, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0]),
    databaseProcesses: async () => {
      // Each works in its folder.
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
