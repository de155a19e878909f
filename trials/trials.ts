import { clocks } from './faults/clocks.ts'
import { deafDatabase } from './faults/deaf-database.ts'
import { fullDisk } from './faults/full-disk.ts'
import { fuzzing } from './fuzzing/fuzzing.ts'
import { withheldBodies } from './floods/withheld-bodies.ts'
import { kills } from './faults/kills.ts'
import { companyMoves } from './moves/moves.ts'
import { keyChanges } from './processes/key-changes.ts'
import { lostNodes } from './nodes/nodes.ts'
import { million } from './growth/million.ts'
import { manyWrites } from './floods/many-writes.ts'
import { noisyNeighbours } from './floods/noisy-neighbours.ts'
import { oneRead } from './floods/one-read.ts'
import { restores } from './restore/restore.ts'
import { replacements } from './processes/replacements.ts'
import type { Trial } from './trial.ts'

/** In the order of a run. */
export const trials: readonly Trial[] = [
  kills,
  restores,
  replacements,
  keyChanges,
  deafDatabase,
  clocks,
  fullDisk,
  companyMoves,
  lostNodes,
  withheldBodies,
  noisyNeighbours,
  manyWrites,
  oneRead,
  million,
  fuzzing,
]
