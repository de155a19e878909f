import type { Context, Shards } from '../../src/context.ts'
import type { WithIdentity } from '../../src/people/identity/identity-provider.ts'
import type { Logger } from 'pino'
import type { Pool } from 'pg'
import type { TestClock } from '../../src/platform/clock/clock.ts'
import { createTestClock } from './test-clock.ts'
import { readConfig } from '../../src/platform/config/read-config.ts'
import type { Pools } from '../../src/platform/database/pools.ts'
import { firstShard } from '../../src/platform/database/schemas.ts'
import { createTelemetry } from '../../src/platform/telemetry/telemetry.ts'
import { chooseElectronicIdentity } from '../../src/people/identity/choose-electronic-identity.ts'
import { testKeys } from './test-keys.ts'
import { createTestLog } from './test-log.ts'

export interface TestContext extends Context, WithIdentity {
  clock: TestClock
}

/**
 * Everything a handler may reach, on a test's own database: a clock that only the test moves, the demo electronic identity, a
 * log that is searched at the end of the run, and the configuration of an empty environment but for what is given. All queues are one pool unless others are given.
 */
export const createTestContext = (
  pool: Pool,
  options: { environment?: NodeJS.ProcessEnv; clock?: TestClock; log?: Logger } & Partial<Pools> = {},
): TestContext => {
  const { config, secrets } = readConfig(options.environment ?? {})
  const shards: Shards = {
    get: () => context,
    list: async () => [context],
    ofCompany: async () => context,
  }
  const base = {
    config,
    shards,
    shard: firstShard,
    listStandbys: () => [],
    acceptPool: options.acceptPool ?? pool,
    readPool: options.readPool ?? pool,
    pool,
    clock: options.clock ?? createTestClock(),
    keys: testKeys,
    log: options.log ?? createTestLog(),
    telemetry: createTelemetry(),
  }
  const context: TestContext = { ...base, identity: chooseElectronicIdentity(config, secrets)(base) }
  return context
}
