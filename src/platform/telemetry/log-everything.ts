import { ConfigError } from '../config/config-error.ts'
import { logLevels } from '../config/config.ts'
import { createLog } from './log.ts'

/** Before the configuration is read. What ends the process is logged at any level. */
function readLevel({ NUMERA_LOG_LEVEL: wanted }: NodeJS.ProcessEnv): string {
  const level = logLevels.find((each) => each === wanted?.trim()) ?? 'info'
  return level === 'silent' ? 'fatal' : level
}

/**
 * Runs a command whose output programs read: the warnings of Node.js, and what ends the command, become lines of the log
 * like all others. Such an error sets exit code 1.
 */
export async function logEverything(run: () => Promise<void>): Promise<void> {
  const log = createLog({ level: readLevel(process.env) })
  const end = (error: Error): void => {
    const problems = error instanceof ConfigError ? { problems: error.problems } : {}
    log.fatal({ err: error, ...problems }, error.message)
    process.exitCode = 1
  }
  // Node.js itself writes them to standard error as text.
  process.removeAllListeners('warning')
  process.on('warning', (warning) => log.warn({ err: warning }, warning.message))
  process.on('uncaughtException', (fault) => {
    // Once the service has a listener of its own (`restartAfterFaults`), that one decides.
    if (process.listenerCount('uncaughtException') > 1) return
    end(fault)
    process.exit(1)
  })
  try {
    await run()
  } catch (error) {
    end(error as Error)
  }
}
