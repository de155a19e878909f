import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { startEmbedded } from '../../platform/database/embedded.ts'
import { findRunningEmbedded } from '../../platform/database/find-running-embedded.ts'
import { migrate } from '../../platform/database/migrations/migrate.ts'
import { createPool } from '../../platform/database/pool.ts'
import { createTestContext } from '../../../testing/in-process/test-context.ts'
import { openBackup } from './open-backup.ts'
import { readShippedTo } from './ship-segments.ts'
import { startBackup } from './start-backup.ts'
import { connectAsSuperuser } from './superuser.ts'
import { readConfig } from '../../platform/config/read-config.ts'

test('the stored log ends with the service, also where nothing was written since a segment was finished', async () => {
  await using stack = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'numera-start-backup-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  // The server may run as another user.
  await chmod(folder, 0o711)
  const dataFolder = join(folder, 'data')
  const environment = {
    NUMERA_DATA_FOLDER: dataFolder,
    NUMERA_BACKUP: pathToFileURL(join(folder, 'store')).href,
    NUMERA_BACKUP_KEY: 'ab'.repeat(32),
  }
  const { url } = stack.use(await startEmbedded({ dataFolder, archives: true }))
  await migrate({ url })
  const pool = createPool({ url, name: 'numera test' })
  stack.defer(() => pool.end())
  const context = createTestContext(pool, { environment })
  const { config, secrets } = readConfig(environment)
  const open = () => openBackup(config, secrets)

  const shipping = await startBackup(context, open)
  const { adminUrl } = (await findRunningEmbedded(dataFolder))!
  await using client = await connectAsSuperuser(adminUrl)
  await client.query('checkpoint')
  await client.query('select pg_switch_wal()')
  const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now')
  await shipping[Symbol.asyncDispose]()
  const { sealed } = stack.use(await open())
  expect((await readShippedTo(sealed, dataFolder)).getTime()).toBeGreaterThanOrEqual(rows[0]!.now.getTime())
})
