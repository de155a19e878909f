import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { appendFile, copyFile, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

let clone: string
beforeEach(async () => {
  clone = await mkdtemp(join(tmpdir(), 'numera-install-'))
  await mkdir(join(clone, 'scripts'))
  await copyFile(join(import.meta.dirname, 'install.mjs'), join(clone, 'scripts/install.mjs'))
  await writeLock('1.0.0')
  // Stands in for npm: empties node_modules, takes its time, and notes that it ran.
  await writeFile(
    join(clone, 'npm.cjs'),
    `const fs = require('node:fs')
     fs.rmSync('node_modules', { recursive: true, force: true })
     fs.appendFileSync('runs', process.argv.slice(2).join(' ') + '\\n')
     Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
     if (fs.existsSync('broken')) { console.error('npm error 404'); process.exit(1) }
     fs.mkdirSync('node_modules')`,
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

const runs = async (): Promise<string[]> =>
  (await readFile(join(clone, 'runs'), 'utf8').catch(() => '')).split('\n').filter((line) => line !== '')

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
  expect((await readdir(clone)).toSorted()).toEqual([
    'node_modules',
    'npm.cjs',
    'package-lock.json',
    'runs',
    'scripts',
  ])
})

test('An installation that was killed half-way is taken over', async () => {
  await writeFile(join(clone, '.installing'), '4194304')
  expect(await install()).toMatchObject({ code: 0 })
  expect(await runs()).toHaveLength(1)
})

test('What npm install left by hand is recognised and kept', async () => {
  await mkdir(join(clone, 'node_modules'))
  await copyFile(join(clone, 'package-lock.json'), join(clone, 'node_modules/.package-lock.json'))
  expect(await install()).toEqual({ code: 0, said: '' })
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
