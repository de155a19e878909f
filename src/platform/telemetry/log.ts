import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino'
import { scrubLogLine } from './scrub-log-line.ts'

export interface LogOptions {
  level: string
  /** Standard output unless given. */
  destination?: DestinationStream
}

/**
 * An error without the properties that the database driver adds: `detail`, `where` and the like quote the data that
 * was being written.
 */
function describe(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return thrown
  const { name: type, message, stack, cause } = thrown
  const { code } = thrown as { code?: unknown }
  return { type, message, code, stack, cause: cause === undefined ? undefined : describe(cause) }
}

/** A line's format before it is scrubbed. */
export function lineOptions(level: string): LoggerOptions {
  return {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: describe, error: describe },
  }
}

let standardOutput: ReturnType<typeof pino.destination> | undefined

/** One for all logs of the process, so that no line is written into another. */
function openStandardOutput(): ReturnType<typeof pino.destination> {
  return (standardOutput ??= pino.destination({ dest: 1, sync: false }))
}

/**
 * The log: one line of JSON an event, its instant in ISO form. A line about a request has its `requestId`, the one
 * that an error's answer carries. Lines are scrubbed of secrets, URL queries, and personal and organisation numbers.
 */
export function createLog(options: LogOptions): Logger {
  const destination: DestinationStream & {
    once?: (event: 'drain', done: () => void) => unknown
    flushSync?: () => void
  } = options.destination ?? openStandardOutput()
  const scrubbed = {
    write: (line: string) => destination.write(scrubLogLine(line)),
    // For `log.flush()` right after a line: calls back once it is written, unlike the destination's own.
    flush: (done: () => void) => (destination.once === undefined ? done() : destination.once('drain', done)),
    // By pino after a line of level `fatal`: the process may not live to write it later.
    flushSync: () => destination.flushSync?.(),
  }
  return pino(lineOptions(options.level), scrubbed)
}
