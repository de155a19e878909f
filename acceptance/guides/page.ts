import { posix } from 'node:path'
import { parse } from 'yaml'

/** The scene that a page's blocks run in (CONTRIBUTING.md, "Code blocks of the guides"). */
const sceneNames = ['none', 'events', 'statements', 'webhook', 'app', 'operator'] as const
export type SceneName = (typeof sceneNames)[number]

/** A code block, and its role. */
export type Block = {
  /** The line of its first fence, from 1. */
  line: number
  language: string
  /** The text between its fences. */
  text: string
} & (
  | { role: 'run' }
  | { role: 'file'; file: string }
  /** The output of the previous block. */
  | { role: 'output' }
  | { role: 'not-run'; reason: string }
)

export interface Page {
  /** In the repository. */
  path: string
  scene: SceneName
  blocks: Block[]
  /** The pages that its section about where to read next leads to, in its order. */
  next: string[]
}

const openingFence = /^( *)(`{3,})(.*)$/
const info = /^([a-z]+)((?: [a-z-]+=(?:"[^"]*"|[^\s"]+))*) *$/
const attribute = / ([a-z-]+)=(?:"([^"]*)"|(\S+))/g
/** The languages of a program's output. */
const outputLanguages = new Set(['json', 'text', 'csv'])

interface Fenced {
  line: number
  info: string
  text: string
  /** The previous block, if there are only empty lines in between. */
  before: Block | undefined
}

function toBlock({ line, info: words, text, before }: Fenced): Block {
  const [, language, rest = ''] = info.exec(words) ?? []
  if (language === undefined) throw new Error(`"\`\`\`${words}" names no language, or not as \`key=value\``)
  const {
    file,
    'not-run': reason,
    ...unknown
  } = Object.fromEntries(
    Array.from(rest.matchAll(attribute), ([, key, quoted, plain]) => [key, quoted ?? plain]),
  ) as Record<string, string | undefined>
  if (Object.keys(unknown).length > 0) throw new Error(`unknown: ${Object.keys(unknown).join(', ')}`)
  const block = { line, language, text }
  if (reason !== undefined) return { ...block, role: 'not-run', reason }
  if (file !== undefined) return { ...block, role: 'file', file }
  if (language === 'sh') return { ...block, role: 'run' }
  if (outputLanguages.has(language)) {
    if (before?.role === 'run') return { ...block, role: 'output' }
    if (before?.role === 'not-run') return { ...block, role: 'not-run', reason: before.reason }
  }
  throw new Error(
    `this block of ${language} is neither run, nor written to a \`file=\`, nor the output of a block directly before ` +
      'it, nor does it say why not (`not-run="…"`)',
  )
}

/**
 * The code blocks of a Markdown text, in order.
 *
 * @throws with path and line if the role of a block is unclear
 */
export function readBlocks(path: string, text: string): Block[] {
  const blocks: Block[] = []
  let before: Block | undefined
  let open: (Fenced & { indent: number; ticks: string }) | undefined
  for (const [index, line] of text.split('\n').entries()) {
    if (open === undefined) {
      const [, indent, ticks, words] = openingFence.exec(line) ?? []
      if (ticks !== undefined)
        open = { line: index + 1, info: words!, text: '', before, indent: indent!.length, ticks }
      else if (line.trim() !== '') before = undefined
    } else if (line.trim() === open.ticks) {
      try {
        before = toBlock(open)
      } catch (error) {
        throw new Error(`${path}:${open.line}: ${(error as Error).message}`, { cause: error })
      }
      blocks.push(before)
      open = undefined
    } else {
      open.text += `${line.slice(Math.min(open.indent, line.search(/\S|$/)))}\n`
    }
  }
  if (open !== undefined) throw new Error(`${path}:${open.line}: this block is never closed`)
  return blocks
}

const nextHeading = /^## (?:Where next|Where to read on|Läs vidare)$/m
const link = /\]\(([^\s):#]+\.md)[^)]*\)/g

function readNext(path: string, text: string): string[] {
  const [, section = ''] = text.split(nextHeading)
  return Array.from(section.matchAll(link), ([, to]) => posix.join(posix.dirname(path), to!))
}

const frontMatter = /^---\n(.*?\n)---\n/s

/**
 * A page with its scene: `none` if its front matter names none.
 *
 * @throws as {@link readBlocks} does, and if the scene is unknown
 */
export function readPage(path: string, text: string): Page {
  const [, facts = ''] = frontMatter.exec(text) ?? []
  const { scene = 'none' } = (parse(facts) ?? {}) as { scene?: SceneName }
  if (!sceneNames.includes(scene)) throw new Error(`${path}: there is no scene ${scene}`)
  return { path, scene, blocks: readBlocks(path, text), next: readNext(path, text) }
}
