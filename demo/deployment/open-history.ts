import { hash } from 'node:crypto'
import type { AppContext } from '../../src/app/app-context.ts'
import { buildApp } from '../../src/app/app.ts'
import { addDemoConnection } from '../../src/company/connections/add-demo-connection.ts'
import { showSource } from '../../src/company/sources/show-source.ts'
import { addMember } from '../../src/console/memberships/add-member.ts'
import { createStore } from '../../src/engine/deliveries/store/store.ts'
import { createParseWorker } from '../../src/engine/parsing/worker/parse-worker.ts'
import { createWorkerPool } from '../../src/engine/parsing/worker/worker-pool.ts'
import { createProjectionMaintainer } from '../../src/engine/projections/maintain-projections.ts'
import { uuidv7 } from '../../src/formats/values/uuidv7.ts'
import { addCompany } from '../../src/people/companies/add-company.ts'
import { openDemoIdentity } from '../../src/people/identity/demo/demo-provider.ts'
import { createShiftedClock } from '../../src/platform/clock/clock.ts'
import { endPool } from '../../src/platform/database/pool.ts'
import { openPools } from '../../src/platform/database/pools.ts'
import { openShards } from '../../src/app/open-shards.ts'
import { createTelemetry } from '../../src/platform/telemetry/telemetry.ts'
import type { History } from '../clients/create-demo.ts'

/**
 * Commits do not wait for the disk, which would take half as long again. A power cut that loses the last ones leaves the
 * demo incomplete, as any other interruption does.
 */
const sessionSettings = 'set synchronous_commit = off'

/** The commands `company add` and `member add` in one. */
function createCompanyAdder(context: AppContext): History['addCompany'] {
  return async (input, { personalNumber, name }) => {
    const company = await addCompany(context, input)
    await addMember(context, 'operator', company.companyId, { personalNumber, label: name, role: 'owner' })
    return company
  }
}

/** Stores content without the checks that a push would have to pass. */
function createDamagedStore(context: AppContext): History['storeDamaged'] {
  const { clock, shards } = context
  return async ({ companyId, sourceId }, connectionId, idempotencyKey, content) => {
    const at = await shards.ofCompany(companyId)
    const store = createStore({ pool: at.pool, shard: at.shard, clock })
    const { source } = await showSource(at, 'operator', companyId, sourceId)
    const { shapeVersion, delivers } = source
    await store({
      idempotencyKey,
      shapeVersion,
      format: 'sie',
      droppedKeys: [],
      comparedBy: 'bytes',
      canonicalSha256: null,
      receivedSha256: hash('sha256', content, 'buffer'),
      content,
      contentEncoding: 'identity',
      contentBytes: content.length,
      target: { channel: 'push', companyId, sourceId, sandbox: false, connectionId, delivers },
      artifactId: uuidv7(clock.now()),
    })
  }
}

/**
 * Opens the service in the past: its routes and its parsing on its database, under a clock that the demo moves. Only this
 * process knows its address. It logs warnings only, and counts in no metric.
 */
export async function openHistory(present: AppContext): Promise<History & AsyncDisposable> {
  const { config } = present
  const clock = createShiftedClock()
  const level = present.log.isLevelEnabled('warn') ? 'warn' : present.log.level
  const log = present.log.child({}, { level })
  const onIdleError = (err: Error): void => log.warn({ err }, 'a database connection broke')
  const url = present.pool.options.connectionString!
  await using stack = new AsyncDisposableStack()
  const { connectionsMax } = config.database
  const name = 'numera demo history'
  const pools = stack.use(openPools({ url, connectionsMax, name, sessionSettings, onIdleError }))
  const { acceptPool, readPool, pool } = pools.at('access')
  const past = { ...present, acceptPool, readPool, pool, clock, log, telemetry: createTelemetry() }
  const shards = openShards(past, pools)
  const context = { ...past, shards, identity: openDemoIdentity(past) }
  const { shard } = (await shards.list())[0]!
  const workerPool = createWorkerPool(url, onIdleError, { furtherSettings: sessionSettings })
  stack.defer(() => endPool(workerPool))
  const app = await buildApp(context)
  stack.defer(() => app.close())
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const worker = createParseWorker({ pool: workerPool, shard, clock, log })
  // Nearly all deliveries are small. Polling the other queues would take longer than parsing these.
  const smallWorker = createParseWorker({
    pool: workerPool,
    shard,
    clock,
    log,
    queues: ['small'],
  })
  const projections = createProjectionMaintainer({ pool: workerPool, shard, clock, log })
  const opened = stack.move()
  return {
    url: address,
    clock,
    addCompany: createCompanyAdder(context),
    addDemoConnection: async ({ companyId, sourceId }) => {
      const { demoCredential } = config
      if (demoCredential !== undefined) await addDemoConnection(context, companyId, sourceId, demoCredential)
    },
    storeDamaged: createDamagedStore(context),
    parse: async (received) => {
      let parsed = 0
      for (let isMore = received !== undefined; isMore && parsed < received!;) {
        const { deliveries } = await smallWorker.round()
        parsed += deliveries
        isMore = deliveries > 0
      }
      if (parsed !== received) await worker.drain()
    },
    rebuild: async () => {
      await projections.step()
      await worker.drain()
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
