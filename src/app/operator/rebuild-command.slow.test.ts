import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../testing/in-process/test-database.ts'
import { testMasterKey } from '../../../testing/in-process/test-keys.ts'
import { runMain } from '../../../testing/in-process/run-main.ts'
import { createTestSource } from '../../../testing/in-process/source.ts'
import { storeDelivery } from '../../../testing/in-process/store-delivery.ts'

test('rebuild --check parses what is queued and finds differences, and rebuild corrects them', async () => {
  await using database = await createTestDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'numera-rebuild-'))
  const env = {
    DATABASE_URL: database.url,
    NUMERA_MASTER_KEY: testMasterKey,
    NUMERA_DATA_FOLDER: folder,
  }
  const run = async (...args: string[]): Promise<{ code: number | null; out: string }> => {
    const { code, out, err } = await runMain(['rebuild', ...args], env)
    return { code, out: out + err }
  }
  const source = await createTestSource(database.pool)
  await createTestSource(database.pool)
  await storeDelivery(database.pool, source, [{ at: '2026-03-01', amount: '1.5' }])

  expect(await run('--check')).toEqual({ code: 0, out: '2 sources rebuilt, 0 of them differ.\n' })
  await database.pool.query('update samples set value = 99 where source_id = $1 and projection_id = 1', [
    source.sourceId,
  ])
  const found = await run('--check', '--source', source.sourceId)
  expect(found.code).toBe(1)
  expect(found.out).toMatch(/revenue {2}2026-03-01[^]*99 from [^]*1\.5 from [^]*1 of them differ/)

  expect(await run('--source', source.sourceId)).toEqual({ code: 0, out: '1 sources rebuilt.\n' })
  expect((await run('--check')).code).toBe(0)
  expect(await run('--source', source.companyId)).toEqual({ code: 1, out: 'There is no such source.\n' })
  await rm(folder, { recursive: true, force: true })
})
