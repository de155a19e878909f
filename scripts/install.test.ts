import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  access,
  appendFile,
  copyFile,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

let clone: string
beforeEach(async () => {
  clone = await mkdtemp(join(tmpdir(), 'numera-install-'))
  await mkdir(join(clone, 'scripts'))
  await copyFile(join(import.meta.dirname, 'install.mjs'), join(clone, 'scripts/install.mjs'))
  await writeLock('1.0.0')
  await mkdir(join(clone, 'web'))
  await writeFile(join(clone, 'web/index.html'), 'first')
  // Stands in for Vite: writes what it was told to, and notes that it ran.
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
  // Stands in for npm: empties node_modules, takes its time, and notes that it ran.
  await writeFile(
    join(clone, 'npm.cjs'),
    `const fs = require('node:fs')
     fs.rmSync('node_modules', { recursive: true, force: true })
     fs.appendFileSync('runs', process.argv.slice(2).join(' ') + '\\n')
     Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
     if (fs.existsSync('broken')) { console.error('npm error 404'); process.exit(1) }
     fs.mkdirSync('node_modules/vite/bin', { recursive: true })
     fs.copyFileSync('vite.cjs', 'node_modules/vite/bin/vite.js')`,
  )
})
afterEach(() => rm(clone, { recursive: true }))

const writeLock = (version: string): Promise<void> =>
  writeFile(
    join(clone, 'package-lock.json'),
    JSON.stringify({ packages: { '': {}, 'node_modules/a': { version, integrity: `sha512-${version}` } } }),
  )

const install = async (): Promise<{ code: number; said: string }> => {
  const child = spawn(process.execPath, [join(clone, 'scripts/install.mjs')], {
    env: { ...process.env, npm_execpath: join(clone, 'npm.cjs'), npm_node_execpath: process.execPath },
  })
  let said = ''
  child.stderr.on('data', (chunk) => (said += chunk))
  const [code] = await once(child, 'close')
  return { code, said }
}

const linesOf = async (name: string): Promise<string[]> =>
  (await readFile(join(clone, name), 'utf8').catch(() => '')).split('\n').filter((line) => line !== '')

/** Of npm, and of Vite. */
const runs = (): Promise<string[]> => linesOf('runs')
const builds = (): Promise<string[]> => linesOf('builds')

const page = (): Promise<string> => readFile(join(clone, 'web/dist/index.html'), 'utf8')

test('The first run installs, the next does nothing, and a changed lock file installs again', async () => {
  expect(await install()).toMatchObject({ code: 0 })
  expect(await runs()).toEqual([expect.stringMatching(/^ci --ignore-scripts /)])
  expect(await install()).toEqual({ code: 0, said: '' })
  expect(await runs()).toHaveLength(1)
  await writeLock('2.0.0')
  expect(await install()).toMatchObject({ code: 0 })
  expect(await runs()).toHaveLength(2)
  expect(await readFile(join(clone, 'node_modules/.installed'), 'utf8')).toBe(
    createHash('sha256')
      .update(await readFile(join(clone, 'package-lock.json')))
      .digest('hex'),
  )
})

test('Of runs at the same time one installs and the others wait for it', async () => {
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

test('An installation that was killed half-way is taken over', async () => {
  await writeFile(join(clone, '.installing'), '4194304')
  expect(await install()).toMatchObject({ code: 0 })
  expect(await runs()).toHaveLength(1)
})

test('What npm install left by hand is recognised and kept', async () => {
  await mkdir(join(clone, 'node_modules/vite/bin'), { recursive: true })
  await copyFile(join(clone, 'vite.cjs'), join(clone, 'node_modules/vite/bin/vite.js'))
  await copyFile(join(clone, 'package-lock.json'), join(clone, 'node_modules/.package-lock.json'))
  expect(await install()).toMatchObject({ code: 0 })
  expect(await runs()).toEqual([])
})

test('When npm fails, its errors are shown and the next run tries again', async () => {
  await appendFile(join(clone, 'broken'), '')
  const { code, said } = await install()
  expect(code).toBe(1)
  expect(said).toContain('npm error 404')
  await rm(join(clone, 'broken'))
  expect(await install()).toMatchObject({ code: 0 })
  expect(await runs()).toHaveLength(2)
})

test('The pages are built once, and again when something that they are made of has changed', async () => {
  expect(await install()).toMatchObject({ code: 0 })
  expect(await page()).toBe('first')
  expect(await install()).toEqual({ code: 0, said: '' })
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

test('When the pages cannot be built, the errors are shown and those that there were stay', async () => {
  await install()
  await writeFile(join(clone, 'web/index.html'), 'broken')
  const { code, said } = await install()
  expect(code).toBe(1)
  expect(said).toContain('no such module')
  expect(await page()).toBe('first')
  await writeFile(join(clone, 'web/index.html'), 'mended')
  expect(await install()).toMatchObject({ code: 0 })
  expect(await page()).toBe('mended')
  await expect(access(join(clone, 'web/dist.new'))).rejects.toThrow()
})
