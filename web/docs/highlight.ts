import {
  bundledLanguages,
  createCssVariablesTheme,
  createHighlighter,
  createJavaScriptRegexEngine,
} from 'shiki'
import { escapeHtml } from './escape-html.ts'

/** A block of code as HTML, each kind of word in a class of its own. */
export type Highlight = (code: string, language: string) => string

const prefix = '--word-'
/** The theme says `var(--word-token-keyword)`; what is not named so has the text's own colour. */
const tokenColour = new RegExp(`^var\\(${prefix}token-([a-z-]+)\\)$`)

/**
 * What colours code in these languages. The colours themselves are in the style (`style/code.css`), by class: the content
 * policy takes no style in the page, and light and dark come from variables.
 *
 * @throws Error for a language that is not known
 */
export async function createHighlight(languages: readonly string[]): Promise<Highlight> {
  const coloured = languages.filter((language) => language !== 'text')
  const unknown = coloured.find((language) => !(language in bundledLanguages))
  if (unknown !== undefined)
    throw new Error(`There is code in "${unknown}", which is no language that is known.`)
  const theme = createCssVariablesTheme({ name: 'numera', variablePrefix: prefix, fontStyle: false })
  const highlighter = await createHighlighter({
    themes: [theme],
    langs: coloured,
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  })
  return (code, language) => {
    if (language === 'text' || language === '') return escapeHtml(code)
    const { tokens } = highlighter.codeToTokens(code, { lang: language as 'ts', theme: 'numera' })
    return tokens
      .map((line) =>
        line
          .map(({ content, color = '' }) => {
            const kind = tokenColour.exec(color)?.[1]
            const text = escapeHtml(content)
            return kind === undefined || content.trim() === ''
              ? text
              : `<span class="w-${kind}">${text}</span>`
          })
          .join(''),
      )
      .join('\n')
  }
}
