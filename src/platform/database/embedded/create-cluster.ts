import { execFile } from 'node:child_process'
import { chown, mkdtemp, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { unprivilegedCommand, type User } from './unprivileged.ts'

const execute = promisify(execFile)
const draftPrefix = 'postgres.new-'

/**
 * Creates a cluster in `cluster` atomically: it is created in a sibling folder, then moved. Its superuser is
 * `postgres`. Text sorts by code point and not by the machine's locale.
 */
export async function createCluster(options: {
  initdb: string
  environment: NodeJS.ProcessEnv
  cluster: string
  password: string
  user: User | undefined
}): Promise<void> {
  const { cluster, user, environment } = options
  const folder = dirname(cluster)
  for (const name of await readdir(folder)) {
    if (name.startsWith(draftPrefix)) await rm(join(folder, name), { recursive: true })
  }
  const draft = await mkdtemp(join(folder, draftPrefix))
  try {
    const passwordPath = join(draft, 'password')
    const data = join(draft, 'data')
    await writeFile(passwordPath, options.password, { mode: 0o600 })
    if (user) {
      await chown(passwordPath, user.uid, user.gid)
      await chown(draft, user.uid, user.gid)
    }
    const command = unprivilegedCommand({
      program: options.initdb,
      args: [
        `--pgdata=${data}`,
        '--username=postgres',
        '--auth=scram-sha-256',
        `--pwfile=${passwordPath}`,
        '--encoding=UTF8',
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--no-instructions',
        '--set=max_connections=50',
        // Given, since detecting it takes as long as everything else.
        '--set=dynamic_shared_memory_type=posix',
      ],
      paths: [passwordPath],
      user,
      signal: 'KILL',
    })
    await execute(command.file, command.args, { env: environment, cwd: '/', ...command.user })
    await rename(data, cluster)
    const parent = await open(folder, 'r')
    await parent.sync()
    await parent.close()
  } catch (error) {
    let said = (error as { stderr?: string }).stderr?.trim()
    if (said?.includes('could not look up effective user ID')) {
      said += '; give that user a line in /etc/passwd, or set DATABASE_URL'
    }
    throw new Error(`the database could not be created in ${cluster}: ${said || (error as Error).message}`, {
      cause: error,
    })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}
