import { testInShort } from '../test-in-short.ts'
import { restores } from './restore.ts'

testInShort([restores])
