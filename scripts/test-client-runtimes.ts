/**
 * Runs numera-client, as it is published, in Node 22.18 or later, Deno and Bun: pushes that are tried again, a file in parts, samples and
 * the outbox, against a scripted service on loopback. Exits with 75 where the runtimes can neither be found nor installed.
 *
 *   node scripts/test-client-runtimes.ts
 */
import { execFile, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { fault, startScriptedService, stored } from '../packages/client/testing/scripted-service.ts'

const root = join(import.meta.dirname, '..')
const cache = join(root, 'node_modules/.cache/runtimes')
const unavailable = 75
const arch =
  process.arch === 'arm64'
    ? { node: 'arm64', other: 'arm64', bun: 'aarch64' }
    : { node: 'x64', other: 'x64', bun: 'x64' }
const runtimes = [
  {
    name: 'Node 22',
    spec: `node-linux-${arch.node}@22`,
    program: `node-linux-${arch.node}/bin/node`,
    words: [],
  },
  {
    name: 'Deno',
    spec: `@deno/linux-${arch.other}-glibc@2`,
    program: `@deno/linux-${arch.other}-glibc/deno`,
    words: ['run', '--allow-all', '--no-lock'],
  },
  {
    name: 'Bun',
    spec: `@oven/bun-linux-${arch.bun}@1`,
    program: `@oven/bun-linux-${arch.bun}/bin/bun`,
    words: ['run'],
  },
]

/** What each runs: it ends with an error where something is not as it should be. */
const smoke = `
import assert from 'node:assert/strict'
import { Decimal, keyFor, Numera } from 'numera-client'
const numera = new Numera({ baseUrl: process.argv[2], credential: 'nsk_smoke' })
const { artifactId } = await numera.push([{ at: '2026-05-11', amount: Decimal.from('0.1').add('0.2') }], {
  key: keyFor('order', 1001), shapeVersion: 1,
})
assert.match(artifactId, /^0190a2b4/)
await assert.rejects(numera.push([{ amount: 0.1 + 0.2 }], { key: keyFor('order', 1), shapeVersion: 1 }), /15 digits|exact/)
const line = '2026-05-11,1.50\\n'
const parts = []
const file = new Blob(['at,amount\\n', line.repeat(600_000)])
for await (const part of numera.pushFile(file, { key: keyFor('orders', '2026-05-11'), shapeVersion: 1, allowSplit: true })) parts.push(part.rows)
assert.deepEqual([parts.length, parts.reduce((sum, rows) => sum + rows)], [2, 600_000])
const values = []
for await (const { value } of numera.samples({ metric: 'revenue', from: '2026-05-11', to: '2026-05-12' })) values.push(String(value))
assert.deepEqual(values, ['99999999999999999999.01'])
const { Outbox } = await import('numera-client/outbox')
const outbox = new Outbox(process.argv[3], { numera })
await outbox.put([{ amount: '1' }], { key: keyFor('kept', 1), shapeVersion: 1 })
await outbox.run(undefined, { untilEmpty: true })
assert.equal(outbox.status().pending, 0)
await outbox.close()
`

function install(): void {
  if (runtimes.every(({ program }) => existsSync(join(cache, 'node_modules', program)))) return
  const specs = runtimes.map(({ spec }) => spec)
  try {
    execFileSync(
      'npm',
      ['install', '--prefix', cache, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', ...specs],
      {
        stdio: ['ignore', 'ignore', 'inherit'],
        timeout: 300_000,
      },
    )
  } catch {
    process.stderr.write('The runtimes cannot be installed here.\n')
    process.exit(unavailable)
  }
}

await mkdir(cache, { recursive: true })
await writeFile(join(cache, 'package.json'), '{"private":true}\n')
install()
const project = await mkdtemp(join(tmpdir(), 'client-runtimes-'))
try {
  await mkdir(join(project, 'node_modules'))
  execFileSync(process.execPath, [
    join(root, 'scripts/build-client.ts'),
    join(project, 'node_modules/numera-client'),
  ])
  await writeFile(join(project, 'package.json'), '{"type":"module"}\n')
  await writeFile(join(project, 'smoke.js'), smoke)
  const sample = {
    metric: 'revenue',
    period_start: '2026-05-11',
    period: 'day',
    labels: {},
    value: '99999999999999999999.01',
    unit: 'SEK',
    artifact_id: '0190a2b4-58cc-7372-a567-0e02b2c3d479',
    restated: false,
  }
  const window = { from: '2026-05-11', to: '2026-05-12', narrowed: false }
  for (const { name, program, words } of runtimes) {
    let calls = 0
    await using service = await startScriptedService(({ method }) => {
      calls++
      if (method === 'GET')
        return { status: 200, body: { samples: [sample], window, truncated: false, sandbox: false } }
      return calls === 1 ? fault(503, 'internal', { 'retry-after': '0' }) : stored
    })
    const run = promisify(execFile)
    await run(
      join(cache, 'node_modules', program),
      [...words, 'smoke.js', service.url, join(project, `${name}.outbox`)],
      { cwd: project, timeout: 60_000 },
    )
    process.stdout.write(`${name}: passed\n`)
  }
} finally {
  await rm(project, { recursive: true })
}
