import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFile,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  readlink,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'

let clone: string
/** How long npm's replacement takes: longer for runs that are to overlap. */
let npmTakesMs: number
beforeEach(async () => {
  npmTakesMs = 0
  clone = await mkdtemp(join(tmpdir(), 'numera-install-'))
  await mkdir(join(clone, 'scripts'))
  await copyFile(join(import.meta.dirname, 'install.mjs'), join(clone, 'scripts/install.mjs'))
  await writeLock('1.0.0')
  await mkdir(join(clone, 'web'))
  await writeFile(join(clone, 'web/index.html'), 'first')
  // In place of Vite: copies the page, and records each run.
  await writeFile(
    join(clone, 'vite.cjs'),
    `const fs = require('node:fs')
     const out = process.argv[process.argv.indexOf('--outDir') + 1]
     fs.appendFileSync('builds', 'one\\n')
     fs.mkdirSync(out)
     const page = fs.readFileSync('web/index.html', 'utf8')
     if (page === 'broken') { console.error('no such module'); process.exit(1) }
     fs.writeFileSync(out + '/index.html', page)`,
  )
  // In place of npm: `ci` empties node_modules; it records each run, takes NPM_TAKES_MS, and records what it installed at the end.
  await writeFile(
    join(clone, 'npm.cjs'),
    `const fs = require('node:fs')
     const [command, ...options] = process.argv.slice(2)
     if (command === 'ci') fs.rmSync('node_modules', { recursive: true, force: true })
     fs.appendFileSync('runs', [command, ...options].join(' ') + '\\n')
     Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(process.env.NPM_TAKES_MS))
     if (fs.existsSync('broken')) { console.error('npm error 404'); process.exit(1) }
     const { packages } = JSON.parse(fs.readFileSync('package-lock.json', 'utf8'))
     for (const [path, { dev, link, bin }] of Object.entries(packages)) {
       if (dev && options.includes('--omit=dev')) delete packages[path]
       else if (path.startsWith('node_modules/') && !link) {
         fs.mkdirSync(path, { recursive: true })
         if (bin) fs.writeFileSync(path + '/' + bin.node, fs.readFileSync('node.sh'), { mode: 0o755 })
       }
     }
     fs.mkdirSync('node_modules/vite/bin', { recursive: true })
     fs.copyFileSync('vite.cjs', 'node_modules/vite/bin/vite.js')
     if (fs.existsSync('killed')) process.kill(process.pid, 'SIGKILL')
     fs.writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }))`,
  )
})
afterEach(() => rm(clone, { recursive: true }))

const writeLock = (version: string): Promise<void> =>
  writeFile(
    join(clone, 'package-lock.json'),
    JSON.stringify({
      packages: {
        '': {},
        'node_modules/a': { version, integrity: `sha512-${version}` },
        'node_modules/a-tester': { version, integrity: `sha512-${version}`, dev: true },
        'node_modules/pages': { resolved: 'web', link: true },
        web: { version: '1.0.0' },
      },
    }),
  )

const startInstall = (...words: string[]) =>
  spawn(process.execPath, [join(clone, 'scripts/install.mjs'), ...words], {
    env: {
      ...process.env,
      npm_execpath: join(clone, 'npm.cjs'),
      npm_node_execpath: process.execPath,
      NPM_TAKES_MS: `${npmTakesMs}`,
    },
  })

/** As `npm test` calls it; with `--to-run` as `npm start` does. */
const install = async (...words: string[]): Promise<{ code: number; printed: string }> => {
  const child = startInstall(...words)
  let printed = ''
  child.stderr.on('data', (chunk) => (printed += chunk))
  const [code] = await once(child, 'close')
  return { code, printed }
}

const readLines = async (name: string): Promise<string[]> =>
  (await readFile(join(clone, name), 'utf8').catch(() => '')).split('\n').filter((line) => line !== '')

/** One line for each run of npm, and of Vite. */
const runs = (): Promise<string[]> => readLines('runs')
const builds = (): Promise<string[]> => readLines('builds')

const exists = (path: string): Promise<boolean> =>
  lstat(join(clone, path)).then(
    () => true,
    () => false,
  )

const page = (): Promise<string> => readFile(join(clone, 'web/dist/index.html'), 'utf8')

test('The first run installs, the next does nothing, and a changed lock file installs again', async () => {
  expect(await install()).toMatchObject({ code: 0 })
  expect(await runs()).toEqual([expect.stringMatching(/^ci --ignore-scripts /)])
  expect(await install()).toEqual({ code: 0, printed: '' })
  expect(await runs()).toHaveLength(1)
  await writeLock('2.0.0')
  expect(await install()).toMatchObject({ code: 0 })
  expect(await runs()).toHaveLength(2)
})

test('Packages of the repository are linked, even where one was added to a complete installation', async () => {
  expect(await install()).toMatchObject({ code: 0 })
  expect(await readlink(join(clone, 'node_modules/pages'))).toBe('../web')
})

test('Of concurrent runs one installs and the others wait for it', async () => {
  npmTakesMs = 300
  const outcomes = await Promise.all([install(), install(), install()])
  expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0])
  expect(await runs()).toHaveLength(1)
  expect(await builds()).toHaveLength(1)
  expect((await readdir(clone)).toSorted()).toEqual([
    'builds',
    'node_modules',
    'npm.cjs',
    'package-lock.json',
    'runs',
    'scripts',
    'vite.cjs',
    'web',
  ])
  expect((await readdir(join(clone, 'web'))).toSorted()).toEqual(['dist', 'index.html'])
})

test('A killed installation is taken over', async () => {
  await symlink('4194304', join(clone, '.installing'))
  expect(await install()).toMatchObject({ code: 0 })
  expect(await runs()).toHaveLength(1)
})

test('Packages that `npm install` installed are recognised and kept', async () => {
  await mkdir(join(clone, 'node_modules/vite/bin'), { recursive: true })
  await copyFile(join(clone, 'vite.cjs'), join(clone, 'node_modules/vite/bin/vite.js'))
  await copyFile(join(clone, 'package-lock.json'), join(clone, 'node_modules/.package-lock.json'))
  expect(await install()).toMatchObject({ code: 0 })
  expect(await runs()).toEqual([])
})

test('When npm fails, its errors are printed and the next run tries again', async () => {
  await appendFile(join(clone, 'broken'), '')
  const { code, printed } = await install()
  expect(code).toBe(1)
  expect(printed).toContain('npm error 404')
  await rm(join(clone, 'broken'))
  expect(await install()).toMatchObject({ code: 0 })
  expect(await runs()).toHaveLength(2)
})

test('`--to-run` leaves out what only tests need, and a full run adds that and removes nothing', async () => {
  expect(await install('--to-run')).toMatchObject({ code: 0 })
  expect(await exists('node_modules/a')).toBe(true)
  expect(await exists('node_modules/a-tester')).toBe(false)
  expect(await page()).toBe('first')
  expect(await install('--to-run')).toEqual({ code: 0, printed: '' })
  expect(await runs()).toHaveLength(1)

  await writeFile(join(clone, 'node_modules/a/in-use'), '')
  expect(await install()).toMatchObject({ code: 0 })
  expect(await exists('node_modules/a-tester')).toBe(true)
  expect(await exists('node_modules/a/in-use')).toBe(true)
  expect(await install()).toEqual({ code: 0, printed: '' })
  expect(await runs()).toEqual([
    expect.stringMatching(/^ci .* --omit=dev$/),
    expect.stringMatching(/^install .* --no-save$/),
  ])
})

test('`--to-run` removes nothing that tests need, even when the lock file has changed', async () => {
  await install()
  expect(await install('--to-run')).toEqual({ code: 0, printed: '' })
  await writeLock('2.0.0')
  expect(await install('--to-run')).toMatchObject({ code: 0 })
  expect(await exists('node_modules/a-tester')).toBe(true)
  expect(await install()).toEqual({ code: 0, printed: '' })
  expect(await runs()).toHaveLength(2)
})

test('Concurrent runs of both kinds end with all packages', async () => {
  npmTakesMs = 300
  const outcomes = await Promise.all([install('--to-run'), install(), install('--to-run'), install()])
  expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0, 0])
  expect((await runs()).length).toBeLessThanOrEqual(2)
  expect(await exists('node_modules/a-tester')).toBe(true)
  expect(await exists('.installing')).toBe(false)
})

test('After an interrupted addition of what tests need, `--to-run` does nothing and a full run reinstalls', async () => {
  await install('--to-run')
  await appendFile(join(clone, 'killed'), '')
  expect(await install()).toMatchObject({ code: 1, printed: expect.stringContaining('SIGKILL') })
  await rm(join(clone, 'killed'))
  expect(await install('--to-run')).toEqual({ code: 0, printed: '' })

  await writeFile(join(clone, 'node_modules/a-tester/half'), '')
  expect(await install()).toMatchObject({ code: 0 })
  expect(await exists('node_modules/a-tester')).toBe(true)
  expect(await exists('node_modules/a-tester/half')).toBe(false)
  expect(await install()).toEqual({ code: 0, printed: '' })
})

test('Each step and its duration is printed', async () => {
  const { printed } = await install('--to-run')
  expect(printed.replaceAll(/\d+ s/g, 'N s').split('\n')).toEqual([
    'Installing what running needs (about 480 MB) …',
    'Installing what running needs (about 480 MB): done after N s',
    'Building the pages in web/ …',
    'Building the pages in web/: done after N s',
    '',
  ])
})

test('A signal ends npm before the installation, and the next run starts over', async () => {
  npmTakesMs = 10_000
  const child = startInstall()
  while ((await runs()).length === 0) await sleep(10)
  child.kill('SIGTERM')
  const [code] = await once(child, 'close')
  expect(code).toBe(1)
  expect(await exists('node_modules/.package-lock.json')).toBe(false)
  expect(await exists('.installing')).toBe(false)
  npmTakesMs = 0
  expect(await install()).toMatchObject({ code: 0 })
})

test('Node is linked where npm has not done it', async () => {
  const path = join(clone, 'package-lock.json')
  const { packages } = JSON.parse(await readFile(path, 'utf8'))
  packages['node_modules/a-node'] = { version: '99.0.0', optional: true, bin: { node: 'node' } }
  await writeFile(path, JSON.stringify({ packages }))
  await writeFile(
    join(clone, 'node.sh'),
    `#!/bin/sh\nif [ "$1" = --version ]; then echo v99.0.0; else exec '${process.execPath}' "$@"; fi\n`,
  )
  expect(await install('--to-run')).toMatchObject({ code: 0 })
  const { stdout } = await promisify(execFile)(join(clone, 'node_modules/.bin/node'), ['--version'])
  expect(stdout).toBe('v99.0.0\n')
})

test('The pages are built once, and again when one of their sources has changed', async () => {
  expect(await install()).toMatchObject({ code: 0 })
  expect(await page()).toBe('first')
  expect(await install()).toEqual({ code: 0, printed: '' })
  expect(await builds()).toHaveLength(1)

  await writeFile(join(clone, 'web/index.html'), 'second')
  expect(await install()).toMatchObject({ code: 0 })
  expect(await page()).toBe('second')
  await mkdir(join(clone, 'web/src'))
  await writeFile(join(clone, 'web/src/new.ts'), '')
  expect(await install()).toMatchObject({ code: 0 })
  await rm(join(clone, 'web/dist'), { recursive: true })
  expect(await install()).toMatchObject({ code: 0 })
  expect(await builds()).toHaveLength(4)
  expect(await runs()).toHaveLength(1)
})

test('A changed document rebuilds the pages, a changed decision does not', async () => {
  await install()
  await mkdir(join(clone, 'docs/guides'), { recursive: true })
  await writeFile(join(clone, 'docs/guides/push.md'), '# Push')
  expect(await install()).toMatchObject({ code: 0 })
  expect(await builds()).toHaveLength(2)
  await mkdir(join(clone, 'docs/decisions'))
  await writeFile(join(clone, 'docs/decisions/push.md'), '# Why')
  expect(await install()).toEqual({ code: 0, printed: '' })
  expect(await builds()).toHaveLength(2)
})

test('A changed file of the service that a page imports rebuilds the pages, another one does not', async () => {
  await mkdir(join(clone, 'web/src'))
  await writeFile(join(clone, 'web/src/page.ts'), "import { rule } from '../../src/formats/rule.ts'")
  await mkdir(join(clone, 'src/formats'), { recursive: true })
  await writeFile(join(clone, 'src/formats/rule.ts'), "export { rule } from './number.ts'")
  await writeFile(join(clone, 'src/formats/number.ts'), 'export const rule = 1')
  await install()
  await writeFile(join(clone, 'src/formats/other.ts'), '')
  await install()
  expect(await builds()).toHaveLength(1)
  await writeFile(join(clone, 'src/formats/number.ts'), 'export const rule = 2')
  await install()
  expect(await builds()).toHaveLength(2)
})

test('When the build fails, its errors are printed and the old pages stay', async () => {
  await install()
  await writeFile(join(clone, 'web/index.html'), 'broken')
  const { code, printed } = await install()
  expect(code).toBe(1)
  expect(printed).toContain('no such module')
  expect(await page()).toBe('first')
  await writeFile(join(clone, 'web/index.html'), 'repaired')
  expect(await install()).toMatchObject({ code: 0 })
  expect(await page()).toBe('repaired')
  expect(await exists('web/dist.new')).toBe(false)
})
