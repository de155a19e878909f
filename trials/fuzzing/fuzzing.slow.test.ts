import { testInShort } from '../test-in-short.ts'
import { fuzzing } from './fuzzing.ts'

testInShort([fuzzing])
