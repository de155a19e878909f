import { testInShort } from '../test-in-short.ts'
import { replacements } from './replacements.ts'

testInShort([replacements])
