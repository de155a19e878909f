import { testInShort } from '../test-in-short.ts'
import { noisyNeighbours } from './noisy-neighbours.ts'
import { oneRead } from './one-read.ts'
import { withheldBodies } from './withheld-bodies.ts'

testInShort([withheldBodies, noisyNeighbours, oneRead])
