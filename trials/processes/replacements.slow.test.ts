import { testInShort } from '../test-in-short.ts'
import { keyChanges } from './key-changes.ts'
import { replacements } from './replacements.ts'

testInShort([replacements, keyChanges])
