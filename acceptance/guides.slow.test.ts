import { pages, runPages, startReaders, walkedPages } from './guides/readers.ts'

// What CONTRIBUTING.md says under "Code blocks of the guides".

const { testPages, testWalk } = startReaders()

testPages(runPages)

testWalk('in the order that they lead to each other', walkedPages, pages.length)
// Readers who come from a search read the pages in any order. Backwards differs most from the order of the links.
testWalk('backwards', walkedPages.toReversed(), pages.length + 1)
