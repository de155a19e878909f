import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startEmbedded } from './embedded.ts'
import { readPostmasterFile } from './embedded/postmaster-file.ts'
import { findRunningEmbedded } from './find-running-embedded.ts'
import { processStart } from './embedded/process-start.ts'

let folder: string
let dataFolder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'numera-embedded-'))
  // The database's own user passes through.
  await chmod(folder, 0o711)
  dataFolder = join(folder, 'data')
})
afterAll(() => rm(folder, { recursive: true }))

const query = async (url: string, sql: string): Promise<Record<string, unknown>[]> => {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** Starts a service in a process of its own; settles when it is up. It prints its database's URL. */
const startElsewhere = async (
  environment: NodeJS.ProcessEnv = process.env,
): Promise<{ child: ChildProcess; url: string }> => {
  const program = `
    import { startEmbedded } from ${JSON.stringify(join(import.meta.dirname, 'embedded.ts'))}
    const database = await startEmbedded({ dataFolder: ${JSON.stringify(dataFolder)} })
    process.stdout.write(database.url)
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const died = once(child, 'exit').then(() => Promise.reject(new Error('the service did not start')))
  const [url] = await Promise.race([once(child.stdout!, 'data'), died])
  died.catch(() => {})
  return { child, url: String(url) }
}

const runningPid = (): number | undefined => readPostmasterFile(join(dataFolder, 'postgres'))?.pid

const waitUntil = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  for (let tries = 0; !(await holds()); tries++) {
    if (tries > 500) throw new Error('waited in vain')
    await sleep(20)
  }
}

// One after another on one data folder, as in the life of a deployment.
describe('The embedded database', () => {
  test('is made on first use, and its data is there the next time', async () => {
    {
      await using database = await startEmbedded({ dataFolder })
      expect(database.pid).toBe(runningPid())
      await query(database.url, 'create table kept (id integer)')
      await query(database.url, 'insert into kept values (1)')
    }
    expect(runningPid()).toBeUndefined()
    await using database = await startEmbedded({ dataFolder })
    expect(await query(database.url, 'select id from kept')).toEqual([{ id: 1 }])
  })

  test('keeps what was committed on disk, takes no port, and the service is no superuser', async () => {
    await using database = await startEmbedded({ dataFolder })
    const settings = ['fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums', 'listen_addresses']
    const [row] = await query(
      database.url,
      `select ${settings.map((name) => `current_setting('${name}') as ${name}`).join(', ')}, usesuper as superuser
       from pg_user where usename = current_user`,
    )
    expect(row).toEqual({
      fsync: 'on',
      synchronous_commit: 'on',
      full_page_writes: 'on',
      data_checksums: 'on',
      listen_addresses: '',
      superuser: false,
    })
    expect((await stat(join(dataFolder, 'postgres.password'))).mode & 0o777).toBe(0o600)
    expect((await stat(join(dataFolder, 'socket'))).mode & 0o777).toBe(0o700)
    await expect(query(database.url.replace(/:[^:@]*@/, ':wrong@'), 'select 1')).rejects.toThrow('password')
  })

  test('refuses a folder that another service uses, and says which', async () => {
    await using database = await startEmbedded({ dataFolder })
    expect(database.pid).toBeGreaterThan(0)
    await expect(startEmbedded({ dataFolder })).rejects.toThrow(
      `${dataFolder} is in use by another Numera service`,
    )
  })

  test('is found by a command that runs next to the service, and only while the service runs', async () => {
    {
      await using database = await startEmbedded({ dataFolder })
      const { url, adminUrl } = database
      expect(await findRunningEmbedded(dataFolder)).toEqual({ url, adminUrl })
    }
    expect(await findRunningEmbedded(dataFolder)).toBeUndefined()
    expect(await findRunningEmbedded(join(folder, 'nothing'))).toBeUndefined()
  })

  test('is not fooled by a lock whose process number belongs to another process now', async () => {
    await writeFile(join(dataFolder, 'service.lock'), JSON.stringify({ pid: process.pid, start: 'long ago' }))
    await using database = await startEmbedded({ dataFolder })
    expect(database.pid).toBeGreaterThan(0)
  })

  test('is not fooled by a postmaster.pid whose number belongs to another process now', async () => {
    const file = join(dataFolder, 'postgres/postmaster.pid')
    await writeFile(file, `${process.pid}\n${join(dataFolder, 'postgres')}\n`)
    await using database = await startEmbedded({ dataFolder })
    expect(database.pid).not.toBe(process.pid)
  })

  test('comes up again at the same address when it crashes', async () => {
    await using database = await startEmbedded({ dataFolder })
    const before = database.pid!
    process.kill(before, 'SIGKILL')
    await waitUntil(() =>
      query(database.url, 'select 1').then(
        () => database.pid !== before,
        () => false,
      ),
    )
    expect(await query(database.url, 'select id from kept')).toEqual([{ id: 1 }])
  })

  test('shuts down by itself when the service is killed, and recovers', async () => {
    const { child, url } = await startElsewhere()
    await query(url, 'insert into kept values (2)')
    const postmaster = runningPid()!
    child.kill('SIGKILL')
    await once(child, 'exit')
    // Immediately: the next start waits for the one that is still shutting down.
    await using database = await startEmbedded({ dataFolder })
    expect(database.pid).not.toBe(postmaster)
    expect(await query(database.url, 'select id from kept order by id')).toEqual([{ id: 1 }, { id: 2 }])
  })

  test('recovers when the service and the database are killed together', async () => {
    const { child, url } = await startElsewhere()
    await query(url, 'insert into kept values (3)')
    const postmaster = runningPid()!
    child.kill('SIGKILL')
    process.kill(postmaster, 'SIGKILL')
    await once(child, 'exit')
    await using database = await startEmbedded({ dataFolder })
    expect(await query(database.url, 'select max(id) from kept')).toEqual([{ max: 3 }])
    expect(await readFile(join(dataFolder, 'postgres.log'), 'utf8')).toContain(
      'automatic recovery in progress',
    )
  })

  test('stops a database that an earlier service left running', async () => {
    // A setpriv that does not tie the database's life to the service's, as if there were none.
    const programs = join(folder, 'programs')
    await mkdir(programs)
    const untied = '#!/bin/sh\nshift\nPATH=${PATH#*:}\nexec setpriv --pdeathsig=clear "$@"\n'
    await writeFile(join(programs, 'setpriv'), untied, { mode: 0o755 })
    const path = `${programs}:${process.env['PATH']}`
    const { child, url } = await startElsewhere({ ...process.env, PATH: path })
    await query(url, 'insert into kept values (4)')
    const left = runningPid()!
    child.kill('SIGKILL')
    await once(child, 'exit')
    await sleep(200)
    expect(processStart(left)).toBeDefined()

    const said: string[] = []
    await using database = await startEmbedded({ dataFolder, log: (message) => said.push(message) })
    expect(said).toEqual([`stopping the database that an earlier service left running (process ${left})`])
    expect(processStart(left)).toBeUndefined()
    expect(await query(database.url, 'select max(id) from kept')).toEqual([{ max: 4 }])
  })

  test('keeps its socket elsewhere when the folder’s path is too long for one', async () => {
    const deep = join(folder, 'a'.repeat(100))
    await using database = await startEmbedded({ dataFolder: deep })
    expect(await query(database.url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('says so when it cannot start, and gives the folder back', async () => {
    const start = startEmbedded({ dataFolder, settings: { shared_buffers: 'plenty' } })
    await expect(start).rejects.toThrow(/did not start:[^]*shared_buffers/)
    await using database = await startEmbedded({ dataFolder })
    expect(database.pid).toBeGreaterThan(0)
  })

  test('refuses data of another major version', async () => {
    const file = join(dataFolder, 'postgres/PG_VERSION')
    const version = await readFile(file, 'utf8')
    await writeFile(file, '17\n')
    await expect(startEmbedded({ dataFolder })).rejects.toThrow('was made by PostgreSQL 17, this is 18')
    await writeFile(file, version)
  })
})
