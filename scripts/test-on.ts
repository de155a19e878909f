/**
 * Runs the tests that need a database on another server than the built-in one, in temporary clusters.
 *
 *   node scripts/test-on.ts postgres-15|citus [names of tests…]
 *
 * Debian's PostgreSQL 15, the oldest that is supported, is installed if that is possible; Citus runs on three nodes. Exits
 * with 75 if the server is not installed.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { startCitus } from '../testing/process/start-citus.ts'
import { startPostgres } from '../testing/process/start-postgres.ts'

/** "Temporary failure" (sysexits.h): what is needed could not be had, which says nothing about the change. */
const unavailable = 75

/** Test data need not survive a crash. */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  log_min_messages: 'panic',
}

const debian15 = '/usr/lib/postgresql/15/bin'
/** Without the first line the package creates and starts a cluster. */
const installDebian15 = `
  mkdir -p /etc/postgresql-common/createcluster.d
  echo "create_main_cluster = false" >/etc/postgresql-common/createcluster.d/numera-test.conf
  export DEBIAN_FRONTEND=noninteractive
  timeout 600 bash -c 'apt-get -qq update && apt-get -qq install -y --no-install-recommends postgresql-15' </dev/null`

const leave = (reason: string): never => {
  process.stderr.write(`${reason}\n`)
  process.exit(unavailable)
}

const servers = {
  'postgres-15': async () => {
    if (!existsSync(debian15)) {
      if (process.getuid?.() !== 0) leave('PostgreSQL 15 is not installed (Debian’s package postgresql-15)')
      process.stdout.write('Installing Debian’s postgresql-15 …\n')
      if (spawnSync('sh', ['-c', installDebian15]).status !== 0) leave('postgresql-15 could not be installed')
    }
    const server = await startPostgres({ programs: debian15, settings })
    return {
      server,
      cluster: server,
      environment: { DATABASE_URL: server.url },
      projects: ['service', 'service-slow', 'acceptance'],
      // The tests of web/ need no database.
      tests: [
        '.service.test.ts',
        'src/app/operator/',
        'src/platform/database/',
        'src/people/identity/bankid/',
        'acceptance/',
      ],
    }
  },
  citus: async () => {
    const cluster = await startCitus({ settings })
    if (cluster === undefined)
      return leave(
        'Citus is not installed (https://docs.citusdata.com/en/stable/installation/single_node.html)',
      )
    return {
      server: cluster.coordinator,
      cluster,
      environment: { NUMERA_TEST_CITUS_URL: cluster.coordinator.url },
      projects: ['service', 'acceptance'],
      tests: ['.service.test.ts', 'acceptance/'],
    }
  },
}

const [name, ...given] = process.argv.slice(2)
if (name !== 'citus' && name !== 'postgres-15') {
  process.stderr.write('node scripts/test-on.ts postgres-15|citus [names of tests…]\n')
  process.exit(2)
}
const { server, cluster, environment, projects, tests } = await servers[name]()
const [row] = await server.query<{ version: string }>('select version()')
process.stdout.write(`On ${name}, ${row!.version}:\n`)
const root = join(import.meta.dirname, '..')
// As in npm's scripts, the Node that the project installs comes first.
const PATH = `${join(root, 'node_modules/.bin')}:${process.env['PATH']}`
const { status } = spawnSync(
  'vitest',
  ['run', ...projects.flatMap((project) => ['--project', project]), ...(given.length > 0 ? given : tests)],
  { cwd: root, stdio: 'inherit', env: { ...process.env, ...environment, PATH } },
)
await cluster[Symbol.asyncDispose]()
process.exitCode = status ?? 1
