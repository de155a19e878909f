import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { readMigrationFiles } from '../database/migration-files.ts'
import type { App } from './contract.ts'
import { ApiError } from './errors.ts'
import { readAppliedMigrations } from './queries.ts'

/** A probe that takes longer than this has its answer. */
export const databaseAnswerMs = 2_000

const notReady = (why: string): ApiError => new ApiError('internal', why, { status: 503 })

/**
 * `GET /health/live`: the process answers. `GET /health/ready`: calls can be taken, that is the database answers, it
 * has this version's migrations, and no shutdown has begun. Not part of the API document.
 */
export const registerHealthRoutes = async (app: App, context: Context): Promise<void> => {
  let closing = false
  app.addHook('preClose', (done) => {
    closing = true
    done()
  })
  const migrations = await readMigrationFiles()

  app.get('/health/live', async () => ({ status: 'live' }))

  app.get('/health/ready', async () => {
    if (closing) throw notReady('The service is shutting down.')
    const timer = new AbortController()
    const applied = await Promise.race([
      readAppliedMigrations(context.pool).catch(() => undefined),
      sleep(databaseAnswerMs, undefined, { signal: timer.signal }).catch(() => undefined),
    ]).finally(() => timer.abort())
    if (applied === undefined) throw notReady('The database does not answer.')
    const current = migrations.every((file) => applied.some((row) => row.sha256 === file.sha256))
    if (!current) throw notReady('The database does not have the migrations of this version.')
    return { status: 'ready' }
  })
}
