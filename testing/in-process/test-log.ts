import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import { lineOptions } from '../../src/platform/telemetry/log.ts'

/** One for each process of the run; `testing/process/run-logs.ts` makes the folder, and searches it at the end. */
function logFile(): string | undefined {
  const folder = process.env['TEST_LOGS_FOLDER']
  return folder === undefined ? undefined : join(folder, `in-process-${process.pid}.log`)
}

/** Stores what a command printed on standard error, to be searched with the logs. */
export function appendLog(text: string): void {
  const path = logFile()
  if (path !== undefined && text !== '') appendFileSync(path, text)
}

/**
 * The service's log with every line that there is, kept in the folder of the run's logs; nowhere outside a run. Not scrubbed:
 * what a line may not hold must not come that far (`src/platform/telemetry/scrub-log-line.ts`).
 */
export function createTestLog(): Logger {
  return logFile() === undefined
    ? pino({ level: 'silent' })
    : pino(lineOptions('debug'), { write: appendLog })
}
