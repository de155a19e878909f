import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Block, type Page, readPage } from './guides/page.ts'
import { preparePrograms, type Programs } from './guides/programs.ts'
import { runPage } from './guides/run-page.ts'
import { openScene, readersEnvironment } from './guides/scene.ts'
import { type Service, startService } from './service.ts'

const root = join(import.meta.dirname, '..')

/** Documents about what was measured, and how it was decided, are no pages. */
const isPage = (path: string): boolean =>
  path.endsWith('.md') && !/^docs\/(?:decisions|screens|images|trials\.md)/.test(path)

const readPages = async (): Promise<Page[]> => {
  const paths = (await readdir(join(root, 'docs'), { recursive: true })).map((path) => `docs/${path}`)
  const pages = []
  for (const path of paths.filter(isPage).toSorted()) {
    const text = await readFile(join(root, path), 'utf8')
    if (text.startsWith('---\n')) pages.push(readPage(path, text))
  }
  return pages
}

const pages = await readPages()
const blocks = pages.flatMap((page) => page.blocks)
const countOf = (role: Block['role']): number => blocks.filter((block) => block.role === role).length

/** Why a block is not run, and where. Only where nothing else is possible. */
const notRun: string[] = []

let folder: string
let programs: Programs
let service: Service
const skipped: string[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'numera-guides-'))
  programs = await preparePrograms(join(folder, 'bin'))
  service = await startService({ environment: readersEnvironment })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
  const wereSkipped = skipped.length === 0 ? '' : `; for want of a program were skipped: ${skipped.join(', ')}`
  process.stdout.write(
    `${pages.length} pages with ${blocks.length} code blocks: ${countOf('run')} run, ${countOf('file')} written, ` +
      `${countOf('output')} compared, ${countOf('not-run')} not run${wereSkipped}\n`,
  )
})

test('every code block is run, written to a file, compared, or named here with the reason why not', () => {
  const named = pages.flatMap(({ path, blocks: ofPage }) =>
    ofPage.flatMap((block) => (block.role === 'not-run' ? [`${path}: ${block.reason}`] : [])),
  )
  expect([...new Set(named)].toSorted()).toEqual(notRun.toSorted())
  expect(countOf('run') + countOf('file') + countOf('output') + countOf('not-run')).toBe(blocks.length)
})

test.concurrent.each(pages.map((page, index) => [page.path, page, index] as const))(
  '%s does what it says, pasted block by block',
  async (_path, page, index) => {
    if (!page.blocks.some(({ role }) => role === 'run')) return
    await using scene = await openScene(page.scene, service.url, index)
    skipped.push(...(await runPage(page, scene, programs)))
  },
  120_000,
)
