import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { runOperatorCommand } from '../../../testing/in-process/run-operator-command.ts'
import { seedScene } from '../../../testing/in-process/scenes/scene.ts'
import { createTestContext } from '../../../testing/in-process/test-context.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/in-process/test-database.ts'
import { testMasterKey } from '../../../testing/in-process/test-keys.ts'

let database: TestDatabase
let folder: string
beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'numera-export-'))
  vi.stubEnv('DATABASE_URL', database.url)
  vi.stubEnv('NUMERA_MASTER_KEY', testMasterKey)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true })
  await database[Symbol.asyncDispose]()
})

test('a company is exported into an empty folder, and nothing that no owner has signed is confirmed', async () => {
  const { company } = await seedScene(createTestContext(database.pool), { source: {} })
  const run = (...words: string[]) => runOperatorCommand(['company', ...words, '--company', company.orgnr])
  const to = join(folder, 'bageriet')
  expect(await run('export', '--folder', to)).toMatchObject({
    code: 0,
    out: expect.stringContaining('Wrote'),
  })
  const file = join(to, 'company.ndjson')
  expect((await readFile(file, 'utf8')).endsWith('{"type":"end"}\n')).toBe(true)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await run('export', '--folder', to)).err).toContain('is not empty')

  const { out } = await run('delete', '--json')
  expect(JSON.parse(out)).toMatchObject({ state: 'none', exported_at: expect.any(String), owners: 1 })
  expect(await run('delete', '--confirm')).toMatchObject({
    code: 1,
    err: expect.stringContaining('No owner has signed the deletion of the company.'),
  })
})
