import { processorTimeUs } from '../../testing/process/processor-time.ts'
import type { Service } from '../../testing/process/start-service.ts'
import type { TrialDatabase } from '../deployment/database.ts'
import type { TrialContext } from '../trial.ts'
import { observeStatements } from './observe-database.ts'

/** More than a minute has each of the rounds that the service makes by itself. Milliseconds. */
const observedMsLong = 65_000
const observedMsShort = 12_000

/** What a deployment costs while nothing is delivered: polling, counting, deleting what has expired. */
export async function measureRest(
  context: TrialContext,
  service: Service,
  database: TrialDatabase,
): Promise<void> {
  const observedMs = context.short ? observedMsShort : observedMsLong
  const [postmaster] = await database.processes()
  const read = (): { service: number; database: number } => ({
    service: processorTimeUs(service.process().pid!),
    database: processorTimeUs(postmaster!, { children: true }),
  })
  const before = read()
  const statements = await observeStatements(database, () => context.sleep(observedMs))
  const after = read()
  const share = (used: number): string => `${((used / 1_000 / observedMs) * 100).toFixed(1)} %`
  context.measure(
    'processor time at rest, of one core: service, database',
    `${share(after.service - before.service)}, ${share(after.database - before.database)}`,
  )
  for (const [purpose, figures] of statements) {
    const [count, ms] = [figures.statements, figures.ms].map((each) =>
      Math.round((each * 60_000) / observedMs),
    )
    context.measure(`${purpose} at rest, a minute: statements, ms of the server`, `${count}, ${ms}`)
  }
}
