import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { systemClock, type TestClock } from '../../platform/clock/clock.ts'
import { seedScene } from '../../../testing/in-process/scenes/scene.ts'
import { testMetric } from '../../../testing/in-process/source.ts'
import { storeDelivery } from '../../../testing/in-process/store-delivery.ts'
import { createTestContext, type TestContext } from '../../../testing/in-process/test-context.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/in-process/test-database.ts'
import { testMasterKey } from '../../../testing/in-process/test-keys.ts'
import { startTestWorker } from '../../../testing/in-process/test-worker.ts'
import { runOperatorCommand } from '../../../testing/in-process/run-operator-command.ts'

let database: TestDatabase
let context: TestContext
beforeAll(async () => {
  database = await createTestDatabase()
  // A command uses the machine's time.
  context = createTestContext(database.pool, { clock: systemClock as TestClock })
  vi.stubEnv('DATABASE_URL', database.url)
  vi.stubEnv('NUMERA_MASTER_KEY', testMasterKey)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await database[Symbol.asyncDispose]()
})

/** What a command prints, errors too. */
const run = async (...args: string[]): Promise<string> => {
  const { out, err } = await runOperatorCommand(args)
  return out + err
}

/** A shop with two deliveries: one with a refused row and one that lacks its amount and is dated far ahead, and a later one that adds to a sample. */
const openShop = async () => {
  const { company, source } = await seedScene(context, {
    source: { metrics: [testMetric({ group_by: ['country'] })] },
  })
  const { worker } = startTestWorker({ database, context })
  const shop = { companyId: company.companyId, sourceId: source.sourceId }
  const day = new Date().toISOString().slice(0, 10)
  const deliver = (rows: object[]) => storeDelivery(database.pool, shop, rows)
  const first = await deliver([
    { at: day, amount: '1.50', country: 'SE' },
    { at: 'soon', amount: '2', country: 'SE' },
    { at: '2062-03-01', country: 'SE' },
  ])
  const last = await deliver([{ at: day, amount: '0.25', country: 'SE' }])
  await worker.drain()
  return { of: ['--company', company.orgnr], source: ['--source', shop.sourceId], day, first, last }
}

test('an operator lists deliveries, and sees why a row was refused or added nothing', async () => {
  const { of, first, last } = await openShop()
  const list = JSON.parse(await run('delivery', 'list', ...of, '--json'))
  expect(list.more).toBe(false)
  expect(list.deliveries).toMatchObject([
    { artifact_id: last.artifactId, state: 'parsed', rows_accepted: 1, rows_refused: 0 },
    { artifact_id: first.artifactId, state: 'parsed', rows_accepted: 2, rows_refused: 1 },
  ])
  const table = await run('delivery', 'list', ...of, '--state', 'refused')
  expect(table).toMatch(/^artifact_id +received_at +channel +state +rows_accepted +rows_refused/)
  expect(table).toContain(first.artifactId)
  expect(table).not.toContain(last.artifactId)
  expect(await run('delivery', 'list', ...of, '--limit', '1')).toContain('There are more')
  expect(await run('delivery', 'list', ...of, '--search', 'no such key')).toBe('There is no such delivery.\n')

  const shown = await run('delivery', 'show', ...of, '--delivery', first.artifactId)
  expect(shown).toMatch(/^rows_refused: 1$/m)
  expect(shown).toMatch(/^2 +at +timestamp_malformed +/m)
  expect(shown).toMatch(/^revenue +amount +1 /m)
  expect(shown).toMatch(/^3 +- +2062-03-01$/m)
  const unknown = await run('delivery', 'show', ...of, '--delivery', '01977c1e-6e1b-7c3a-9f54-2f0f6a0d5b11')
  expect(unknown).toBe(
    'The company has nothing with this id.\nExample: numera delivery show --company 556016-0680 --delivery 0198…\n',
  )
})

test('an operator reads samples as an app does, and traces one to its deliveries', async () => {
  const { of, source, day, first, last } = await openShop()
  const list = JSON.parse(await run('sample', 'list', ...of, ...source, '--json'))
  expect(list.samples).toMatchObject([
    { metric: 'revenue', period_start: day, value: '1.75', labels: { country: 'SE' } },
  ])
  expect(await run('sample', 'list', ...of, ...source)).toMatch(
    new RegExp(`^${day} +revenue +1\\.75 +country=SE +`, 'm'),
  )
  expect(await run('sample', 'list', ...of, ...source, '--label', 'country=NO')).toBe(
    'There are no samples in this window.\n',
  )
  expect(await run('sample', 'list', ...of, ...source, '--from', 'soon')).toContain('from: from is not a day')

  const cell = ['--metric', 'revenue', '--period-start', day]
  const traced = JSON.parse(
    await run('sample', 'trace', ...of, ...source, ...cell, '--label', 'country=SE', '--json'),
  )
  expect(traced.value).toBe('1.75')
  expect(traced.deliveries).toMatchObject([
    { artifact_id: last.artifactId, value: '0.25' },
    { artifact_id: first.artifactId, value: '1.5' },
  ])
  expect(await run('sample', 'trace', ...of, ...source, ...cell)).toContain('label.country: ')
})

test('without a terminal, a command that cannot be undone needs --yes', async () => {
  const { of } = await openShop()
  const [add, remove] = [
    ['member', 'add', ...of, '--role', 'reader', '--personal-number', '19640823-3234', '--json'],
    ['member', 'remove', ...of, '--personal-number', '19640823-3234'],
  ]
  const { member_id: memberId } = JSON.parse(await run(...add))
  expect(await run(...remove)).toBe(
    `End the membership of ${memberId}? It cannot be undone. Confirm with --yes.\n` +
      'Example: numera member remove --company 556016-0680 --personal-number -\n',
  )
  expect(await run('member', 'list', ...of)).toContain(memberId)
  expect(await run('member', 'show', ...of, '--personal-number', '19640823-3234')).toContain('role: reader')
  expect(await run(...remove, '--yes')).toBe(`member_id: ${memberId}\nremoved: true\n`)
  expect(await run('member', 'list', ...of)).not.toContain(memberId)
})
