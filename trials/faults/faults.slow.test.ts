import { clocks } from './clocks.ts'
import { deafDatabase } from './deaf-database.ts'
import { fullDisk } from './full-disk.ts'
import { kills } from './kills.ts'
import { testInShort } from '../test-in-short.ts'

testInShort([kills, deafDatabase, clocks, fullDisk])
