import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Course } from './trial.ts'

/** The wall clock of the machine that one process believes it runs on. */
export interface WallClock {
  /** Of a process that has this clock. */
  environment: NodeJS.ProcessEnv
  /** Moves it by so many seconds, as an operator or a broken time server does. */
  move(seconds: number): Promise<void>
}

/** Longer than it takes every thread of the process to see it. */
const seenMs = 100

export const createWallClock = async (course: Course): Promise<WallClock> => {
  const folder = await mkdtemp(join(tmpdir(), 'numera-trial-clock-'))
  course.use({ [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) })
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
      await course.sleep(seenMs)
    },
  }
}
