import { fuzzing } from './fuzzing.ts'
import { heldBodies } from './held-bodies.ts'
import { noisyNeighbours } from './noisy-neighbours.ts'
import { oneRead } from './one-read.ts'
import { testInShort } from './test-in-short.ts'

testInShort([heldBodies, noisyNeighbours, oneRead, fuzzing])
