import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Block, type Page, readPage } from './guides/page.ts'
import { preparePrograms, type Programs } from './guides/programs.ts'
import { openTerminal, runPage } from './guides/run-page.ts'
import { openScene, openWalk, readersEnvironment } from './guides/scene.ts'
import { orderOfWalk } from './guides/order-of-walk.ts'
import { type Service, startService } from '../testing/process/start-service.ts'

// What CONTRIBUTING.md says under "Code blocks of the guides".

const root = join(import.meta.dirname, '..')

/** The pages of the documents, which are those with front matter, and the README. */
const readPages = async (): Promise<Page[]> => {
  const readme = readPage('README.md', await readFile(join(root, 'README.md'), 'utf8'))
  const pages: Page[] = [{ ...readme, scene: 'events' }]
  for (const path of (await readdir(join(root, 'docs'), { recursive: true })).toSorted()) {
    if (!path.endsWith('.md')) continue
    const text = await readFile(join(root, 'docs', path), 'utf8')
    if (text.startsWith('---\n')) pages.push(readPage(`docs/${path}`, text))
  }
  return pages
}

const pages = await readPages()
const blocks = pages.flatMap((page) => page.blocks)
const countOf = (role: Block['role']): number => blocks.filter((block) => block.role === role).length

/** Why a block is not run, and where. Only where nothing else is possible. */
const notRun = [
  "README.md: it reads the demo's year",
  'README.md: it is a drawing',
  'README.md: it starts a service and runs this test',
  'docs/guides/apps.md: installs a package from outside',
  'docs/guides/concepts.md: it is a drawing',
  "docs/guides/electronic-identity.md: it needs BankID's files",
  'docs/guides/electronic-identity.md: it needs a signature made with BankID',
  'docs/guides/electronic-identity.md: it runs until it is stopped',
  'docs/guides/operating.md: needs the programs of PostgreSQL',
  'docs/guides/spreadsheets.md: it needs Excel or Power BI',
  'docs/guides/spreadsheets.md: it needs Google Sheets',
  'docs/guides/start-here.md: it would start a service of its own',
  'docs/guides/sv/concepts.md: it is a drawing',
  'docs/guides/sv/start-here.md: it would start a service of its own',
]

/** The sources that pages declare in a file. */
const declarations = new Map(
  blocks.flatMap((block): [string, object][] => {
    if (block.role !== 'file' || block.language !== 'json') return []
    const value = JSON.parse(block.text)
    return value.event_time === undefined ? [] : [[block.file, value]]
  }),
)

let folder: string
let programs: Programs
let service: Service
const skipped: string[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'numera-guides-'))
  programs = await preparePrograms(folder)
  service = await startService({ words: ['serve'], environment: readersEnvironment })
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
  const without = skipped.length === 0 ? '' : `; skipped for want of a program: ${skipped.join(', ')}`
  process.stdout.write(
    `${pages.length} pages with ${blocks.length} code blocks: ${countOf('run')} to be run, ${countOf('file')} written to a ` +
      `file, ${countOf('output')} compared, ${countOf('not-run')} not run${without}\n`,
  )
})

test('every code block is run, written to a file, compared, or named here with the reason why not', () => {
  const named = pages.flatMap((page) =>
    page.blocks.flatMap((block) => (block.role === 'not-run' ? [`${page.path}: ${block.reason}`] : [])),
  )
  expect(Array.from(new Set(named)).toSorted()).toEqual(notRun.toSorted())
  expect(countOf('run') + countOf('file') + countOf('output') + countOf('not-run')).toBe(blocks.length)
})

test.concurrent.each(
  pages
    .map((page, pageNumber) => ({ page, path: page.path, pageNumber }))
    .filter(({ page }) => page.blocks.some(({ role }) => role === 'run')),
)(
  '$path does what it says, pasted block by block',
  async ({ page, pageNumber }) => {
    await using scene = await openScene(page.scene, { url: service.url, pageNumber, declarations })
    await using terminal = await openTerminal(scene, programs, [page])
    skipped.push(...(await runPage(page, scene, programs, terminal)))
  },
  240_000,
)

/** Those that are read without a service of one's own. */
const isWalked = (page: Page): page is Page & { scene: Exclude<Page['scene'], 'operator'> } =>
  page.scene !== 'operator' && page.blocks.some(({ role }) => role === 'run')

/** From the README, each page that can be walked once, as the pages lead to each other. */
const walked = orderOfWalk(pages, 'README.md').filter(isWalked)

test('every page with something to paste is reached from the README by what pages name as read next', () => {
  expect(walked.map(({ path }) => path).toSorted()).toEqual(
    pages
      .filter(isWalked)
      .map(({ path }) => path)
      .toSorted(),
  )
  expect(walked.slice(0, 5).map(({ path }) => path)).toEqual([
    'README.md',
    'docs/guides/start-here.md',
    'docs/guides/push.md',
    'docs/guides/samples.md',
    'docs/guides/sandbox-to-live.md',
  ])
})

// Readers who come from a search read the pages in any order. Backwards differs most from the order of the links.
test.concurrent.each([
  { order: 'in the order that they lead to each other', walk: walked, pageNumber: pages.length },
  { order: 'backwards', walk: walked.toReversed(), pageNumber: pages.length + 1 },
])(
  'all pages do what they say on one source and in one terminal, read $order',
  async ({ walk, pageNumber }) => {
    const sceneOf = await openWalk({ url: service.url, pageNumber, declarations })
    await using terminal = await openTerminal({ environment: {} }, programs, walk)
    for (const page of walk) await runPage(page, await sceneOf(page.scene), programs, terminal)
  },
  240_000,
)
