import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chown, mkdir, mkdtemp, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { secretFile } from '../secret-file.ts'
import { addresses, serviceName } from './embedded/addresses.ts'
import { locateBinaries } from './embedded/binaries.ts'
import { createCluster } from './embedded/create-cluster.ts'
import { lockFolder } from './embedded/lock-folder.ts'
import { readPostmasterFile } from './embedded/postmaster-file.ts'
import { embeddedSettings, type PostgresSettings } from './embedded/settings.ts'
import { stopOrphans } from './embedded/stop-orphans.ts'
import { unprivilegedCommand, unprivilegedUser, type User } from './embedded/unprivileged.ts'

export interface EmbeddedOptions {
  /** Made where it is not there; holds the database, its password, its log and the service's lock. */
  dataFolder: string
  /** Beside or instead of the usual ones (`embedded/settings.ts`). */
  settings?: PostgresSettings
  log?: (message: string) => void
}

export interface EmbeddedDatabase extends AsyncDisposable {
  /** For the service: the owner of its own database, no superuser. */
  readonly url: string
  /** For making further databases: the superuser. */
  readonly adminUrl: string
  /** Of the postmaster that runs now; undefined while a new one is on its way after a crash. */
  readonly pid: number | undefined
  /** Ends connections, writes a checkpoint, and gives the folder back. Safe to call twice. */
  stop(): Promise<void>
}

/** The major version that the installed programs belong to. */
const majorVersion = '18'
const pollMs = 10
/** Replaying a full log after a crash takes seconds; a slow disk may take minutes. */
const startMsMax = 10 * 60_000
const stopMsMax = 60_000
const logBytesMax = 10 * 1024 * 1024
const restartDelayMs = 100
const restartDelayMsMax = 10_000
/** A Unix socket's path holds 103 bytes where it holds least (macOS); the name in the folder takes 18. */
const socketFolderBytesMax = 103 - '/.s.PGSQL.5432'.length

/** Where the socket is: beside the data, or where that path is too long, in a folder of its own. */
const chooseSocketFolder = async (dataFolder: string): Promise<string> => {
  const beside = join(dataFolder, 'socket')
  if (Buffer.byteLength(beside) <= socketFolderBytesMax) return beside
  return mkdtemp(join(await realpath(tmpdir()), 'numera-'))
}

/**
 * Makes the folder anew, so that only the database's user (and root) may enter, and empty: a socket's own lock
 * left there would be believed, even when its process number is somebody else's by now.
 */
const emptySocketFolder = async (folder: string, user: User | undefined): Promise<void> => {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { mode: 0o700 })
  if (user) await chown(folder, user.uid, user.gid)
}

/** The version file of the cluster; undefined where there is no cluster yet. */
const clusterVersion = async (cluster: string): Promise<string | undefined> => {
  try {
    return (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    if (code !== 'EACCES') throw error
    throw new Error(`the database in ${cluster} belongs to another user; start as root or as that user`, {
      cause: error,
    })
  }
}

const openLog = async (path: string): Promise<Awaited<ReturnType<typeof open>>> => {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  )
  if (size > logBytesMax) await rename(path, `${path}.1`)
  return open(path, 'a', 0o600)
}

const lastLines = async (path: string): Promise<string> =>
  (await readFile(path, 'utf8')).trimEnd().split('\n').slice(-5).join('\n')

const isReady = (cluster: string, pid: number): boolean => {
  const file = readPostmasterFile(cluster)
  return file?.pid === pid && file.ready
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

/** Makes the service's own role and database where they are missing. */
const provision = async (adminUrl: string, password: string): Promise<void> => {
  const client = new Client({ connectionString: adminUrl })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows: roles } = await client.query('select from pg_roles where rolname = $1', [serviceName])
    // The password is base64url, so nothing in it ends the literal.
    if (roles.length === 0) await client.query(`create role ${serviceName} login password '${password}'`)
    const { rows } = await client.query('select from pg_database where datname = $1', [serviceName])
    if (rows.length === 0) await client.query(`create database ${serviceName} owner ${serviceName}`)
  } finally {
    await client.end()
  }
}

/**
 * Starts the PostgreSQL that npm installed, on its data in `dataFolder`, and keeps it running: should it crash it
 * is started again, at the same address. Where this process dies, it shuts down by itself (Linux) or is stopped
 * by the next start. Call from the main thread, since it lives as long as the thread that started it.
 */
export const startEmbedded = async (options: EmbeddedOptions): Promise<EmbeddedDatabase> => {
  const log = options.log ?? (() => {})
  const asRoot = process.getuid?.() === 0
  // Others may pass through on the way to the cluster, which has a mode of its own, but not look around.
  await mkdir(options.dataFolder, { recursive: true, mode: asRoot ? 0o711 : 0o700 })
  const dataFolder = await realpath(resolve(options.dataFolder))
  const lock = await lockFolder(dataFolder)
  try {
    return await startLocked(dataFolder, options.settings ?? {}, log, lock.release)
  } catch (error) {
    await lock.release()
    throw error
  }
}

const startLocked = async (
  dataFolder: string,
  settings: PostgresSettings,
  log: (message: string) => void,
  release: () => Promise<void>,
): Promise<EmbeddedDatabase> => {
  const cluster = join(dataFolder, 'postgres')
  const logPath = join(dataFolder, 'postgres.log')
  const binaries = locateBinaries(join(dataFolder, 'lib'))
  const user = unprivilegedUser(cluster)
  // Nothing of ours: a PGPORT or PGDATA meant for another database would lead this one astray.
  const environment: NodeJS.ProcessEnv = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' }
  if (binaries.librariesFolder) environment['LD_LIBRARY_PATH'] = binaries.librariesFolder

  const password = await secretFile(join(dataFolder, 'postgres.password'), () =>
    randomBytes(24).toString('base64url'),
  )
  const version = await clusterVersion(cluster)
  if (version === undefined) {
    await createCluster({ initdb: binaries.initdb, environment, cluster, password, user })
    log(`made a new database in ${cluster}`)
  } else if (version !== majorVersion) {
    throw new Error(
      `the database in ${cluster} was made by PostgreSQL ${version}, this is ${majorVersion}: ` +
        `dump it with the older version and load it into a new folder`,
    )
  }

  const socketFolder = await chooseSocketFolder(dataFolder)
  const { url, adminUrl } = addresses(socketFolder, password)

  let child: ChildProcess | undefined
  let stopped: Promise<void> | undefined

  const launch = async (): Promise<ChildProcess> => {
    await stopOrphans(cluster, log)
    await emptySocketFolder(socketFolder, user)
    const allSettings = { ...embeddedSettings(), unix_socket_directories: socketFolder, ...settings }
    const command = unprivilegedCommand({
      program: binaries.postgres,
      args: [
        '-D',
        cluster,
        ...Object.entries(allSettings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      paths: [cluster, socketFolder],
      user,
      signal: 'INT',
    })
    const logFile = await openLog(logPath)
    const started = spawn(command.file, command.args, {
      env: environment,
      cwd: '/',
      stdio: ['ignore', logFile.fd, logFile.fd],
      // Ctrl-C goes to every process of the terminal's group; the service ends the database itself, last.
      detached: true,
      ...command.user,
    })
    await once(started, 'spawn').finally(() => logFile.close())
    child = started
    for (const untilMs = performance.now() + startMsMax; !isReady(cluster, started.pid!);) {
      if (hasEnded(started)) throw new Error(`the database did not start:\n${await lastLines(logPath)}`)
      if (performance.now() > untilMs) {
        started.kill('SIGQUIT')
        throw new Error(`the database was not ready within ${startMsMax / 60_000} minutes; see ${logPath}`)
      }
      await sleep(pollMs)
    }
    return started
  }

  const keepRunning = (running: ChildProcess): void => {
    running.once('exit', (code, signal) => {
      if (stopped) return
      log(`the database ended unexpectedly (${signal ?? code}); starting it again`)
      void relaunch()
    })
  }

  /** Settles once the database is up again, or `stop` was called. */
  const relaunch = async (): Promise<void> => {
    for (let delayMs = restartDelayMs; ; delayMs = Math.min(2 * delayMs, restartDelayMsMax)) {
      if (stopped) return
      try {
        const running = await (launching = launch())
        log('the database is up again')
        if (hasEnded(running)) continue
        keepRunning(running)
        return
      } catch (error) {
        log((error as Error).message)
        await sleep(delayMs)
      }
    }
  }

  const stop = async (): Promise<void> => {
    // One that is on its way would outlive us.
    await launching.catch(() => {})
    if (child && !hasEnded(child)) {
      const ended = once(child, 'exit')
      child.kill('SIGINT')
      const impatient = setTimeout(() => child?.kill('SIGQUIT'), stopMsMax)
      await ended
      clearTimeout(impatient)
    }
    if (!socketFolder.startsWith(dataFolder)) await rm(socketFolder, { recursive: true, force: true })
    await release()
  }

  let launching = launch()
  try {
    const running = await launching
    await provision(adminUrl, password)
    keepRunning(running)
  } catch (error) {
    stopped = stop()
    await stopped
    throw error
  }

  const stopOnce = (): Promise<void> => (stopped ??= stop())
  return {
    url,
    adminUrl,
    get pid() {
      return child && !hasEnded(child) ? child.pid : undefined
    },
    stop: stopOnce,
    [Symbol.asyncDispose]: stopOnce,
  }
}
