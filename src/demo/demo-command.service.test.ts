import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runMain } from '../testing/run-main.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { testMasterKey } from '../testing/test-keys.ts'

test('a port that is in use is told with the way to another one, before any of the past is made', async () => {
  await using database = await createTestDatabase()
  const dataFolder = await mkdtemp(join(tmpdir(), 'numera-demo-'))
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  try {
    const { code, out, err } = await runMain(['demo', '--port', String(port)], {
      DATABASE_URL: database.url,
      NUMERA_MASTER_KEY: testMasterKey,
      NUMERA_DATA_FOLDER: dataFolder,
      NUMERA_LOG_LEVEL: 'silent',
      NUMERA_METRICS_PORT: '0',
    })
    expect(err).toBe(
      `Port ${port} of 127.0.0.1 is in use: "npm start -- --port NUMBER" listens on another one.\n`,
    )
    expect(out).toBe('')
    expect(code).toBe(1)
  } finally {
    server.close()
    await rm(dataFolder, { recursive: true })
  }
}, 70_000)
