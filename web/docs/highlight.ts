import {
  bundledLanguages,
  createCssVariablesTheme,
  createHighlighter,
  createJavaScriptRegexEngine,
} from 'shiki'
import { escapeHtml } from './escape-html.ts'

/** Turns code into HTML with a class for each kind of token. */
export type Highlight = (code: string, language: string) => string

const prefix = '--word-'
/** The theme's colours are `var(--word-token-keyword)`; other tokens have the text's colour. */
const tokenPattern = new RegExp(`^var\\(${prefix}token-([a-z-]+)\\)$`)

/**
 * Highlights code in these languages. The colours are in `style/code.css`, since the content policy blocks inline styles.
 *
 * @throws Error for an unknown language
 */
export async function createHighlight(languages: readonly string[]): Promise<Highlight> {
  const highlighted = languages.filter((language) => language !== 'text')
  const unknown = highlighted.find((language) => !(language in bundledLanguages))
  if (unknown !== undefined) throw new Error(`There is code in "${unknown}", which is not a known language.`)
  const theme = createCssVariablesTheme({ name: 'numera', variablePrefix: prefix, fontStyle: false })
  const highlighter = await createHighlighter({
    themes: [theme],
    langs: highlighted,
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  })
  return (code, language) => {
    if (language === 'text' || language === '') return escapeHtml(code)
    const { tokens } = highlighter.codeToTokens(code, { lang: language as 'ts', theme: 'numera' })
    return tokens
      .map((line) =>
        line
          .map(({ content, color = '' }) => {
            const kind = tokenPattern.exec(color)?.[1]
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
