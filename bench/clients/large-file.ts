/**
 * A large file of CSV through numera-client and through the Python client: killed in the middle, and pushed again. Prints how much memory
 * each takes, and compares what is stored with the file.
 *
 *   node bench/clients/large-file.ts [megabytes]
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { freePort } from '../../testing/process/free-port.ts'
import { serveArguments, serveEnvironment, start, stop } from '../accept/processes.ts'
import { print, printTarget, timed } from '../figures.ts'
import { openShop, startDeployment } from '../samples/deployment.ts'

const bytesMin = Number(process.argv[2] ?? 500) * 1_000_000
const head = 'at,amount,country,order\n'
const folder = await mkdtemp(join(tmpdir(), 'numera-bench-clients-'))
const file = join(folder, 'orders.csv')

/** @returns rows */
async function writeFile(): Promise<number> {
  let rows = 0
  const lines = function* (): Generator<string> {
    yield head
    for (let bytes = head.length; bytes < bytesMin;) {
      const block = Array.from(
        { length: 10_000 },
        () => `2026-05-11T09:30:00+02:00,249.50,SE,order-${rows++}\n`,
      ).join('')
      yield block
      bytes += block.length
    }
  }
  await pipeline(lines, createWriteStream(file))
  return rows
}

const typescript = `
import { keyFor, Numera } from 'numera-client'
const [baseUrl, credential, file] = process.argv.slice(1)
const numera = new Numera({ baseUrl, credential })
for await (const { rows, replayed } of numera.pushFile(file, { key: keyFor('orders', 'typescript'), shapeVersion: 1 }))
  console.log(JSON.stringify({ rows, replayed, kib: process.resourceUsage().maxRSS }))`
const python = `
import json, resource, sys
from numera import Numera, key_for
numera = Numera(sys.argv[1], credential=sys.argv[2])
for part in numera.push_file(sys.argv[3], key=key_for("orders", "python"), shape_version=1):
    kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"rows": part.rows, "replayed": part.replayed, "kib": kib}), flush=True)`
const clients = [
  { name: 'numera-client', program: process.execPath, words: ['--input-type=module', '-e', typescript] },
  { name: 'the Python client', program: 'python3', words: ['-c', python] },
]

// As published: Node strips the types of the sources in memory of its own.
const modules = join(folder, 'node_modules')
await mkdir(modules)
execFileSync(process.execPath, [
  join(import.meta.dirname, '../../scripts/build-client.ts'),
  join(modules, 'numera-client'),
])

interface Part {
  rows: number
  replayed: boolean
  kib: number
}

await using deployment = await startDeployment()
const shop = await openShop(deployment.context, {}, 1)
const port = await freePort()
const service = await start(serveArguments, port, serveEnvironment(deployment.url, folder, port))

/** @param killAfter kills it after so many parts */
async function push(
  { program, words }: (typeof clients)[number],
  killAfter = Number.POSITIVE_INFINITY,
): Promise<Part[]> {
  const child = spawn(program, [...words, `http://127.0.0.1:${port}`, shop.credential, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, PYTHONPATH: join(import.meta.dirname, '../../packages/python/src') },
    cwd: folder,
  })
  const parts: Part[] = []
  for await (const line of createInterface(child.stdout)) {
    parts.push(JSON.parse(line) as Part)
    if (parts.length >= killAfter) child.kill('SIGKILL')
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  if (child.exitCode !== 0 && parts.length < killAfter) throw new Error('a client failed')
  return parts
}

const count = async (): Promise<number> =>
  (await deployment.pool.query('select count(*)::int as stored from deliveries')).rows[0].stored

try {
  const rows = await writeFile()
  print(`${bytesMin / 1_000_000} MB of CSV, ${rows} rows`)
  for (const client of clients) {
    const before = await count()
    const cut = (await push(client, 10)).length
    let parts: Part[] = []
    const ms = await timed(async () => (parts = await push(client)))
    const replayed = parts.filter((part) => part.replayed).length
    const stored = (await count()) - before
    const sent = parts.reduce((sum, part) => sum + part.rows, 0)
    print(
      `${client.name}: killed after part ${cut}; again: ${parts.length} parts, ${replayed} of them replayed, ${sent} rows, ` +
        `${stored} deliveries stored, ${(bytesMin / 1000 / ms).toFixed(0)} MB/s`,
    )
    if (stored !== parts.length || sent !== rows || replayed < cut) throw new Error('it counts wrongly')
    printTarget(
      `memory of ${client.name}`,
      Math.max(...parts.map(({ kib }) => kib)) / 976.5625,
      { atMost: 100 },
      ' MB',
    )
  }
} finally {
  await stop(service)
  await rm(folder, { recursive: true, force: true })
}
