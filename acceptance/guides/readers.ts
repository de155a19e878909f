import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, test } from 'vitest'
import { type Service, startService } from '../../testing/process/start-service.ts'
import { orderOfWalk } from './order-of-walk.ts'
import { type Page, readPage } from './page.ts'
import { preparePrograms, type Programs } from './programs.ts'
import { openTerminal, runPage } from './run-page.ts'
import { openScene, openWalk, readersEnvironment } from './scene.ts'

const root = join(import.meta.dirname, '../..')

/** The pages of the documents, which are those with front matter, and the READMEs. */
const readPages = async (): Promise<Page[]> => {
  const pages: Page[] = []
  const packages = ['client', 'python', 'cli'].map((name) => `packages/${name}/README.md`)
  for (const path of ['README.md', ...packages]) {
    pages.push({ ...readPage(path, await readFile(join(root, path), 'utf8')), scene: 'events' })
  }
  for (const path of (await readdir(join(root, 'docs'), { recursive: true })).toSorted()) {
    if (!path.endsWith('.md')) continue
    const text = await readFile(join(root, 'docs', path), 'utf8')
    if (text.startsWith('---\n')) pages.push(readPage(`docs/${path}`, text))
  }
  return pages
}

export const pages = await readPages()
const blocks = pages.flatMap((page) => page.blocks)

/** The sources that pages declare in a file. */
const declarations = new Map(
  blocks.flatMap((block): [string, object][] => {
    if (block.role !== 'file' || block.language !== 'json') return []
    const value = JSON.parse(block.text)
    return value.event_time === undefined ? [] : [[block.file, value]]
  }),
)

const isRun = (page: Page): boolean => page.blocks.some(({ role }) => role === 'run')

/** The pages with something to paste. */
export const runPages = pages.filter(isRun)

/** The pages that need no service of their own, but for those of packages. */
export const isWalked = (page: Page): page is Page & { scene: Exclude<Page['scene'], 'operator'> } =>
  page.scene !== 'operator' && !page.path.startsWith('packages/') && isRun(page)

/** The pages to walk through, in the order of their links from the README. */
export const walkedPages = orderOfWalk(pages, 'README.md').filter(isWalked)

/** Runs pages as readers do, on a service for the tests of a file. */
export function startReaders() {
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
    if (skipped.length > 0)
      process.stdout.write(`Skipped, as the program is missing: ${skipped.join(', ')}\n`)
  })
  return {
    /** Tests each page on its own. */
    testPages: (tested: readonly Page[]) =>
      test.concurrent.each(tested.map((page) => ({ page, path: page.path })))(
        '$path does what it says, pasted block by block',
        async ({ page }) => {
          const pageNumber = pages.indexOf(page)
          await using scene = await openScene(page.scene, { url: service.url, pageNumber, declarations })
          await using terminal = await openTerminal(scene, programs, [page])
          skipped.push(...(await runPage(page, scene, programs, terminal)))
        },
      ),
    /** Tests pages one after the other, with one source and one terminal. */
    testWalk: (order: string, walk: readonly (typeof walkedPages)[number][], pageNumber: number) =>
      test.concurrent(`all pages do what they say on one source and in one terminal, read ${order}`, async () => {
        const openPageScene = await openWalk({ url: service.url, pageNumber, declarations })
        await using terminal = await openTerminal({ environment: {} }, programs, walk)
        for (const page of walk) await runPage(page, await openPageScene(page.scene), programs, terminal)
      }),
  }
}
