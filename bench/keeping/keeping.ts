/**
 * What a backup costs accepting, and how quickly a large database is copied and restored, compared with copying its files.
 *
 *   node bench/keeping/keeping.ts [--gib 10] [--rounds 5] [--seconds 4]
 *
 * Two services with built-in databases take turns, one with a backup. The database of the other measurements has no deliveries,
 * which a restore would parse again to compare, but a table of pages that compress as they do, by about a third. Needs three times
 * `--gib` on the disk of the temporary folder.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { openShop } from '../../testing/process/shop.ts'
import { runOperatorCommand } from '../../testing/process/run-operator-command.ts'
import { type Service, startService } from '../../testing/process/start-service.ts'
import { openBuiltIn } from '../../trials/deployment/built-in.ts'
import { load } from '../accept/processes.ts'
import { Figures, print, printTarget, timed } from '../figures.ts'

const { values } = parseArgs({
  options: {
    gib: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
  },
})
const gib = Number(values.gib)
const seconds = Number(values.seconds)
const mebibyte = 1_048_576

const folder = await mkdtemp(join(tmpdir(), 'numera-keeping-'))
const backup = {
  NUMERA_BACKUP: pathToFileURL(join(folder, 'store')).href,
  NUMERA_BACKUP_KEY: '5a'.repeat(32),
}
const open = {
  DATABASE_URL: '',
  NUMERA_LOG_LEVEL: 'error',
  NUMERA_RATE_PER_MINUTE: '10000000',
  NUMERA_RATE_BURST: '10000000',
  NUMERA_COMPANY_WAITING_BYTES: '999999999999999',
  NUMERA_COMPANY_WAITING_DELIVERIES: '999999999999999',
}

interface Side {
  name: string
  service: Service
  port: number
  credential: string
}

const openSide = async (name: string, environment: Record<string, string>): Promise<Side> => {
  const service = await startService({
    words: ['serve', '--no-worker'],
    isDatabaseNew: true,
    dataFolder: join(folder, name),
    environment: { ...open, ...environment },
  })
  const shop = await openShop(service)
  const sourceId = await shop.createSource()
  const { credential } = await shop.connect({ source_id: sourceId })
  return { name, service, port: Number(new URL(service.url).port), credential }
}

const figures = new Figures()

const accept = async (side: Side, clients: number): Promise<void> => {
  const { port, credential } = side
  const { perSecond } = await load({ port, clients, seconds, bodyBytes: 1_024, credentials: [credential] })
  figures.add(`${side.name} ${clients}`, perSecond)
}

/** Rows of a page's size: two thirds random. */
const fill = (rows: number): string =>
  `insert into filling select number, (
     select string_agg(md5(number::text || part::text) || repeat('0', 16), '') from generate_series(1, 160) as part
   ) from generate_series(1, ${rows}) as number`

const backUp = async (service: Service): Promise<{ ms: number; bytes: number; sent: number }> => {
  let answer = { bytes: 0, sent_bytes: 0 }
  const ms = await timed(async () => (answer = await runOperatorCommand(service.environment, 'backup')))
  return { ms, bytes: answer.bytes, sent: answer.sent_bytes }
}

try {
  const sides = [await openSide('without', {}), await openSide('with', backup)]
  for (const side of sides) await accept(side, 64)
  for (let round = 1; round <= Number(values.rounds); round++)
    for (const clients of [64, 256]) for (const side of sides) await accept(side, clients)
  for (const { service } of sides) await service[Symbol.asyncDispose]()

  await using large = await startService({
    words: ['serve', '--no-worker'],
    isDatabaseNew: true,
    dataFolder: join(folder, 'large'),
    environment: { ...open, ...backup, NUMERA_BACKUP: pathToFileURL(join(folder, 'large-store')).href },
  })
  const database = openBuiltIn(large.dataFolder)
  await database.query('create table filling (number bigint, content text storage external)')
  await database.query(fill(Math.round((gib * 1_073_741_824) / 8_300)))
  await database.queryAsSuperuser('checkpoint')
  const first = await backUp(large)
  // The last hundredth, as deliveries are written.
  await database.query(
    `update filling set content = content where number <= (select max(number) / 100 from filling)`,
  )
  const second = await backUp(large)
  await large.stop()
  const copyMs = await timed(() =>
    cp(join(large.dataFolder, 'postgres'), join(folder, 'copy'), { recursive: true }),
  )
  await rm(join(folder, 'copy'), { recursive: true })
  const restoreMs = await timed(() =>
    runOperatorCommand(large.environment, 'restore', {
      to: 'latest',
      folder: join(folder, 'restored'),
    }),
  )
  const toSpeed = (bytes: number, ms: number): number => bytes / mebibyte / (ms / 1_000)
  print(
    `database ${(first.bytes / mebibyte).toFixed(0)} MiB; copying its files ${toSpeed(first.bytes, copyMs).toFixed(0)} MiB/s`,
  )
  for (const clients of [64, 256])
    printTarget(
      `pushes a second with a backup, ${clients} clients: without`,
      figures.median(`with ${clients}`) / figures.median(`without ${clients}`),
      { atLeast: 0.95 },
    )
  printTarget('first base', toSpeed(first.bytes, first.ms), { atLeast: 100 }, ' MiB/s')
  printTarget('second base, 1 % changed: bytes of the first', second.sent / first.sent, { atMost: 0.03 })
  printTarget('restore', toSpeed(first.bytes, restoreMs), { atLeast: 80 }, ' MiB/s')
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
}
