/** A reader in a process of its own, as `numera work` starts one: `node reader-process.ts DATABASE_URL`. */
import { pino } from 'pino'
import { systemClock } from '../../src/clock.ts'
import { readConfig } from '../../src/config/read-config.ts'
import { createPool } from '../../src/database/pool.ts'
import { createFigures } from '../../src/http/figures.ts'
import { startReader } from '../../src/reading/start-reader.ts'

const { config } = readConfig({ NUMERA_WORKERS: '1', NUMERA_WORKER_POLL_MS: '50' })
await startReader({
  config,
  pool: createPool({ url: process.argv[2]! }),
  clock: systemClock,
  log: pino({ level: 'silent' }),
  figures: createFigures(),
})
