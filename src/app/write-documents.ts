import { createSecretKey } from 'node:crypto'
import { Pool } from 'pg'
import { pino } from 'pino'
import { systemClock } from '../platform/clock/clock.ts'
import { readConfig } from '../platform/config/read-config.ts'
import { openDemoIdentity } from '../people/identity/demo/demo-provider.ts'
import { toMasterKey } from '../platform/keys/master-key.ts'
import { buildApp } from './app.ts'
import { createTelemetry } from '../platform/telemetry/telemetry.ts'
import { buildDocument } from '../platform/api-documents/openapi-document.ts'
import type { RouteEntry } from '../platform/http/route-table.ts'
import type { Pages } from '../platform/web-app/web-app.ts'

function unused(): never {
  throw new Error('no shard is used before a request arrives')
}

/**
 * The routes of the app as it is served. No database is needed: none is used before a request arrives.
 *
 * @param pages the built pages, whose addresses are routes too
 */
export async function readRoutes(pages?: Pages): Promise<RouteEntry[]> {
  const { config } = readConfig({})
  const pool = new Pool()
  const none = new Uint8Array(32)
  const key = createSecretKey(none)
  const keys = { master: { current: toMasterKey(none) }, personalNumbers: key, csrfTokens: key }
  const shards = { get: unused, list: unused, ofCompany: unused }
  const identity = openDemoIdentity({ pool, clock: systemClock, keys })
  const app = await buildApp(
    {
      config,
      keys,
      clock: systemClock,
      acceptPool: pool,
      readPool: pool,
      pool,
      log: pino({ level: 'silent' }),
      telemetry: createTelemetry(),
      identity,
      shards,
    },
    { ...(pages && { pages }) },
  )
  await app.ready()
  const entries = [...app.routes.entries]
  await app.close()
  await pool.end()
  return entries
}

function text(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`
}

/** Both documents, by the name of their file. */
export async function writeDocuments(): Promise<Record<'numera.json' | 'console.json', string>> {
  const entries = await readRoutes()
  return {
    'numera.json': text(buildDocument('public', entries)),
    'console.json': text(buildDocument('console', entries)),
  }
}
