import { languageAt, type Language } from './addresses.ts'
import { escapeHtml } from './escape-html.ts'
import type { Highlight } from './highlight.ts'
import { signatureChecker } from './signature-checker.ts'
import { texts } from './texts.ts'

/** The parts of markdown-it that are used: it comes with Eleventy, without types. */
interface Token {
  type: string
  tag: string
  info: string
  content: string
  attrs: [string, string][] | null
  children: Token[] | null
  meta: unknown
  attrGet(name: string): string | null
  attrSet(name: string, value: string): void
}

interface MarkdownState {
  tokens: Token[]
  env: { page: { inputPath: string }; address: string }
  Token: new (type: string, tag: string, nesting: -1 | 0 | 1) => Token
}

type RenderRule = (tokens: Token[], at: number) => string

export interface MarkdownLibrary {
  core: { ruler: { push(name: string, rule: (state: MarkdownState) => void): void } }
  renderer: { rules: Record<string, RenderRule> }
}

/** The text under a heading, or before the first one. */
export interface PagePart {
  /** The anchor; empty before the first heading. */
  id: string
  heading: string
  /** Of the heading, 2 to 6; 1 before the first. */
  level: number
  text: string
}

export interface Links {
  /**
   * @param from the Markdown file, from the repository's root
   * @returns undefined where the target is not published: then only the link's words stay
   */
  resolve(from: string, href: string): string | undefined
  picture(from: string, src: string): { address: string; width?: string; height?: string }
}

const languageNames: Readonly<Record<string, string>> = {
  sh: 'Shell',
  bash: 'Shell',
  ts: 'TypeScript',
  js: 'JavaScript',
  python: 'Python',
  php: 'PHP',
  csharp: 'C#',
  json: 'JSON',
  csv: 'CSV',
  yaml: 'YAML',
  http: 'HTTP',
  sql: 'SQL',
  xml: 'XML',
  ini: 'INI',
  powerquery: 'Power Query',
  promql: 'PromQL',
  text: 'Text',
}

/** The languages of command output. */
const outputLanguages = new Set(['json', 'text', 'csv'])

function blockLanguage({ info }: Token): string {
  return info.trim().split(/\s+/, 1)[0]!
}

function blockFile({ info }: Token): string | undefined {
  return /\sfile=(\S+)/.exec(info)?.[1]
}

/** The words of an inline token, without formatting. */
function plainText({ children }: Token): string {
  return (children ?? [])
    .map((child) => {
      if (child.type === 'softbreak' || child.type === 'hardbreak') return ' '
      return child.type === 'text' || child.type === 'code_inline' || child.type === 'image'
        ? child.content
        : ''
    })
    .join('')
}

/** Creates the same anchors as GitHub, so that links also work there. */
function createSlugs(): (heading: string) => string {
  const taken = new Map<string, number>()
  return (heading) => {
    const slug = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-')
    const before = taken.get(slug)
    taken.set(slug, (before ?? -1) + 1)
    return before === undefined ? slug : `${slug}-${before + 1}`
  }
}

/** Gives a heading an anchor, and makes it a link to itself unless it contains one. */
function anchorHeading(open: Token, inline: Token, id: string, state: MarkdownState): void {
  open.attrSet('id', id)
  const children = inline.children ?? []
  if (children.some(({ type }) => type === 'link_open')) return
  const link = new state.Token('link_open', 'a', 1)
  link.attrSet('href', `#${encodeURIComponent(id)}`)
  link.attrSet('class', 'anchor')
  inline.children = [link, ...children, new state.Token('link_close', 'a', -1)]
}

/** The parts of a page, for its contents and for search. Gives headings their anchors. */
function readParts(state: MarkdownState): PagePart[] {
  const toSlug = createSlugs()
  const parts: PagePart[] = [{ id: '', heading: '', level: 1, text: '' }]
  for (const [at, token] of state.tokens.entries()) {
    if (token.type !== 'inline') continue
    const open = state.tokens[at - 1]
    if (open?.type === 'heading_open') {
      const heading = plainText(token)
      const id = toSlug(heading)
      parts.push({ id, heading, level: Number(open.tag.slice(1)), text: '' })
      anchorHeading(open, token, id, state)
    } else if (open?.type !== 'th_open') parts.at(-1)!.text += `${plainText(token)} `
  }
  return parts
}

/** Points links and pictures to published addresses. */
function rewriteLinks(inline: Token, from: string, language: Language, links: Links): void {
  const left: boolean[] = []
  inline.children = (inline.children ?? []).filter((child) => {
    if (child.type === 'link_close') return !left.pop()
    if (child.type === 'link_open') {
      const address = links.resolve(from, child.attrGet('href') ?? '')
      left.push(address === undefined)
      if (address === undefined) return false
      child.attrSet('href', address)
      if (address.startsWith('/docs') && languageAt(address) !== language) {
        child.attrSet('hreflang', languageAt(address))
      }
    }
    if (child.type === 'image') {
      const { address, ...size } = links.picture(from, child.attrGet('src') ?? '')
      child.attrSet('src', address)
      for (const [name, value] of Object.entries(size)) child.attrSet(name, value)
    }
    return true
  })
}

/** Gives each cell the name of its column, which a phone shows where cells are stacked, and a class for its alignment. */
function nameCells(tokens: Token[]): void {
  let columns: string[] = []
  let column = 0
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'table_open') columns = []
    if (token.type === 'tr_open') column = 0
    if (token.type !== 'th_open' && token.type !== 'td_open') continue
    const alignment = token.attrGet('style')?.replace('text-align:', '')
    token.attrs = (token.attrs ?? []).filter(([name]) => name !== 'style')
    if (alignment === 'right' || alignment === 'center') token.attrSet('class', alignment)
    if (token.type === 'th_open') columns.push(plainText(tokens[at + 1]!))
    else if (columns[column] !== '') token.attrSet('data-column', columns[column] ?? '')
    column += 1
  }
}

/** A block directly after a command is its output. */
function markOutput(tokens: Token[]): void {
  for (const [at, token] of tokens.entries()) {
    const before = tokens[at - 1]
    token.meta =
      token.type === 'fence' &&
      before?.type === 'fence' &&
      outputLanguages.has(blockLanguage(token)) &&
      blockFile(token) === undefined &&
      (blockLanguage(before) === 'sh' || before.meta === 'output')
        ? 'output'
        : token.meta
  }
}

/** The longest unbreakable piece of inline code, in characters. */
const pieceCharactersMax = 24

/** Inline code that can break after punctuation, and anywhere in longer pieces. */
function breakable(code: string): string {
  return code
    .split(/(?<=[_./:,=-])(?=\w)/)
    .flatMap((piece) => piece.match(new RegExp(`.{1,${pieceCharactersMax}}`, 'gsu')) ?? [])
    .map(escapeHtml)
    .join('<wbr>')
}

/** A block of code with a caption. A script adds the copy button. */
export function codeBlock(
  code: string,
  language: string,
  name: string,
  highlight: Highlight,
  kind = 'code',
): string {
  const html = highlight(code.replace(/\n$/, ''), language)
  return (
    `<figure class="${kind}"><figcaption><span>${escapeHtml(name)}</span></figcaption>` +
    `<pre tabindex="0"><code>${html}</code></pre></figure>\n`
  )
}

export function languageName(language: string): string {
  return languageNames[language] ?? language
}

/**
 * Extends markdown-it with anchors, links between files, tables that fit a phone, highlighted code, and the signature checker.
 *
 * @param options.outlines receives the parts of each page, by address
 */
export function amendMarkdown(
  library: MarkdownLibrary,
  options: { highlight: Highlight; links: Links; outlines: Map<string, PagePart[]> },
): void {
  const { highlight, links, outlines } = options
  const { rules } = library.renderer
  library.core.ruler.push('numera', (state) => {
    const from = state.env.page.inputPath.replace(/^\.\//, '')
    const language = languageAt(state.env.address)
    for (const token of state.tokens) {
      if (token.type === 'inline') rewriteLinks(token, from, language, links)
      if (token.type === 'fence') token.attrSet('lang', language)
    }
    nameCells(state.tokens)
    markOutput(state.tokens)
    outlines.set(state.env.address, readParts(state))
  })
  rules['fence'] = (tokens, at) => {
    const token = tokens[at]!
    const language = blockLanguage(token)
    const { output } = texts[token.attrGet('lang') as 'en' | 'sv']
    return token.meta === 'output'
      ? codeBlock(token.content, language, output, highlight, 'code output')
      : codeBlock(token.content, language, blockFile(token) ?? languageName(language), highlight)
  }
  rules['code_inline'] = (tokens, at) => `<code>${breakable(tokens[at]!.content)}</code>`
  rules['html_block'] = (tokens, at) => {
    const { content } = tokens[at]!
    return content.trim() === '<div data-signature-checker></div>' ? signatureChecker : content
  }
}
