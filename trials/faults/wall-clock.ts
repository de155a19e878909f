import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { TrialContext } from '../trial.ts'

/** The wall clock that one process sees. */
export interface WallClock {
  /** For a process with this clock. */
  environment: NodeJS.ProcessEnv
  /** Moves it, as an operator or a broken time server would. */
  move(seconds: number): Promise<void>
}

/** Within this time every thread of the process sees the change. */
const propagationMs = 100

export const createWallClock = async (context: TrialContext): Promise<WallClock> => {
  const folder = await mkdtemp(join(tmpdir(), 'numera-trial-clock-'))
  context.use({ [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) })
  const file = join(folder, 'shift')
  let shiftMs = 0
  const write = async (): Promise<void> => {
    await writeFile(`${file}.new`, String(shiftMs))
    await rename(`${file}.new`, file)
  }
  await write()
  const preload = pathToFileURL(join(import.meta.dirname, 'wrong-clock.ts')).href
  return {
    environment: { NODE_OPTIONS: `--import=${preload}`, TRIAL_CLOCK_FILE: file },
    move: async (seconds) => {
      shiftMs += seconds * 1_000
      await write()
      await context.sleep(propagationMs)
    },
  }
}
