import { beforeAll, expect, test } from 'vitest'
import type { App } from '../../platform/http/contract.ts'
import { buildApp } from '../../app/app.ts'
import {
  createConsoleClient,
  signInConsole,
  type ConsoleClient,
} from '../../../testing/in-process/console-client.ts'
import { seedCompany, type SeededCompany } from '../../../testing/in-process/seed.ts'
import { createTestContext } from '../../../testing/in-process/test-context.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'

/** A deployment whose electronic identity is changed while people are signed in. */

const { database, context, app } = await startTestService()
let changed: App
let seeded: SeededCompany
beforeAll(async () => {
  const environment = {
    NUMERA_IDENTITY: 'oidc',
    NUMERA_OIDC_ISSUER: 'http://127.0.0.1:1',
    NUMERA_OIDC_CLIENT_ID: 'numera',
    NUMERA_OIDC_CLIENT_SECRET: 'secret',
    NUMERA_OIDC_PERSONAL_NUMBER_CLAIM: 'ssn',
  }
  changed = await buildApp(createTestContext(database.pool, { environment }))
  seeded = await seedCompany(context)
  return () => changed.close()
})

/** What the browser finds with the same cookies: at the deployment before, and at the changed one. */
const statuses = async ({ cookies }: ConsoleClient): Promise<number[]> => {
  const found: number[] = []
  for (const each of [app, changed]) {
    const browser = createConsoleClient(each)
    for (const [name, value] of cookies) browser.cookies.set(name, value)
    found.push((await browser.get('/console/session')).status)
  }
  return found
}

test('a session of the demo opens nothing once another electronic identity is configured', async () => {
  const browser = await signInConsole(app, context, seeded.owner)
  expect(await statuses(browser)).toEqual([200, 401])
})

test('a session continues while the provider for signing in is unchanged, even if signing uses another', async () => {
  const browser = await signInConsole(app, context, seeded.owner)
  await database.pool.query(`update sessions set provider = 'oidc'`)
  expect(await statuses(browser)).toEqual([401, 200])
})
