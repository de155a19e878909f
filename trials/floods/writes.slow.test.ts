import { manyWrites } from './many-writes.ts'
import { testInShort } from '../test-in-short.ts'

testInShort([manyWrites])
