import { clocks } from './clocks.ts'
import { deafDatabase } from './deaf-database.ts'
import { fullDisk } from './full-disk.ts'
import { fuzzing } from './fuzzing.ts'
import { heldBodies } from './held-bodies.ts'
import { kills } from './kills.ts'
import { manyWrites } from './many-writes.ts'
import { noisyNeighbours } from './noisy-neighbours.ts'
import { oneRead } from './one-read.ts'
import type { Trial } from './trial.ts'

/** Every trial, in the order in which they are run. */
export const trials: readonly Trial[] = [
  kills,
  deafDatabase,
  clocks,
  fullDisk,
  heldBodies,
  noisyNeighbours,
  manyWrites,
  oneRead,
  fuzzing,
]
