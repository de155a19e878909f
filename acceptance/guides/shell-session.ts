import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import type { Ran } from '../shell-tools.ts'

/** A bash that runs one block after the other, as if they were pasted into one terminal. */
export interface ShellSession extends AsyncDisposable {
  /** Where it begins: an empty folder. */
  readonly folder: string
  /**
   * Runs a block. The first failing command of it ends the session.
   *
   * @throws where it is not done in time
   */
  run(script: string): Promise<Ran>
}

/**
 * A block's variables, functions and folder persist for the next, as with `.`. An unset variable is a
 * failure like any other. Requests and results use descriptors that blocks do not have.
 */
const driver = `set -euo pipefail
while IFS= read -r block <&3; do
  . "$block" >"$block.out" 2>"$block.err" </dev/null 3<&- 4>&-
  echo >&4
done`

export interface ShellOptions {
  environment: NodeJS.ProcessEnv
  /** A `node_modules` that programs find their packages in. */
  packages: string | undefined
  /** How long a block may take, in milliseconds. */
  blockMsMax: number
}

export const openShell = async ({
  environment,
  packages,
  blockMsMax,
}: ShellOptions): Promise<ShellSession> => {
  const root = await mkdtemp(join(tmpdir(), 'numera-guide-'))
  const [folder, blocks] = [join(root, 'folder'), join(root, 'blocks')]
  await Promise.all([folder, blocks].map((path) => mkdir(path)))
  if (packages !== undefined) await symlink(packages, join(root, 'node_modules'))
  const child = spawn('bash', ['--norc', '--noprofile', '-c', driver], {
    cwd: folder,
    env: { ...environment, HOME: folder },
    // A process group of its own, so that processes which a block leaves running end with it.
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  const [asks, answers] = [child.stdio[3] as Writable, child.stdio[4]!]
  asks.on('error', () => {})
  let count = 0

  const run: ShellSession['run'] = async (script) => {
    const block = join(blocks, String(++count))
    await writeFile(block, script)
    const signal = AbortSignal.timeout(blockMsMax)
    const done = once(answers, 'data', { signal }).then(() => 0)
    asks.write(`${block}\n`)
    // A block that exits the shell has failed, even with code 0.
    const failed = ended.then(([exitCode]) => Number(exitCode ?? 0) || 1)
    const code = await Promise.race([done, failed]).catch(() => {
      throw new Error(`it was not done after ${blockMsMax} ms`)
    })
    const [out, err] = await Promise.all(
      ['out', 'err'].map((name) => readFile(`${block}.${name}`, 'utf8').catch(() => '')),
    )
    return { code, out: out!, err: err! }
  }

  return {
    folder,
    run,
    [Symbol.asyncDispose]: async () => {
      try {
        process.kill(-child.pid!, 'SIGKILL')
      } catch {
        // All of them have ended.
      }
      await ended
      await rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    },
  }
}
