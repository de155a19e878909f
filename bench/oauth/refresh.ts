/**
 * Exchanged refresh tokens per second, compared with oidc-provider over PostgreSQL (oidc-provider-server.ts) in the same run
 * on the same database server.
 *
 *   node bench/oauth/refresh.ts [--rounds 7] [--seconds 4] [--clients 64]
 *
 * Both take turns in each round; prints medians, and the median of the rounds' ratios.
 */
import { execFile, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { systemClock, type TestClock } from '../../src/platform/clock/clock.ts'
import { startEmbedded } from '../../src/platform/database/embedded.ts'
import { migrate } from '../../src/platform/database/migrations/migrate.ts'
import { createPool } from '../../src/platform/database/pool.ts'
import {
  seedApp,
  seedAppConnection,
  seedAppToken,
  seedCompany,
  seedMember,
} from '../../testing/in-process/seed.ts'
import { createTestContext } from '../../testing/in-process/test-context.ts'
import { recordTestKeys } from '../../testing/in-process/test-keys.ts'
import { freePort } from '../../testing/process/free-port.ts'
import { serveArguments, serveEnvironment, start, stop } from '../accept/processes.ts'
import { median, print, printTarget } from '../figures.ts'
import type { Refresher, RefreshJob, RefreshResult } from './refresh-load.ts'

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '4' },
    clients: { type: 'string', default: '64' },
  },
})
const rounds = Number(options.rounds)
const seconds = Number(options.seconds)
const clientCount = Number(options.clients)
const path = '/oauth/token'

const run = promisify(execFile)

/** One of the two services, with its clients' current tokens. */
interface Side {
  name: string
  port: number
  refreshers: Refresher[]
  results: RefreshResult[]
}

const load = async (side: Side): Promise<RefreshResult> => {
  const job: RefreshJob = { port: side.port, path, seconds, clients: side.refreshers }
  const { stdout } = await run(process.execPath, [
    join(import.meta.dirname, 'refresh-load.ts'),
    JSON.stringify(job),
  ])
  const result = JSON.parse(stdout) as RefreshResult
  if (result.refused > 0) throw new Error(`${result.refused} of ${side.name}'s clients were refused`)
  side.refreshers = result.clients
  return result
}

const folder = await mkdtemp(join(tmpdir(), 'numera-bench-'))
const database = await startEmbedded({ dataFolder: folder })
const children: ChildProcess[] = []
try {
  await migrate({ url: database.url })
  await recordTestKeys(database.url)
  const pool = createPool({ url: database.url })
  const context = createTestContext(pool, { clock: systemClock as TestClock })
  const { company } = await seedCompany(context)
  const app = await seedApp(context)
  const ours: Refresher[] = []
  while (ours.length < clientCount) {
    const member = await seedMember(context, company.companyId)
    const { refreshToken } = await seedAppToken(context, await seedAppConnection(context, { app, member }))
    ours.push({ clientId: app.clientId, refreshToken })
  }

  const numeraPort = await freePort()
  children.push(
    await start(serveArguments, numeraPort, {
      ...serveEnvironment(database.url, folder, numeraPort),
      NUMERA_OAUTH_RATE_PER_MINUTE: '10000000',
      NUMERA_OAUTH_RATE_BURST: '10000000',
    }),
  )
  const rivalPort = await freePort()
  children.push(
    await start(
      [join(import.meta.dirname, 'oidc-provider-server.ts'), String(rivalPort), database.url, path],
      rivalPort,
      { NODE_ENV: 'production' },
    ),
  )
  const issued = await fetch(`http://127.0.0.1:${rivalPort}/bench/refresh-tokens?count=${clientCount}`)
  const theirs = ((await issued.json()) as string[]).map((refreshToken) => ({
    clientId: 'bench',
    refreshToken,
  }))
  // Gives the planner statistics, as on a database that has run for a minute.
  await pool.query('vacuum analyze')

  const numera: Side = { name: 'numera', port: numeraPort, refreshers: ours, results: [] }
  const rival: Side = { name: 'oidc-provider', port: rivalPort, refreshers: theirs, results: [] }
  print(
    `${availableParallelism()} cores of ${cpus()[0]?.model}; ${clientCount} clients, ${rounds} rounds of ${seconds} s each`,
  )
  // Warms both up.
  for (const side of [numera, rival]) await load(side)
  await pool.query('vacuum analyze app_tokens, oidc_payloads')
  for (let round = 1; round <= rounds; round++) {
    // The second one meets the pending writes of the first.
    for (const side of round % 2 === 0 ? [rival, numera] : [numera, rival]) {
      side.results.push(await load(side))
    }
    await pool.query('checkpoint').catch(() => {})
    print(
      `round ${round}: ${[numera, rival].map(({ name, results }) => `${name} ${results.at(-1)!.perSecond.toFixed(0)}/s`).join(', ')}`,
    )
  }
  await pool.end()

  print('\nrefresh tokens exchanged per second (median)')
  for (const { name, results } of [numera, rival]) {
    const of = (figure: 'perSecond' | 'p50Ms' | 'p99Ms'): number =>
      median(results.map((result) => result[figure]))
    print(
      `  ${name.padEnd(14)}${of('perSecond').toFixed(0)}   p50 ${of('p50Ms').toFixed(1)} ms   p99 ${of('p99Ms').toFixed(1)} ms`,
    )
  }
  const ratios = numera.results.map((result, round) => result.perSecond / rival.results[round]!.perSecond)
  print(
    `  numera : oidc-provider ${median(ratios).toFixed(2)} (${ratios.map((ratio) => ratio.toFixed(2)).join(' ')})`,
  )
  printTarget('refresh tokens exchanged per second : oidc-provider over PostgreSQL', median(ratios), {
    atLeast: 2,
  })
} finally {
  for (const child of children) await stop(child)
  await database[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
}
