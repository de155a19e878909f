import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { appendLog } from './test-log.ts'

/** What `numera` is. */
export const mainFile = join(import.meta.dirname, '../../src/main.ts')

/** How long a command may take, in milliseconds; then it is killed, and its code is none. */
const commandMsMax = 60_000

export interface RanMain {
  /** Null where it was killed. */
  code: number | null
  out: string
  err: string
}

/**
 * Runs `numera` in a process of its own, as its operator does, with no variables but the given ones; `input` is what it
 * reads from its standard input.
 */
export function runMain(
  words: readonly string[],
  environment: NodeJS.ProcessEnv = {},
  input = '',
): Promise<RanMain> {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const env = { PATH, NODE_COMPILE_CACHE, ...environment }
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [mainFile, ...words],
      { env, timeout: commandMsMax, killSignal: 'SIGKILL' },
      (_error, out, err) => {
        appendLog(err)
        resolve({ code: child.exitCode, out, err })
      },
    )
    child.stdin?.end(input)
  })
}
