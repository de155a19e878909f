import { type ChildProcess, spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startS3StandIn } from '../stand-ins/s3/start-s3-stand-in.ts'
import { freePort } from '../testing/process/free-port.ts'
import { entry, toEnvironment } from '../testing/process/run-operator-command.ts'
import { type Service, startService } from '../testing/process/start-service.ts'
import { openShop, type Shop } from '../testing/process/shop.ts'
import { readBlocks } from './guides/page.ts'

// The built-in database is backed up, lost and restored, as docs/guides/backup.md says.

const key = 'ab'.repeat(32)
const folder = await mkdtemp(join(tmpdir(), 'numera-backup-'))
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))

const numera = async (
  words: string[],
  environment: NodeJS.ProcessEnv,
): Promise<{ code: number | null; out: string; err: string }> => {
  const child = spawn(process.execPath, [entry, ...words], {
    // A checkout in which the demo was started has a master key in its data folder.
    env: toEnvironment({ DATABASE_URL: '', NUMERA_DATA_FOLDER: join(folder, 'none'), ...environment }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (text) => (out += String(text)))
  child.stderr.on('data', (text) => (err += String(text)))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, out, err }
}

interface Pushing {
  shop: Shop
  push(idempotencyKey: string): Promise<void>
}

const openPushing = async (at: Service): Promise<Pushing> => {
  const opened = await openShop(at)
  const sourceId = await opened.createSource()
  const { credential } = await opened.connect({ source_id: sourceId })
  return {
    shop: opened,
    push: async (idempotencyKey) => {
      const answer = await fetch(`${at.url}/v1/ingest`, {
        method: 'POST',
        headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          idempotency_key: idempotencyKey,
          shape_version: 1,
          payload: [{ at: '2026-02-01', amount: '5' }],
        }),
      })
      expect(answer.status).toBe(202)
    },
  }
}

const store = join(folder, 'store')
const backup = { NUMERA_BACKUP: pathToFileURL(store).href, NUMERA_BACKUP_KEY: key }

let service: Service
let shop: Shop
/** When everything that was pushed before was stored. */
let storedAt: string
beforeAll(async () => {
  service = await startService({
    words: ['serve'],
    isDatabaseNew: true,
    environment: { DATABASE_URL: '', ...backup },
  })
  const pushing = await openPushing(service)
  shop = pushing.shop
  await pushing.push('before')
  await service.command('backup')
  storedAt = new Date().toISOString()
  await pushing.push('after')
  await service.command('backup')
  await service.stop()
})
afterAll(() => service?.[Symbol.asyncDispose]())

let restores = 0
const restore = (to: string, environment: NodeJS.ProcessEnv = backup, target?: string) => {
  const restored = target ?? join(folder, `restored-${++restores}`)
  return numera(['restore', '--to', to, '--folder', restored, '--json'], environment)
}

const list = (prefix: string): Promise<string[]> =>
  readdir(join(store, prefix), { recursive: true, withFileTypes: true }).then((entries) =>
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted(),
  )

const chunkBytes = 262_144

/** A chunk that every base consists of: the first of a large table of `template0`, which never changes. */
const findLastingChunk = async (): Promise<string> => {
  const content = await readFile(join(service.dataFolder, 'postgres/base/4/1255'))
  const sha256 = hash('sha256', content.subarray(0, chunkBytes))
  return (await list('chunks')).find((path) => path.endsWith(sha256))!
}

/** Without an object, or with another content, until `act` is done. */
const withObject = async (
  path: string,
  content: Uint8Array | undefined,
  act: () => Promise<void>,
): Promise<void> => {
  const kept = join(folder, 'kept')
  await rename(path, kept)
  if (content !== undefined) await writeFile(path, content)
  await act()
  await rename(kept, path)
}

test('an instant is restored with what was pushed before it and nothing later, and no tokens are issued', async () => {
  const target = join(folder, 'instant')
  const { code, out } = await restore(storedAt, backup, target)
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({ restored_to: storedAt, sources_that_differ: 0 })
  const listed = await numera(['delivery', 'list', '--company', shop.company.orgnr, '--json'], {
    NUMERA_DATA_FOLDER: target,
  })
  expect(listed.out).toContain('before')
  expect(listed.out).not.toContain('after')
  const { out: tokens } = await numera(['tokens', 'status'], { NUMERA_DATA_FOLDER: target })
  expect(tokens).toContain('No tokens have been issued')
})

test('what cannot be restored is refused before anything is written, with what there is', async () => {
  const refuse = async (running: ReturnType<typeof restore>, sentence: string): Promise<void> => {
    const { code, out, err } = await running
    expect(err).toContain(sentence)
    expect({ code, out }).toEqual({ code: 1, out: '' })
  }
  await refuse(restore('2020-01-01T00:00:00Z'), 'Nothing before the end of the first base can be restored')
  await refuse(restore(new Date(Date.now() + 3_600_000).toISOString()), 'The stored log ends at 20')
  await refuse(restore('yesterday'), 'an instant with its offset')
  await refuse(
    restore('latest', { ...backup, NUMERA_BACKUP_KEY: 'cd'.repeat(32) }),
    'sealed with another key',
  )
  await refuse(restore('latest', { NUMERA_BACKUP: backup.NUMERA_BACKUP }), 'The key of the backup is needed')
  await refuse(restore('latest', {}), 'Nothing is backed up')
  await refuse(restore('latest', backup, service.dataFolder), 'is not empty')
  await refuse(
    restore('latest', { ...backup, NUMERA_BACKUP: pathToFileURL(join(folder, 'none')).href }),
    'There is no base',
  )
  for (let number = 1; number <= restores; number++)
    await expect(readdir(join(folder, `restored-${number}`))).rejects.toMatchObject({ code: 'ENOENT' })
})

test('a missing or altered object is named by the check, and a restore that needs it leaves nothing', async () => {
  const chunk = await findLastingChunk()
  const segment = (await list('wal')).at(-2)!
  const other = (await list('chunks')).find((path) => path !== chunk)!
  const faults: [string, Uint8Array | undefined, string][] = [
    [chunk, undefined, 'is missing'],
    [chunk, await readFile(other), 'does not open'],
    [chunk, (await readFile(chunk)).subarray(1), 'does not open'],
    [segment, undefined, 'is missing'],
  ]
  for (const [path, content, sentence] of faults) {
    await withObject(path, content, async () => {
      const { code, out } = await numera(['backup', 'check'], backup)
      expect(out).toContain(sentence)
      expect(code).toBe(1)
      if (path === segment) return
      const target = join(folder, 'faulty')
      expect((await restore('latest', backup, target)).err).toContain(sentence)
      expect(await readdir(target)).toEqual([])
    })
  }
  const { code, out } = await numera(['backup', 'check'], backup)
  expect(out).toContain('can be restored')
  expect(code).toBe(0)
})

test('a copy that is taken after a check found an altered object sends that object again', async () => {
  const chunk = await findLastingChunk()
  await writeFile(chunk, (await readFile(chunk)).subarray(1))
  expect((await numera(['backup', 'check'], backup)).code).toBe(1)
  const own = { ...backup, NUMERA_DATA_FOLDER: service.dataFolder }
  expect((await numera(['backup'], own)).err).toBe('')
  expect((await numera(['backup', 'check'], backup)).code).toBe(0)
})

test('once the key was changed, processes with the old one are refused, and old copies still open', async () => {
  const changed = { ...backup, NUMERA_BACKUP_KEY: 'ef'.repeat(32), NUMERA_BACKUP_KEY_PREVIOUS: key }
  expect((await numera(['backup', 'check'], changed)).code).toBe(0)
  const { err } = await numera(['backup', 'list'], backup)
  expect(err).toContain('sealed with another key')
  expect((await restore('latest', changed)).code).toBe(0)
  // Back again, for the other tests.
  const back = { ...backup, NUMERA_BACKUP_KEY_PREVIOUS: changed.NUMERA_BACKUP_KEY }
  expect((await numera(['backup', 'list'], back)).code).toBe(0)
})

test('with a bucket that is full, cut off or lying the service accepts deliveries, and the check finds what is missing', async () => {
  await using s3 = await startS3StandIn()
  const port = await freePort()
  await using bucketed = await startService({
    words: ['serve'],
    isDatabaseNew: true,
    environment: {
      DATABASE_URL: '',
      ...s3.environment,
      NUMERA_BACKUP_KEY: key,
      NUMERA_METRICS_PORT: String(port),
    },
  })
  const { push } = await openPushing(bucketed)
  await bucketed.command('backup')
  s3.misbehave({ fault: 'full', times: 1_000 })
  await push('while full')
  const full = await numera(['backup'], bucketed.environment)
  expect(full.err).not.toBe('')
  expect(full.err).not.toContain(s3.credentials.secretAccessKey)
  const listWaiting = async (): Promise<string[]> =>
    (await readdir(join(bucketed.dataFolder, 'archive')))
      .filter((name) => /^[\dA-F]{24}$/.test(name))
      .toSorted()
  await expect.poll(listWaiting).not.toEqual([])
  // Both the service and the command may store it: neither of them does.
  const [waiting] = await listWaiting()
  s3.behave()
  s3.misbehave({ fault: 'lying', method: 'PUT', path: new RegExp(`/${waiting}$`), times: 1_000 })
  await push('while lying')
  await bucketed.command('backup')
  s3.behave()
  const { code, out } = await numera(['backup', 'check'], bucketed.environment)
  expect(out).toContain(`the segment ${waiting} is missing`)
  expect(code).toBe(1)
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  expect(metrics).toMatch(/numera_backup_age_seconds \d/)
})

test('a reader of the guide loses the demo and has it back as it was', async () => {
  const page = 'docs/guides/backup.md'
  const blocks = readBlocks(page, await readFile(join(import.meta.dirname, '..', page), 'utf8'))
  const home = join(folder, 'home')
  await mkdir(home)
  const environment: Record<string, string> = {
    HOME: home,
    NUMERA_HTTP_PORT: String(await freePort()),
    NUMERA_METRICS_PORT: '0',
  }
  let demo: ChildProcess | undefined
  const stop = async (): Promise<void> => {
    if (demo === undefined) return
    const ended = once(demo, 'exit')
    demo.kill('SIGTERM')
    await ended
    demo = undefined
  }
  const options = () => ({ cwd: home, env: toEnvironment({ DATABASE_URL: '', ...environment }) })
  const start = async (): Promise<void> => {
    demo = spawn(process.execPath, [entry, 'demo'], { ...options(), stdio: ['ignore', 'pipe', 'inherit'] })
    const started = Promise.withResolvers<void>()
    demo.stdout!.on('data', (text) => {
      if (String(text).includes('Press Ctrl-C')) started.resolve()
    })
    demo.once('exit', () => started.reject(new Error('the demo did not start')))
    await started.promise
  }
  const run = async (script: string): Promise<string> => {
    const functions = `numera() { "${process.execPath}" "${entry}" "$@"; }\nnode() { "${process.execPath}" "$@"; }\nset -e\n`
    const child = spawn('bash', ['-c', `${functions}${script}env >"$HOME/environment"`], {
      ...options(),
      stdio: 'pipe',
    })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (text += String(part)))
    const [code] = (await once(child, 'close')) as [number]
    expect(code, `${script}${text}`).toBe(0)
    for (const line of (await readFile(join(home, 'environment'), 'utf8')).split('\n')) {
      const [, name, value] = /^(NUMERA_BACKUP\w*|INSTANT)=(.*)$/.exec(line) ?? []
      if (name !== undefined) environment[name] = value!
    }
    return text
  }
  try {
    for (const { text } of blocks.filter((block) => block.role === 'not-run')) {
      if (text.startsWith('npm start')) await start()
      else if (text.startsWith('rm -r')) {
        environment['INSTANT'] = new Date().toISOString()
        await stop()
        await run(text)
      } else await run(text)
    }
    const companies = JSON.parse(
      await run('numera company list --json >"$HOME/companies"; cat "$HOME/companies";\n'),
    )
    expect(companies.companies.length).toBeGreaterThan(1)
  } finally {
    await stop()
  }
})
