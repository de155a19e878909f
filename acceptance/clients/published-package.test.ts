import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installRuntime, node22, useClientIn } from '../../packages/client/testing/runtimes.ts'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)
let project: string
let folder: string
/** Of the published package. */
let files: string[]
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'client-package-'))
  folder = join(project, 'node_modules/numera-client')
  await mkdir(join(project, 'node_modules'))
  await run(process.execPath, [join(root, 'scripts/build-client.ts'), folder])
  files = await readdir(folder)
})
afterAll(() => rm(project, { recursive: true, force: true }))

test('The package has no test, no source, no map and no dependency, and at most 60 kB besides types and licence', async () => {
  const kinds = new Set(files.map((name) => name.replace(/^[^.]*/, '')))
  expect(kinds).toEqual(new Set(['', '.d.ts', '.js', '.json', '.md']))
  const counted = files.filter((name) => !name.endsWith('.d.ts') && name !== 'LICENSE')
  const sizes = await Promise.all(counted.map(async (name) => (await stat(join(folder, name))).size))
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(60_000)
  const description = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  expect(description).not.toHaveProperty('private')
  expect(Object.keys(description).filter((name) => /dependencies$/i.test(name))).toEqual([])
})

test('Only files and the outbox need Node, and they are loaded for these alone', async () => {
  const importers = new Map<string, string[]>()
  for (const name of files.filter((name) => name.endsWith('.js'))) {
    const text = await readFile(join(folder, name), 'utf8')
    expect(text).not.toMatch(/\.ts["']/)
    for (const [, target] of text.matchAll(/(?:import|export)[^;]*?from["']([^"']+)["']/g)) {
      importers.set(target!, [...(importers.get(target!) ?? []), name])
    }
  }
  const modules = [...importers.keys()].filter((target) => !target.startsWith('./'))
  expect(new Set(modules.flatMap((target) => importers.get(target)!))).toEqual(
    new Set(['files.js', 'outbox-file.js', 'outbox-sender.js']),
  )
  expect(importers.get('./outbox-file.js')!.toSorted()).toEqual(['outbox-sender.js', 'outbox.js'])
  expect(importers.get('./outbox-sender.js')).toEqual(['outbox.js'])
  expect(importers.get('./outbox.js')).toBeUndefined()
  expect(importers.get('./files.js')).toEqual(['push-file.js'])
  expect(importers.get('./push-file.js')).toBeUndefined()
})

test('It is imported, and its types are read, as by its users', async () => {
  await writeFile(join(project, 'package.json'), '{"type":"module"}')
  await writeFile(
    join(project, 'use.ts'),
    `import { Decimal, keyFor, Numera, type Receipt, type Sample } from 'numera-client'
     import { Outbox } from 'numera-client/outbox'
     export const numera = new Numera({ baseUrl: 'https://numera.example', credential: 'nsk_x' })
     export const push = (): Promise<Receipt> => numera.push([{ amount: 1n }], { key: keyFor('a', 1), shapeVersion: 1 })
     export const total = (samples: Sample[]): Decimal => samples.reduce((sum, { value }) => sum.add(value), Decimal.from(0))
     export const put = (outbox: Outbox): Promise<void> => outbox.put({ amount: '1' }, { key: keyFor('a', 1), shapeVersion: 1 })
     // @ts-expect-error a push has a key
     void numera.push([], { shapeVersion: 1 })`,
  )
  const options = [
    '--strict',
    '--noEmit',
    '--module',
    'nodenext',
    '--target',
    'es2024',
    '--lib',
    'es2024,dom,esnext',
  ]
  const tsc = join(root, 'node_modules/.bin/tsc')
  await run(tsc, [...options, '--types', '', join(project, 'use.ts')], { cwd: project })
  const script = `
    import { keyFor } from 'numera-client'
    import { Outbox } from 'numera-client/outbox'
    const outbox = new Outbox('orders.outbox')
    await outbox.put({ amount: '1' }, { key: keyFor('order', 1001), shapeVersion: 1 })
    console.log(outbox.status().pending)
    await outbox.close()`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: project })
  expect(stdout).toBe('1\n')
})

test('It works in the oldest Node that is supported', { timeout: 300_000 }, async ({ skip }) => {
  const program = await installRuntime(node22)
  if (program === undefined) return skip(`${node22.name} cannot be installed here.`)
  await useClientIn(node22, program, project)
})

test('The command runs as it is published, without its tests', async () => {
  const command = join(project, 'node_modules/numera-cli')
  await run(process.execPath, [join(root, 'scripts/build-cli.ts'), command])
  for (const name of ['commander', 'cli-table3']) {
    await symlink(join(root, 'node_modules', name), join(project, 'node_modules', name))
  }
  const { bin, version } = JSON.parse(await readFile(join(command, 'package.json'), 'utf8'))
  const numeractl = (...words: string[]) =>
    run(process.execPath, [join(command, bin.numeractl), ...words], {
      env: { XDG_CONFIG_HOME: join(project, 'config') },
    })
  expect((await numeractl('--version')).stdout).toBe(`${version}\n`)
  expect((await numeractl('profiles')).stdout).toBe('There are no logins.\n')
  await expect(numeractl('samples')).rejects.toMatchObject({ code: 2 })
  expect((await readdir(join(command, 'src'))).filter((name) => /test|\.ts$/.test(name))).toEqual([])
})
