/** Runtimes that numera-client is for besides the one of its tests, and what each has to do with it. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { fault, type Reply, startScriptedService, stored } from './scripted-service.ts'

const run = promisify(execFile)
const cache = join(import.meta.dirname, '../../../node_modules/.cache/runtimes')
const installMsMax = 300_000
const arch = process.arch === 'arm64' ? 'arm64' : 'x64'
const bunArch = process.arch === 'arm64' ? 'aarch64' : 'x64'

export interface Runtime {
  name: string
  /** The npm package that brings it. */
  package: string
  version: string
  program: string
  words: readonly string[]
}

/** The oldest line of Node that is supported. */
export const node22: Runtime = {
  name: 'Node 22',
  package: `node-linux-${arch}`,
  version: '22',
  program: 'bin/node',
  words: [],
}
export const deno: Runtime = {
  name: 'Deno',
  package: `@deno/linux-${arch}-glibc`,
  version: '2',
  program: 'deno',
  words: ['run', '--allow-all', '--no-lock'],
}
export const bun: Runtime = {
  name: 'Bun',
  package: `@oven/bun-linux-${bunArch}`,
  version: '1',
  program: 'bin/bun',
  words: ['run'],
}

/** Installs a runtime where it is missing. Gives its program; says why and gives undefined if it cannot be had here. */
export async function installRuntime(runtime: Runtime): Promise<string | undefined> {
  const folder = join(cache, `${runtime.package.replaceAll(/\W/g, '-')}-${runtime.version}`)
  const program = join(folder, 'node_modules', runtime.package, runtime.program)
  if (existsSync(program)) return program
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), '{"private":true}\n')
  // Without a network, it is said soon.
  const patience = ['--fetch-retries=1', '--fetch-timeout=30000']
  const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', ...patience]
  const spec = `${runtime.package}@${runtime.version}`
  return run('npm', ['install', '--prefix', folder, ...options, spec], { timeout: installMsMax }).then(
    () => program,
    ({ stderr, message }: Error & { stderr?: string }) => {
      process.stderr.write(`${runtime.name} cannot be installed here: ${stderr || message}\n`)
      return undefined
    },
  )
}

/** It ends with an error where something is not as it should be. */
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

const samples: Reply = {
  status: 200,
  body: {
    samples: [
      {
        metric: 'revenue',
        period_start: '2026-05-11',
        period: 'day',
        labels: {},
        value: '99999999999999999999.01',
        unit: 'SEK',
        artifact_id: '0190a2b4-58cc-7372-a567-0e02b2c3d479',
        restated: false,
      },
    ],
    window: { from: '2026-05-11', to: '2026-05-12', narrowed: false },
    truncated: false,
    sandbox: false,
  },
}

/**
 * Lets a runtime use the package as its users do, against a scripted service: a push that is tried again, a file in parts, samples
 * and the outbox.
 *
 * @param project a folder whose node_modules has numera-client as it is published
 * @throws Error with what the program printed
 */
export async function useClientIn({ name, words }: Runtime, program: string, project: string): Promise<void> {
  await writeFile(join(project, 'package.json'), '{"type":"module"}\n')
  await writeFile(join(project, 'smoke.js'), smoke)
  let calls = 0
  await using service = await startScriptedService(({ method }) => {
    calls++
    if (method === 'GET') return samples
    return calls === 1 ? fault(503, 'internal', { 'retry-after': '0' }) : stored
  })
  const outbox = join(project, `${name}.outbox`)
  await run(program, [...words, 'smoke.js', service.url, outbox], { cwd: project, timeout: 60_000 })
}
