/**
 * Builds the documents: Eleventy turns the Markdown of `docs/` into `web/dist/docs`, with highlighted code, a search index and
 * compressed files. Part of the pages' build (`web/vite.config.ts`); on its own, from the repository's root:
 *
 *     node web/docs/build.ts <folder to write to>
 */
import { glob, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { Eleventy, type TemplateData, type UserConfig } from '@11ty/eleventy'
import { type Language, languageAt, toAddress, toFile } from './addresses.ts'
import { type Assets, buildAssets } from './assets.ts'
import { checkSite } from './check-site.ts'
import { createHighlight, type Highlight } from './highlight.ts'
import { toIcon } from './icons.ts'
import { createLinks, toHashedName } from './links.ts'
import { amendMarkdown, codeBlock, languageName, type MarkdownLibrary, type PagePart } from './markdown.ts'
import { createNavigation, type PageEntry, findNeighbours, sections, findTranslation } from './navigation.ts'
import { buildSearchIndex } from './search-index.ts'
import { texts } from './texts.ts'

/** The order of pages without one. */
const lastOrder = 1_000

/** On the front page of a demo. The service fills in its address and credential. */
const demoCall = `curl '%base_url%/v1/samples?metric=revenue' \\
  -H 'Authorization: Bearer %demo_credential%'
`

/** What the build collects. */
interface Site {
  assets: Assets
  highlight: Highlight
  pages: PageEntry[]
  /** The parts of each page, by its address. */
  outlines: Map<string, PagePart[]>
  /** Published files other than pages, by path in the built folder. */
  files: Map<string, Uint8Array>
  /** Sentences about problems, all reported together. */
  problems: string[]
}

/** The languages of all code blocks. */
async function findCodeLanguages(): Promise<string[]> {
  const found = new Set(['sh'])
  for await (const path of glob('docs/**/*.md')) {
    if (toAddress(path) === undefined) continue
    const text = await readFile(path, 'utf8')
    for (const [, language] of text.matchAll(/^ *```([\w-]+)/gm)) found.add(language!)
  }
  return [...found]
}

/** Reads a page's front matter, with defaults, and removes the title from its text. */
function readPage(data: TemplateData, content: string, { pages, problems }: Site): string {
  const path = data.page.inputPath.replace(/^\.\//, '')
  const address = toAddress(path)!
  const [heading, title] = /^\s*# (.+)\n/.exec(content) ?? []
  const page: PageEntry = {
    address,
    title: String(data['title'] ?? title?.replaceAll('`', '') ?? ''),
    summary: String(data['summary'] ?? ''),
    section: sections.find((section) => section === (data['section'] ?? 'Look up'))!,
    order: Number(data['order'] ?? lastOrder),
    search: (data['search'] ?? {}) as Record<string, string>,
  }
  if (page.title === '') problems.push(`${path} has no title.`)
  if (page.section === undefined) {
    problems.push(`${path} is in the section "${String(data['section'])}"; there are ${sections.join(', ')}.`)
  }
  pages.push(page)
  Object.assign(data, page, { lang: languageAt(address), permalink: `/${toFile(address)}.html` })
  return content.slice(heading?.length ?? 0) || '\n'
}

function readTemplate(name: string): Promise<string> {
  return readFile(join(import.meta.dirname, 'pages', `${name}.njk`), 'utf8')
}

/** The front page, and the page for unknown addresses, in each language. */
async function addOwnPages(config: UserConfig): Promise<void> {
  const [front, lost] = await Promise.all([readTemplate('front'), readTemplate('lost')])
  const layout = 'base.njk'
  for (const lang of ['en', 'sv'] as const) {
    const t = texts[lang]
    const address = lang === 'sv' ? '/docs/sv' : '/docs'
    const data = {
      layout,
      lang,
      address,
      title: t.documentation,
      summary: t.front.summary,
      otherAddress: lang === 'sv' ? '/docs' : '/docs/sv',
    }
    const file = toFile(address)
    config.addTemplate(`${file}.njk`, front, { ...data, permalink: `/${file}.html` })
    // For demo deployments. The service fills in its credential (`src/platform/web-app/documentation-routes.ts`).
    config.addTemplate(`${file}-demo.njk`, front, { ...data, demo: true, permalink: `/${file}.demo.html` })
    config.addTemplate(`${lang}-lost.njk`, lost, {
      layout,
      lang,
      address: '',
      title: t.lost.title,
      permalink: lang === 'sv' ? '/sv/404.html' : '/404.html',
    })
  }
}

async function configure(config: UserConfig, site: Site): Promise<void> {
  const { pages, outlines, highlight, files, problems } = site
  config.setTemplateFormats(['md', 'njk'])
  config.setUseGitIgnore(false)
  config.setIncludesDirectory(relative('docs', join(import.meta.dirname, 'layouts')))
  config.setNunjucksEnvironmentOptions({ throwOnUndefined: false, autoescape: true })
  for (const pattern of ['docs/decisions/**', 'docs/trials.md']) config.ignores.add(pattern)
  config.addGlobalData('layout', 'page.njk')
  config.addGlobalData('assets', site.assets)
  config.addGlobalData('texts', texts)
  config.addGlobalData('demoCall', codeBlock(demoCall, 'sh', languageName('sh'), highlight))
  config.addPreprocessor('pages', 'md', (data, content) => readPage(data, content, site))
  config.amendLibrary('md', (library: MarkdownLibrary) =>
    amendMarkdown(library, { highlight, links: createLinks(files, problems), outlines }),
  )
  config.addFilter('icon', toIcon)
  config.addFilter('navigation', (language: Language) => createNavigation(pages, language))
  config.addFilter('translation', (address: string) => findTranslation(pages, address)?.address)
  config.addFilter('place', (address: string) =>
    findNeighbours(createNavigation(pages, languageAt(address)), address),
  )
  config.addFilter('headings', (address: string) =>
    (outlines.get(address) ?? []).filter(({ level }) => level === 2 || level === 3),
  )
  // The translation, where there is one.
  config.addFilter('inLanguage', (address: string, language: Language) =>
    languageAt(address) === language ? address : (findTranslation(pages, address)?.address ?? address),
  )
  await addOwnPages(config)
}

/** Two levels below the highest, brotli takes a tenth of the time, for a tenth more bytes. */
const brotliLevel = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

const compressed: readonly [string, (content: Uint8Array) => Promise<Uint8Array>][] = [
  ['.br', (content) => promisify(brotliCompress)(content, brotliLevel)],
  ['.gz', promisify(gzip)],
]

/** Writes a file and its compressed forms; pictures are compressed already. */
async function write(path: string, content: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
  if (/\.(?:png|webp|jpg)$/.test(path)) return
  for (const [suffix, compress] of compressed) await writeFile(path + suffix, await compress(content))
}

/** The address of a built file, also for variants of a page. */
function toFileAddress(path: string): string {
  const name = path.replace(/\.html$/, '')
  return name === 'index' ? '/docs' : `/docs/${name}`
}

/**
 * Builds the documents of the repository in the current folder.
 *
 * @param folder other files in it are kept
 * @throws Error that names every broken link, anchor and page; then nothing is written
 */
export async function buildDocumentation(folder: string): Promise<void> {
  const files = new Map<string, Uint8Array>()
  const [assets, highlight] = await Promise.all([
    buildAssets(files),
    findCodeLanguages().then((languages) => createHighlight(languages)),
  ])
  const site: Site = { assets, highlight, files, pages: [], outlines: new Map(), problems: [] }
  const eleventy = new Eleventy('docs', folder, {
    quietMode: true,
    config: (config) => configure(config, site),
  })
  await eleventy.initializeConfig({ markdownTemplateEngine: false })
  const built = await eleventy.toJSON()

  const index = new TextEncoder().encode(buildSearchIndex(site.pages, site.outlines, site.problems))
  const indexPath = `assets/${toHashedName('search.json', index)}`
  files.set(indexPath, index)
  const htmlByPath = new Map(
    built.map(({ outputPath, content }) => [
      relative(folder, outputPath),
      content.replaceAll('%search_index%', `/docs/${indexPath}`),
    ]),
  )
  const problems = [
    ...site.problems,
    ...checkSite(
      new Map([...htmlByPath].map(([path, html]) => [toFileAddress(path), html])),
      new Set([...files.keys()].map((path) => `/docs/${path}`)),
    ),
  ]
  if (problems.length > 0) throw new Error(`The documents are not built:\n${problems.join('\n')}`)
  for (const [path, html] of htmlByPath) files.set(path, new TextEncoder().encode(html))
  await Promise.all([...files].map(([path, content]) => write(join(folder, path), content)))
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2)
  try {
    if (folder === undefined) throw new Error('Usage: node web/docs/build.ts <folder>')
    await buildDocumentation(folder)
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exitCode = 1
  }
}
