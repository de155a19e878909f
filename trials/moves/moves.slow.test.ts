import { testInShort } from '../test-in-short.ts'
import { companyMoves } from './moves.ts'

testInShort([companyMoves])
