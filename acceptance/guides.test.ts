import { expect, test } from 'vitest'
import type { Block } from './guides/page.ts'
import { isWalked, pages, runPages, startReaders, walkedPages } from './guides/readers.ts'

// What CONTRIBUTING.md says under "Code blocks of the guides". The other pages, and the walks through all of them, are in guides.slow.test.ts.

const blocks = pages.flatMap((page) => page.blocks)
const count = (role: Block['role']): number => blocks.filter((block) => block.role === role).length

/** The blocks that cannot be run, and why. */
const notRun = [
  "README.md: it reads the demo's years",
  'README.md: it is a drawing',
  'README.md: it starts a service and runs this test',
  'docs/guides/apps.md: installs a package from outside',
  'docs/guides/backup.md: backup.slow.test.ts runs it',
  'docs/guides/concepts.md: it is a drawing',
  "docs/guides/electronic-identity.md: it needs BankID's files",
  'docs/guides/electronic-identity.md: it needs a signature made with BankID',
  'docs/guides/electronic-identity.md: it runs until it is stopped',
  'docs/guides/recipes.md: recipes.slow.test.ts runs it',
  'docs/guides/scale-out.md: needs a second database',
  'docs/guides/spreadsheets.md: it needs Excel or Power BI',
  'docs/guides/spreadsheets.md: it needs Google Sheets',
  'docs/guides/start-here.md: it would start a service of its own',
  'docs/guides/sv/concepts.md: it is a drawing',
  'docs/guides/sv/start-here.md: it would start a service of its own',
  'packages/cli/README.md: it installs the package',
  'packages/client/README.md: it installs the package',
  'packages/python/README.md: it installs the package',
  'packages/python/README.md: it needs httpx',
]

test('every code block is run, written, compared, or listed here with a reason', () => {
  const named = pages.flatMap((page) =>
    page.blocks.flatMap((block) => (block.role === 'not-run' ? [`${page.path}: ${block.reason}`] : [])),
  )
  expect(Array.from(new Set(named)).toSorted()).toEqual(notRun.toSorted())
  expect(count('run') + count('file') + count('output') + count('not-run')).toBe(blocks.length)
})

test('every page with code to paste is reached from the README by the links to next pages', () => {
  expect(walkedPages.map(({ path }) => path).toSorted()).toEqual(
    pages
      .filter(isWalked)
      .map(({ path }) => path)
      .toSorted(),
  )
  expect(walkedPages.slice(0, 5).map(({ path }) => path)).toEqual([
    'README.md',
    'docs/guides/start-here.md',
    'docs/guides/push.md',
    'docs/guides/samples.md',
    'docs/guides/sandbox-to-live.md',
  ])
})

startReaders().testPages(runPages.filter(({ path }) => path === 'README.md'))
