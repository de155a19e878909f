/**
 * The documents as pages: the Markdown in `docs/`, made into `web/dist/docs` by Eleventy, with coloured code, a search index
 * and everything compressed. Part of the pages' build (`web/vite.config.ts`); by itself, from the repository's root:
 *
 *     node web/docs/build.ts <folder to write to>
 */
import { glob, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { Eleventy, type TemplateData, type UserConfig } from '@11ty/eleventy'
import { addressOf, fileOf, type Language, languageOf } from './addresses.ts'
import { type Assets, buildAssets } from './assets.ts'
import { checkSite } from './check-site.ts'
import { createHighlight, type Highlight } from './highlight.ts'
import { iconOf } from './icons.ts'
import { createLinks, namedAfter } from './links.ts'
import { amendMarkdown, codeBlock, languageName, type MarkdownLibrary, type PagePart } from './markdown.ts'
import { navigationOf, type PageEntry, placeOf, sections, translationOf } from './navigation.ts'
import { buildSearchIndex } from './search-index.ts'
import { texts } from './texts.ts'

/** Where a page says nothing of its place, it stands last. */
const lastOrder = 1_000

/** What the front page of a demo shows; the service puts in its address and credential. */
const demoCall = `curl '%base_url%/v1/samples?metric=revenue' \\
  -H 'Authorization: Bearer %demo_credential%'
`

/** What the build gathers on its way. */
interface Site {
  assets: Assets
  highlight: Highlight
  pages: PageEntry[]
  /** The parts of each page, by its address. */
  outlines: Map<string, PagePart[]>
  /** What is published beside the pages, by its path in the built folder. */
  files: Map<string, Uint8Array>
  /** Sentences about what is wrong. All of them are told at once. */
  problems: string[]
}

/** Every language that a block of code is in, in the documents and on the front page. */
async function languagesOfCode(): Promise<string[]> {
  const found = new Set(['sh'])
  for await (const path of glob('docs/**/*.md')) {
    if (addressOf(path) === undefined) continue
    const text = await readFile(path, 'utf8')
    for (const [, language] of text.matchAll(/^ *```([\w-]+)/gm)) found.add(language!)
  }
  return [...found]
}

/** Reads what a page says of itself, with what holds where it says nothing, and takes its title out of its text. */
function readPage(data: TemplateData, content: string, { pages, problems }: Site): string {
  const path = data.page.inputPath.replace(/^\.\//, '')
  const address = addressOf(path)!
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
  Object.assign(data, page, { lang: languageOf(address), permalink: `/${fileOf(address)}.html` })
  return content.slice(heading?.length ?? 0) || '\n'
}

function readTemplate(name: string): Promise<string> {
  return readFile(join(import.meta.dirname, 'pages', `${name}.njk`), 'utf8')
}

/** The front page and the page of addresses that nobody knows, in each language. */
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
    const file = fileOf(address)
    config.addTemplate(`${file}.njk`, front, { ...data, permalink: `/${file}.html` })
    // Where the deployment is a demo. The service puts its credential in (`src/http/documentation-routes.ts`).
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
  for (const pattern of ['docs/decisions/**', 'docs/screens/**', 'docs/trials.md'])
    config.ignores.add(pattern)
  config.addGlobalData('layout', 'page.njk')
  config.addGlobalData('assets', site.assets)
  config.addGlobalData('texts', texts)
  config.addGlobalData('demoCall', codeBlock(demoCall, 'sh', languageName('sh'), highlight))
  config.addPreprocessor('pages', 'md', (data, content) => readPage(data, content, site))
  config.amendLibrary('md', (library: MarkdownLibrary) =>
    amendMarkdown(library, { highlight, links: createLinks(files, problems), outlines }),
  )
  config.addFilter('icon', iconOf)
  config.addFilter('navigation', (language: Language) => navigationOf(pages, language))
  config.addFilter('translation', (address: string) => translationOf(pages, address)?.address)
  config.addFilter('place', (address: string) => placeOf(navigationOf(pages, languageOf(address)), address))
  config.addFilter('headings', (address: string) =>
    (outlines.get(address) ?? []).filter(({ level }) => level === 2 || level === 3),
  )
  // In this language where it is written in it.
  config.addFilter('inLanguage', (address: string, language: Language) =>
    languageOf(address) === language ? address : (translationOf(pages, address)?.address ?? address),
  )
  await addOwnPages(config)
}

/** Two steps below the highest level, brotli takes a tenth of the time and gives a tenth more. */
const brotliLevel = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

const compressed: readonly [string, (content: Uint8Array) => Promise<Uint8Array>][] = [
  ['.br', (content) => promisify(brotliCompress)(content, brotliLevel)],
  ['.gz', promisify(gzip)],
]

/** Writes a file, and beside it its compressed forms where these are smaller. */
async function write(path: string, content: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
  if (/\.(?:png|webp|jpg)$/.test(path)) return
  for (const [suffix, compress] of compressed) await writeFile(path + suffix, await compress(content))
}

/** The address of a built file: of a page its own, of a variant or an unknown page that of the file. */
function addressOfFile(path: string): string {
  const name = path.replace(/\.html$/, '')
  return name === 'index' ? '/docs' : `/docs/${name}`
}

/**
 * Builds the documents of the repository in which it runs.
 *
 * @param folder where they are written to; what is there and has another name stays
 * @throws Error that names every link, anchor and page that is wrong; nothing is written then
 */
export async function buildDocumentation(folder: string): Promise<void> {
  const files = new Map<string, Uint8Array>()
  const [assets, highlight] = await Promise.all([
    buildAssets(files),
    languagesOfCode().then((languages) => createHighlight(languages)),
  ])
  const site: Site = { assets, highlight, files, pages: [], outlines: new Map(), problems: [] }
  const eleventy = new Eleventy('docs', folder, {
    quietMode: true,
    config: (config) => configure(config, site),
  })
  await eleventy.initializeConfig({ markdownTemplateEngine: false })
  const built = await eleventy.toJSON()

  const index = new TextEncoder().encode(buildSearchIndex(site.pages, site.outlines, site.problems))
  const indexPath = `assets/${namedAfter('search.json', index)}`
  files.set(indexPath, index)
  const htmlOf = new Map(
    built.map(({ outputPath, content }) => [
      relative(folder, outputPath),
      content.replaceAll('%search_index%', `/docs/${indexPath}`),
    ]),
  )
  const problems = [
    ...site.problems,
    ...checkSite(
      new Map([...htmlOf].map(([path, html]) => [addressOfFile(path), html])),
      new Set([...files.keys()].map((path) => `/docs/${path}`)),
    ),
  ]
  if (problems.length > 0) throw new Error(`The documents are not built:\n${problems.join('\n')}`)
  for (const [path, html] of htmlOf) files.set(path, new TextEncoder().encode(html))
  await Promise.all([...files].map(([path, content]) => write(join(folder, path), content)))
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2)
  try {
    if (folder === undefined) throw new Error('Say where to: node web/docs/build.ts <folder>')
    await buildDocumentation(folder)
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exitCode = 1
  }
}
