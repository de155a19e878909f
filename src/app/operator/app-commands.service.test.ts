import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { systemClock, type TestClock } from '../../platform/clock/clock.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/in-process/test-database.ts'
import { testMasterKey } from '../../../testing/in-process/test-keys.ts'
import { seedApp, seedAppConnection, seedCompany } from '../../../testing/in-process/seed.ts'
import { createTestContext, type TestContext } from '../../../testing/in-process/test-context.ts'
import { runOperatorCommand } from '../../../testing/in-process/run-operator-command.ts'

let database: TestDatabase
let context: TestContext
beforeAll(async () => {
  database = await createTestDatabase()
  // A command has the machine's time.
  context = createTestContext(database.pool, { clock: systemClock as TestClock })
  vi.stubEnv('DATABASE_URL', database.url)
  vi.stubEnv('NUMERA_MASTER_KEY', testMasterKey)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await database[Symbol.asyncDispose]()
})

/** What a command prints, or its error message. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests read answers as they come
const run = async (...args: string[]): Promise<any> => {
  const { out, err } = await runOperatorCommand([...args, '--json'])
  return err === '' ? JSON.parse(out) : err.split('\n')[0]
}

test('an operator lists what a member allows apps, and ends it', async () => {
  const { company, owner } = await seedCompany(context)
  const app = await seedApp(context)
  const { connectionId } = await seedAppConnection(context, {
    app,
    member: owner,
    companyIds: [company.companyId],
  })
  const listed = await run('app', 'list', '--personal-number', owner.personalNumber)
  expect(listed.apps).toMatchObject([
    { connection_id: connectionId, client_id: app.clientId, state: 'active', member_id: owner.memberId },
  ])
  expect(await run('app', 'show', '--connection', connectionId)).toEqual(listed.apps[0])
  expect(await run('app', 'end', '--connection', connectionId, '--yes')).toMatchObject({
    state: 'ended',
    ended_by: 'operator',
  })
})

test('an operator ends the access of one app for all members, and of no other app', async () => {
  const [app, other] = [await seedApp(context), await seedApp(context)]
  for (let members = 0; members < 3; members++) {
    const { owner } = await seedCompany(context)
    await seedAppConnection(context, { app, member: owner })
    await seedAppConnection(context, { app: other, member: owner })
  }
  expect((await run('app', 'list', '--client', app.clientId)).apps).toHaveLength(3)
  expect(await run('app', 'end', '--client', app.clientId, '--yes')).toEqual({ ended: 3 })
  expect((await run('app', 'list', '--client', app.clientId)).apps).toEqual([])
  expect((await run('app', 'list', '--client', other.clientId)).apps).toHaveLength(3)
})

test('an unknown, ambiguous or missing name is reported in a sentence', async () => {
  const id = '01977c1e-6e1b-7c3a-9f54-2f0f6a0d5b11'
  expect(await run('app', 'show', '--connection', id)).toBe('There is no connection of an app with this id.')
  expect(await run('app', 'end', '--connection', id)).toBe('There is no connection of an app with this id.')
  expect(await run('app', 'end')).toBe('Give either --connection or --client.')
  expect(await run('app', 'end', '--connection', id, '--client', 'app_x')).toBe(
    'Give either --connection or --client.',
  )
  expect(await run('app', 'list')).toBe('Give either --personal-number or --client.')
})
