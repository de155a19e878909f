/**
 * Accepted deliveries per second, compared with the obvious alternatives in the same run on the same database server:
 * single-row prepared INSERTs by pgbench, and a plain Fastify and pg route (plain-server.ts).
 *
 *   node bench/accept/accept.ts [--rounds 5] [--seconds 4] [--no-large]
 *
 * All take turns in each round, so that other load on the machine affects all; prints medians and their ratios. Needs
 * pgbench on the PATH. Deliveries are not parsed (`--no-worker`).
 *
 * Also prints the costs of one push: processor time in the service and all processes of the database
 * (`processor-time.ts`; for pgbench only the database's), and bytes of write-ahead log.
 */
import { execFile, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { systemClock, type TestClock } from '../../src/platform/clock/clock.ts'
import { startEmbedded } from '../../src/platform/database/embedded.ts'
import { migrate } from '../../src/platform/database/migrations/migrate.ts'
import { createPool } from '../../src/platform/database/pool.ts'
import { seedCompany, seedConnection, seedSource } from '../../testing/in-process/seed.ts'
import { createTestContext } from '../../testing/in-process/test-context.ts'
import { recordTestKeys } from '../../testing/in-process/test-keys.ts'
import { Figures, print, printTarget } from '../figures.ts'
import { processorTimeUs } from '../../testing/process/processor-time.ts'
import { freePort } from '../../testing/process/free-port.ts'
import { load, serveArguments, serveEnvironment, start, stop } from './processes.ts'

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    large: { type: 'boolean', default: true },
  },
  allowNegative: true,
})
const rounds = Number(options.rounds)
const seconds = Number(options.seconds)
const companies = 8
const smallBytes = 1_024
const largeBytes = options.large ? [1_048_576, 8_388_608] : []

const run = promisify(execFile)

// For the rivals: the service's own columns and keys, without those that only the service needs.
const rivalTable = `
  create table plain_deliveries (
    company_id uuid not null,
    artifact_id uuid not null,
    source_id uuid not null,
    sandbox boolean not null,
    idempotency_key text not null,
    receive_number bigint not null,
    received_at timestamptz not null,
    connection_id uuid not null,
    shape_version integer not null,
    delivers text not null,
    dropped_keys text[] not null,
    received_sha256 bytea not null,
    content text not null,
    primary key (company_id, artifact_id),
    unique (company_id, source_id, sandbox, idempotency_key)
  )`

const pgbenchScript = (ids: { companyId: string; sourceId: string; connectionId: string }): string =>
  `
\\set key random(1, 1000000000000000)
insert into plain_deliveries (company_id, artifact_id, source_id, sandbox, idempotency_key, receive_number, received_at,
  connection_id, shape_version, delivers, dropped_keys, received_sha256, content)
values ('${ids.companyId}', gen_random_uuid(), '${ids.sourceId}', false, :key, nextval('receive_numbers'), now(),
  '${ids.connectionId}', 1, 'events', '{}', '\\\\x${'ab'.repeat(32)}', :content)
on conflict do nothing;
`.replace(/\n(?!\\|insert|$)/g, ' ')

const folder = await mkdtemp(join(tmpdir(), 'numera-bench-'))
const database = await startEmbedded({ dataFolder: folder })
const children: ChildProcess[] = []
try {
  await migrate({ url: database.url })
  await recordTestKeys(database.url)
  const pool = createPool({ url: database.url })
  const context = createTestContext(pool, { clock: systemClock as TestClock })
  const credentials: string[] = []
  let ids = { companyId: '', sourceId: '', connectionId: '' }
  for (let index = 0; index < companies; index++) {
    const seeded = await seedCompany(context)
    const source = await seedSource(context, seeded.company.companyId)
    const { credential, connectionId } = await seedConnection(context, { ...seeded, source })
    credentials.push(credential!)
    ids = { companyId: seeded.company.companyId, sourceId: source.sourceId, connectionId }
  }
  await pool.query(rivalTable)
  // Gives the planner statistics, as on a database that has run for a minute.
  await pool.query('vacuum analyze')

  const numeraPort = await freePort()
  const numera = await start(serveArguments, numeraPort, serveEnvironment(database.url, folder, numeraPort))
  children.push(numera)
  const plainPort = await freePort()
  const plainArguments = [join(import.meta.dirname, 'plain-server.ts'), String(plainPort), database.url]
  const plain = await start(plainArguments, plainPort, { NODE_ENV: 'production' })
  children.push(plain)
  const scriptPath = join(folder, 'insert.sql')
  await writeFile(scriptPath, pgbenchScript(ids))

  const figures = new Figures()
  const median = (name: string): number => figures.median(name)

  const walBytes = async (): Promise<number> => {
    const { rows } = await pool.query<{ bytes: string }>(
      `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bytes`,
    )
    return Number(rows[0]!.bytes)
  }
  /** Records the cost per sent row, in `server` and in the database. */
  const measureCost = async <Result>(
    name: string,
    server: ChildProcess | undefined,
    work: () => Promise<{ sent: number; result: Result }>,
  ): Promise<Result> => {
    const readCosts = async () => ({
      server: server === undefined ? 0 : processorTimeUs(server.pid!),
      database: processorTimeUs(database.pid!, { children: true }),
      wal: await walBytes(),
    })
    const before = await readCosts()
    const { sent, result } = await work()
    const after = await readCosts()
    for (const part of ['server', 'database', 'wal'] as const) {
      figures.add(`${name} ${part}`, (after[part] - before[part]) / sent)
    }
    figures.add(`${name} processor`, figures.last(`${name} server`) + figures.last(`${name} database`))
    return result
  }

  const pgbench = async (): Promise<number> => {
    const flags = ['-n', '-M', 'prepared', '-c', '16', '-j', '2', '-T', String(seconds)]
    // 1 KiB without the envelope.
    const content = `content=${'x'.repeat(smallBytes - 80)}`
    return measureCost('pgbench', undefined, async () => {
      const { stdout } = await run('pgbench', [...flags, '-D', content, '-f', scriptPath, database.url], {
        env: { ...process.env, PGOPTIONS: '-c search_path=shard_1,access,directory' },
      })
      return {
        sent: Number(/actually processed: (\d+)/.exec(stdout)?.[1]),
        result: Number(/tps = ([\d.]+)/.exec(stdout)?.[1]),
      }
    })
  }

  const small = async (name: string, server: ChildProcess, port: number, clients: number): Promise<void> => {
    const result = await measureCost(`${name} ${clients}`, server, async () => {
      const loaded = await load({ port, clients, seconds, bodyBytes: smallBytes, credentials })
      return { sent: loaded.sent, result: loaded }
    })
    figures.add(`${name} ${clients}`, result.perSecond)
    figures.add(`${name} ${clients} p50`, result.p50Ms)
    figures.add(`${name} ${clients} p99`, result.p99Ms)
  }
  /** Large bodies from two clients, with small pushes from eight at the same time and without. */
  const large = async (name: string, port: number, bodyBytes: number): Promise<void> => {
    const [big, small] = await Promise.all([
      load({ port, clients: 2, seconds, bodyBytes, credentials }),
      load({ port, clients: 8, seconds, bodyBytes: smallBytes, credentials }),
    ])
    figures.add(`${name} ${bodyBytes}`, big.megabytesPerSecond)
    figures.add(`${name} ${bodyBytes} during`, small.p99Ms)
    figures.add(`${name} ${bodyBytes} during rate`, small.perSecond)
    const alone = await load({ port, clients: 2, seconds, bodyBytes, credentials })
    figures.add(`${name} ${bodyBytes} alone`, alone.megabytesPerSecond)
  }

  print(`${availableParallelism()} cores of ${cpus()[0]?.model}; ${rounds} rounds of ${seconds} s each`)
  // Warms both up.
  for (const port of [numeraPort, plainPort]) {
    await load({ port, clients: 64, seconds, bodyBytes: smallBytes, credentials })
  }
  for (let round = 1; round <= rounds; round++) {
    for (const clients of [64, 256]) {
      await small('numera', numera, numeraPort, clients)
      figures.add('pgbench', await pgbench())
      await small('plain', plain, plainPort, clients)
    }
    for (const bytes of largeBytes) {
      await large('numera', numeraPort, bytes)
      await large('plain', plainPort, bytes)
    }
    // Each round begins with empty tables and no pending writes of the last one.
    await pool.query('truncate plain_deliveries, deliveries, backlog')
    await pool.query('checkpoint').catch(() => {})
    const row = ['numera 64', 'numera 256', 'pgbench', 'plain 64', 'plain 256']
    print(`round ${round}: ${row.map((name) => `${name} ${figures.last(name).toFixed(0)}/s`).join(', ')}`)
  }
  await pool.end()

  const quotient = (a: string, b: string): number => median(a) / median(b)
  const ratio = (a: string, b: string): string => quotient(a, b).toFixed(2)
  print('\n1 KiB pushes per second (median)')
  print(`  pgbench, 16 connections   ${median('pgbench').toFixed(0)}`)
  for (const clients of [64, 256]) {
    for (const name of ['numera', 'plain']) {
      const at = `${name} ${clients}`
      print(
        `  ${name}, ${clients} clients`.padEnd(28) +
          `${median(at).toFixed(0)}   p50 ${median(`${at} p50`).toFixed(1)} ms   p99 ${median(`${at} p99`).toFixed(1)} ms`,
      )
    }
    const [ours, theirs] = [`numera ${clients}`, `plain ${clients}`]
    print(
      `  numera : pgbench ${ratio(ours, 'pgbench')}   numera : plain ${ratio(ours, theirs)}   p99 ${ratio(`${ours} p99`, `${theirs} p99`)} of plain's`,
    )
  }
  print(
    '\ncost of a 1 KiB push (median): µs of processor time in service + database, bytes of write-ahead log',
  )
  const cost = (name: string): string =>
    `${median(`${name} processor`).toFixed(1)} µs = ${median(`${name} server`).toFixed(1)} + ` +
    `${median(`${name} database`).toFixed(1)}   ${median(`${name} wal`).toFixed(0)} bytes`
  print(`  pgbench, 16 connections   ${cost('pgbench')}   (without pgbench itself)`)
  for (const clients of [64, 256]) {
    for (const name of ['numera', 'plain']) {
      print(`  ${name}, ${clients} clients`.padEnd(28) + cost(`${name} ${clients}`))
    }
  }
  for (const clients of [64, 256]) {
    const processor = quotient(`numera ${clients} processor`, `plain ${clients} processor`)
    printTarget(`processor time of a 1 KiB push, ${clients} clients : the plain route's`, processor, {
      atMost: 0.5,
    })
  }
  for (const [clients, pgbench] of [
    [64, 1.2],
    [256, 1.5],
  ] as const) {
    const [ours, theirs] = [`numera ${clients}`, `plain ${clients}`]
    const figure = `1 KiB pushes per second of ${clients} clients`
    printTarget(`${figure} : pgbench's single INSERTs`, quotient(ours, 'pgbench'), { atLeast: pgbench })
    printTarget(`${figure} : the plain route's`, quotient(ours, theirs), { atLeast: 2.5 })
  }
  const p99 = quotient('numera 256 p99', 'plain 256 p99')
  printTarget('p99 of 1 KiB pushes, 256 clients : the plain route’s', p99, { atMost: 0.4 })
  if (options.large) print('\nLarge bodies of two clients, alone and during 1 KiB pushes of eight clients')
  for (const bytes of largeBytes) {
    for (const name of ['numera', 'plain']) {
      const at = `${name} ${bytes}`
      print(
        `  ${name}, ${bytes / 1_048_576} MiB`.padEnd(20) +
          `${median(`${at} alone`).toFixed(1)} MB/s alone, ${median(at).toFixed(1)} MB/s during ` +
          `${median(`${at} during rate`).toFixed(0)} small/s with p99 ${median(`${at} during`).toFixed(1)} ms`,
      )
    }
    print(
      `  numera : plain ${ratio(`numera ${bytes} alone`, `plain ${bytes} alone`)} alone, ${ratio(`numera ${bytes}`, `plain ${bytes}`)} during small ones`,
    )
    const figure = `bodies of ${bytes / 1_048_576} MiB`
    printTarget(
      `${figure}, MB/s : the plain route's`,
      quotient(`numera ${bytes} alone`, `plain ${bytes} alone`),
      {
        atLeast: 0.9,
      },
    )
    printTarget(
      `p99 of 1 KiB pushes during ${figure}`,
      median(`numera ${bytes} during`),
      { atMost: 50 },
      ' ms',
    )
  }
} finally {
  for (const child of children) await stop(child)
  await database[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
}
