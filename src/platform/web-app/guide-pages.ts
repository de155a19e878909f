import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { parse } from 'yaml'

/** A page of the documents: a Markdown file of `docs/` that begins with its title and summary. */
export interface GuidePage {
  /** Below `/docs/`: `push`, `sv/start-here`. */
  name: string
  /** From `docs/`: `guides/push.md`. */
  file: string
  title: string
  summary: string
  section: string
  order: number
  language: 'en' | 'sv'
  /** Without its front matter and its title. */
  markdown: string
}

/** In the order in which a reader meets them. */
const sections = ['Begin', 'Send', 'Read', 'Apps', 'Run', 'Look up']

const docsFolder = join(import.meta.dirname, '../..', '..', 'docs')

/** Where pages are, with the part of their address before their name. */
const folders: [folder: string, prefix: string, language: 'en' | 'sv'][] = [
  ['', '', 'en'],
  ['guides', '', 'en'],
  ['guides/sv', 'sv/', 'sv'],
]

const frontMatter = /^---\r?\n([\s\S]*?)\r?\n---\r?\n/

interface FrontMatter {
  title: string
  summary: string
  section: string
  order: number
}

async function listFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names.filter((name) => name.endsWith('.md'))
}

async function readPages(
  docs: string,
  [folder, prefix, language]: (typeof folders)[number],
): Promise<GuidePage[]> {
  const pages: GuidePage[] = []
  for (const name of await listFiles(join(docs, folder))) {
    const text = await readFile(join(docs, folder, name), 'utf8')
    const [whole, head] = frontMatter.exec(text) ?? []
    // A file that does not say what it is, such as the list of trials, is not a page.
    if (whole === undefined || head === undefined) continue
    const { title, summary, section, order } = parse(head) as FrontMatter
    pages.push({
      title,
      summary,
      section,
      order,
      language,
      name: `${prefix}${name.slice(0, -'.md'.length)}`,
      file: posix.join(folder, name),
      markdown: text
        .slice(whole.length)
        .replace(/^\s*# .*\r?\n/, '')
        .trim(),
    })
  }
  return pages
}

/** Every page of the documents, section by section; each language by itself, English first. */
export async function readGuidePages(docs = docsFolder): Promise<GuidePage[]> {
  const pages = await Promise.all(folders.map((folder) => readPages(docs, folder)))
  const place = ({ language, section, order }: GuidePage): [number, number, number] => [
    language === 'en' ? 0 : 1,
    sections.includes(section) ? sections.indexOf(section) : sections.length,
    order,
  ]
  return pages.flat().toSorted((a, b) => {
    const [first, second] = [place(a), place(b)]
    const differing = first.findIndex((part, index) => part !== second[index])
    return differing === -1 ? 0 : first[differing]! - second[differing]!
  })
}

/** A link or an image, with its text and its target. */
const link = /!?\[([^\]]*)\]\(([^)\s]+)\)/g

/**
 * The Markdown of a page with links that lead somewhere from anywhere: those to other pages become addresses of the
 * deployment; of those to other files the text stays.
 */
export function absoluteMarkdown(page: GuidePage, pages: readonly GuidePage[], baseUrl: string): string {
  const toAddress = (target: string): string | undefined => {
    if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return target
    if (target.startsWith('/')) return `${baseUrl}${target}`
    const [path = '', anchor] = target.split('#', 2)
    const file = path === '' ? page.file : posix.join(dirname(page.file), path)
    const named = pages.find((each) => each.file === file)
    return named && `${baseUrl}/docs/${named.name}${anchor === undefined ? '' : `#${anchor}`}`
  }
  // Every second part is a block of code.
  const parts = page.markdown.split(/^(```[\s\S]*?^```)/m)
  return parts
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part.replace(link, (whole, text: string, target: string) => {
            const address = whole.startsWith('!') ? undefined : toAddress(target)
            return address === undefined ? text : `[${text}](${address})`
          }),
    )
    .join('')
}
