import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chown, mkdir, mkdtemp, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { existingSecretFile, secretFile } from '../config/secret-file.ts'
import { addresses, serviceName } from './embedded/addresses.ts'
import { locateBinaries, type Binaries } from './embedded/binaries.ts'
import { createCluster } from './embedded/create-cluster.ts'
import { lockFolder } from './embedded/lock-folder.ts'
import { findOwnPostmaster, startedPostmaster, type Postmaster } from './embedded/postmaster.ts'
import { readPostmasterFile } from './embedded/postmaster-file.ts'
import { archiveSettings, embeddedSettings, type PostgresSettings } from './embedded/settings.ts'
import { stopOrphans } from './embedded/stop-orphans.ts'
import { unprivilegedCommand, unprivilegedUser, type User } from './embedded/unprivileged.ts'

export interface EmbeddedOptions {
  /** Created if missing; holds the database, its password, its log and the service's lock. */
  dataFolder: string
  /** Added to the usual ones (`embedded/settings.ts`), or replacing them. */
  settings?: PostgresSettings
  /** Finished segments of the database's log are copied into `archive`, from where a backup takes them. */
  archives?: boolean
  log?: (message: string) => void
}

export interface EmbeddedDatabase extends AsyncDisposable {
  /** For the service: the owner of its own database, no superuser. */
  readonly url: string
  /** For creating further databases: the superuser. */
  readonly adminUrl: string
  /** Of the running postmaster; undefined while a new one is being started after a crash. */
  readonly pid: number | undefined
  /** Ends connections, writes a checkpoint, and unlocks the folder. Safe to call twice. */
  stop(): Promise<void>
}

/** The major version that the installed programs belong to. */
export const majorVersion = '18'
const pollMs = 10
/**
 * How long the database may take to start, in milliseconds. Then it is stopped, and the start of the service
 * fails. Replaying a full log after a crash takes seconds; a slow disk may take minutes.
 */
const startMsMax = 10 * 60_000

/**
 * How long the database may take for an orderly stop, with a checkpoint, in milliseconds. Then it is stopped
 * without one, and recovers from its log at the next start; nothing that was committed is lost.
 */
const embeddedStopMsMax = 6_000

/**
 * How long it may take to stop without a checkpoint, in milliseconds. Then it is killed, since a frozen process does not
 * react.
 */
const embeddedQuitMsMax = 1_500

/**
 * How long connecting, or a statement, may take while its role and database are created, in milliseconds. Then the
 * start fails.
 */
const provisionMsMax = 60_000
/**
 * Bytes of the database's log. A longer one is moved to `postgres.log.1` when the database starts, replacing the one
 * there.
 */
const logBytesMax = 10 * 1024 * 1024
const restartDelayMs = 100
const restartDelayMsMax = 10_000
/** A Unix socket's path has at most 103 bytes on macOS, the least of all; the file name takes some of them. */
const socketFolderBytesMax = 103 - '/.s.PGSQL.5432'.length

/** The socket's folder: next to the data or, if that path is too long, a temporary one. */
async function chooseSocketFolder(dataFolder: string): Promise<string> {
  const inFolder = join(dataFolder, 'socket')
  if (Buffer.byteLength(inFolder) <= socketFolderBytesMax) return inFolder
  return mkdtemp(join(await realpath(tmpdir()), 'numera-'))
}

/**
 * Recreates the folder, empty and for the database's user (and root) only: a socket's lock file left there would be
 * believed even if its process number belongs to another process by now.
 */
async function emptySocketFolder(folder: string, user: User | undefined): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { mode: 0o700 })
  if (user) await chown(folder, user.uid, user.gid)
}

/** The cluster's PostgreSQL version; undefined if there is no cluster yet. */
async function clusterVersion(cluster: string): Promise<string | undefined> {
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

/** Whether this data folder has a database. */
export async function hasCluster(dataFolder: string): Promise<boolean> {
  return (await clusterVersion(join(dataFolder, 'postgres'))) !== undefined
}

async function openLog(path: string): Promise<Awaited<ReturnType<typeof open>>> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  )
  if (size > logBytesMax) await rename(path, `${path}.1`)
  return open(path, 'a', 0o600)
}

async function lastLines(path: string): Promise<string> {
  return (await readFile(path, 'utf8')).trimEnd().split('\n').slice(-5).join('\n')
}

function isReady(cluster: string, pid: number): boolean {
  const file = readPostmasterFile(cluster)
  return file?.pid === pid && file.ready
}

/** Creates the service's own role and database if they are missing. */
async function provision(adminUrl: string, password: string): Promise<void> {
  const client = new Client({
    connectionString: adminUrl,
    connectionTimeoutMillis: provisionMsMax,
    query_timeout: provisionMsMax,
  })
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

/** Creates the folder for finished segments of the log. */
async function prepareArchive(dataFolder: string, user: User | undefined): Promise<PostgresSettings> {
  const folder = join(dataFolder, 'archive')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (user) await chown(folder, user.uid, user.gid)
  return archiveSettings(folder)
}

/** Where a database is, and what it is started with. */
interface Place {
  dataFolder: string
  cluster: string
  logPath: string
  socketFolder: string
  password: string
  binaries: Binaries
  /** The user it runs as; undefined for that of this process. */
  user: User | undefined
  environment: NodeJS.ProcessEnv
  settings: PostgresSettings
  /** The one that this process started before it replaced itself. */
  own: Postmaster | undefined
  log: (message: string) => void
}

/** Creates the cluster if there is none, and finds what is needed to start it. */
async function prepare(
  dataFolder: string,
  { settings, archives = false }: Pick<EmbeddedOptions, 'settings' | 'archives'>,
  log: (message: string) => void,
): Promise<Place> {
  const cluster = join(dataFolder, 'postgres')
  const binaries = locateBinaries(join(dataFolder, 'lib'))
  const user = unprivilegedUser(cluster)
  // Not our own environment: a PGPORT or PGDATA meant for another database would mislead this one.
  const environment: NodeJS.ProcessEnv = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' }
  if (binaries.librariesFolder) environment['LD_LIBRARY_PATH'] = binaries.librariesFolder

  const passwordFile = join(dataFolder, 'postgres.password')
  const version = await clusterVersion(cluster)
  const password =
    version === undefined
      ? await secretFile(passwordFile, () => randomBytes(24).toString('base64url'))
      : await existingSecretFile(
          passwordFile,
          'the password of the database in the same folder: restore the file from a backup. ' +
            'If it is lost, start over with another NUMERA_DATA_FOLDER.',
        )
  if (version === undefined) {
    await createCluster({ initdb: binaries.initdb, environment, cluster, password, user })
    log(`made a new database in ${cluster}`)
  } else if (version !== majorVersion) {
    throw new Error(
      `the database in ${cluster} was made by PostgreSQL ${version}, this is ${majorVersion}: ` +
        `dump it with the older version and load it into a new folder`,
    )
  }
  const own = findOwnPostmaster(cluster)
  return {
    dataFolder,
    cluster,
    logPath: join(dataFolder, 'postgres.log'),
    socketFolder: own?.socketFolder ?? (await chooseSocketFolder(dataFolder)),
    password,
    binaries,
    user,
    environment,
    settings: { ...(archives ? await prepareArchive(dataFolder, user) : {}), ...settings },
    own: own?.postmaster,
    log,
  }
}

/** Starts the server process; it is not ready yet. */
async function launch(place: Place): Promise<Postmaster> {
  const { cluster, socketFolder, user } = place
  await stopOrphans(cluster, place.log)
  await emptySocketFolder(socketFolder, user)
  const settings = { ...embeddedSettings(), unix_socket_directories: socketFolder, ...place.settings }
  const command = unprivilegedCommand({
    program: place.binaries.postgres,
    args: ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    paths: [cluster, socketFolder],
    user,
    signal: 'INT',
  })
  const logFile = await openLog(place.logPath)
  const started = spawn(command.file, command.args, {
    env: place.environment,
    cwd: '/',
    stdio: ['ignore', logFile.fd, logFile.fd],
    // Ctrl-C reaches every process in the terminal's group; the service ends the database itself, last.
    detached: true,
    ...command.user,
  })
  await once(started, 'spawn').finally(() => logFile.close())
  return startedPostmaster(started)
}

/** @throws Error if it ends before it is ready, or is not ready in time */
async function untilReady({ cluster, logPath }: Place, postmaster: Postmaster): Promise<Postmaster> {
  for (const untilMs = performance.now() + startMsMax; !isReady(cluster, postmaster.pid);) {
    if (postmaster.hasEnded()) throw new Error(`the database did not start:\n${await lastLines(logPath)}`)
    if (performance.now() > untilMs) {
      postmaster.kill('SIGQUIT')
      throw new Error(`the database was not ready within ${startMsMax / 60_000} minutes; see ${logPath}`)
    }
    await sleep(pollMs)
  }
  return postmaster
}

/** Whether it ends within `ms` milliseconds. */
async function endsWithin({ ended }: Postmaster, ms: number): Promise<boolean> {
  const timer = new AbortController()
  const late = sleep(ms, false, { signal: timer.signal }).catch(() => false)
  return Promise.race([ended.then(() => true), late]).finally(() => timer.abort())
}

class Embedded implements EmbeddedDatabase {
  readonly url: string
  readonly adminUrl: string
  readonly #place: Place
  readonly #release: () => Promise<void>
  #current: Postmaster | undefined
  #launching: Promise<Postmaster>
  #stopped: Promise<void> | undefined

  private constructor(place: Place, release: () => Promise<void>) {
    this.#place = place
    this.#release = release
    const { url, adminUrl } = addresses(place.socketFolder, place.password)
    this.url = url
    this.adminUrl = adminUrl
    this.#current = place.own
    if (place.own !== undefined) {
      place.log(`taking over the database that this process had started (process ${place.own.pid})`)
    }
    this.#launching = place.own === undefined ? this.#launch() : untilReady(place, place.own)
  }

  static async start(place: Place, release: () => Promise<void>): Promise<Embedded> {
    const database = new Embedded(place, release)
    try {
      const running = await database.#launching
      await provision(database.adminUrl, place.password)
      void database.#keepRunning(running)
      return database
    } catch (error) {
      await database.stop()
      throw error
    }
  }

  get pid(): number | undefined {
    return this.#current === undefined || this.#current.hasEnded() ? undefined : this.#current.pid
  }

  stop(): Promise<void> {
    return (this.#stopped ??= this.#stop())
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }

  async #launch(): Promise<Postmaster> {
    this.#current = await launch(this.#place)
    return untilReady(this.#place, this.#current)
  }

  async #keepRunning(running: Postmaster): Promise<void> {
    const how = await running.ended
    if (this.#stopped) return
    this.#place.log(`the database ended unexpectedly (${how}); starting it again`)
    await this.#relaunch()
  }

  /** Settles once the database is up again, or `stop` was called. */
  async #relaunch(): Promise<void> {
    const { log } = this.#place
    for (let delayMs = restartDelayMs; ; delayMs = Math.min(2 * delayMs, restartDelayMsMax)) {
      if (this.#stopped) return
      try {
        const running = await (this.#launching = this.#launch())
        log('the database is up again')
        if (running.hasEnded()) continue
        void this.#keepRunning(running)
        return
      } catch (error) {
        log((error as Error).message)
        await sleep(delayMs)
      }
    }
  }

  async #stop(): Promise<void> {
    const { dataFolder, socketFolder } = this.#place
    // A database that is still starting would outlive this process.
    await this.#launching.catch(() => {})
    const current = this.#current
    if (current && !current.hasEnded()) {
      current.kill('SIGINT')
      if (!(await endsWithin(current, embeddedStopMsMax))) current.kill('SIGQUIT')
      if (!(await endsWithin(current, embeddedQuitMsMax))) current.kill('SIGKILL')
      await current.ended
    }
    if (!socketFolder.startsWith(dataFolder)) await rm(socketFolder, { recursive: true, force: true })
    await this.#release()
  }
}

/**
 * Starts the PostgreSQL that npm installed, with its data in `dataFolder`, and keeps it running: if it crashes it is
 * started again at the same address. If this process dies, the database shuts down by itself (Linux) or is stopped by
 * the next start. If this process replaced itself by a new image, the running database is taken over as it is. Call
 * this from the main thread, since the database lives as long as the thread that started it.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const log = options.log ?? (() => {})
  const asRoot = process.getuid?.() === 0
  // Others may pass through to the cluster, which has its own mode, but not list the folder.
  await mkdir(options.dataFolder, { recursive: true, mode: asRoot ? 0o711 : 0o700 })
  const dataFolder = await realpath(resolve(options.dataFolder))
  const lock = await lockFolder(dataFolder)
  try {
    const place = await prepare(dataFolder, options, log)
    return await Embedded.start(place, lock.release)
  } catch (error) {
    await lock.release()
    throw error
  }
}
