import { testInShort } from '../test-in-short.ts'
import { million } from './million.ts'

testInShort([million])
