import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { saveLog } from './run-logs.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
export const entry = join(root, 'src', 'main.ts')

/** The environment of a service or command: this process's, without what the test runner sets. */
export function toEnvironment(given: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    // A process spends most of its start on compiling, and a run starts dozens.
    NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/acceptance'),
    ...given,
  }
  delete environment['VITEST']
  delete environment['NODE_ENV']
  return environment
}

/** Runs an operator command with `--json`, and gives what it printed. */
export async function runOperatorCommand(
  given: NodeJS.ProcessEnv,
  words: string,
  options: Record<string, string> = {},
  // oxlint-disable-next-line typescript/no-explicit-any -- what a command prints is read by its test
): Promise<any> {
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
  const argv = [entry, ...words.split(' '), ...flags, '--json']
  const running = run(process.execPath, argv, { env: toEnvironment(given) })
  running.child.stderr?.on('data', saveLog('command'))
  return JSON.parse((await running).stdout)
}

/** Applies the migrations to the database that the environment names. */
export async function migrate(given: NodeJS.ProcessEnv): Promise<void> {
  await run(process.execPath, [entry, 'migrate'], { env: toEnvironment(given) })
}
