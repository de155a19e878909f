import { access, constants, glob } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Postgres, type PostgresOptions, startPostgres } from './start-postgres.ts'

/** A coordinator of Citus and its workers, each with a database `numera`. */
export interface Citus extends AsyncDisposable {
  /** The folder of the servers' programs. */
  readonly programs: string
  readonly coordinator: Postgres
  readonly workers: readonly Postgres[]
  /** Starts a further server of the same kind, which is no node yet. */
  startServer(): Promise<Postgres>
}

/** Where Debian, Red Hat, Homebrew and PostgreSQL itself put a server's programs, and the extension beside them. */
const places = [
  ['/usr/lib/postgresql/*/bin/postgres', '../../../../share/postgresql/{version}/extension'],
  ['/usr/pgsql-*/bin/postgres', '../share/extension'],
  ['/opt/homebrew/opt/postgresql@*/bin/postgres', '../share/postgresql@{version}/extension'],
  ['/usr/local/pgsql/bin/postgres', '../share/extension'],
] as const

const exists = (path: string): Promise<boolean> =>
  access(path, constants.R_OK).then(
    () => true,
    () => false,
  )

/** The folder of the programs of an installed PostgreSQL that has the extension. */
const findPrograms = async (): Promise<string | undefined> => {
  for (const [pattern, extension] of places) {
    const found = (await Array.fromAsync(glob(pattern))).toSorted().toReversed()
    for (const program of found) {
      const folder = dirname(program)
      const version = /\d+/.exec(folder)?.[0] ?? ''
      const control = join(folder, extension.replace('{version}', version), 'citus.control')
      if (await exists(control)) return folder
    }
  }
  return undefined
}

const settingsOfNodes = {
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  max_connections: 300,
  max_worker_processes: 64,
  max_replication_slots: 32,
  max_wal_senders: 32,
  'citus.node_conninfo': 'sslmode=disable',
  'citus.enable_statistics_collection': 'off',
}

const addNode = (coordinator: Postgres, { port }: Postgres): Promise<unknown> =>
  coordinator.query(`select citus_add_node('127.0.0.1', $1)`, [port])

/**
 * Starts nodes of Citus, by default with durable settings. They are killed when this process dies.
 *
 * @returns undefined if no installed PostgreSQL has the extension
 */
export const startCitus = async (
  options: Pick<PostgresOptions, 'settings'> & { workers?: number } = {},
): Promise<Citus | undefined> => {
  const programs = await findPrograms()
  if (programs === undefined) return undefined
  const stack = new AsyncDisposableStack()
  const startServer = async (): Promise<Postgres> => {
    const settings = { ...settingsOfNodes, ...options.settings }
    const server = stack.use(await startPostgres({ programs, settings }))
    await server.query('create extension citus')
    return server
  }
  try {
    const coordinator = await startServer()
    await coordinator.query(`select citus_set_coordinator_host('127.0.0.1', $1)`, [coordinator.port])
    const workers: Postgres[] = []
    for (let worker = 0; worker < (options.workers ?? 2); worker++) {
      workers.push(await startServer())
      await addNode(coordinator, workers.at(-1)!)
    }
    return { programs, coordinator, workers, startServer, [Symbol.asyncDispose]: () => stack.disposeAsync() }
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}
