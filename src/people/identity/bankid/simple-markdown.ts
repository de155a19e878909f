/** Characters that simpleMarkdownV1 may not contain, and those that need a backslash. */
const forbidden = /[^\t\n\r\x20-\x7e\u00a0-\uffef]|[\ud800-\udfff]/gu
const special = /[#+|*\-\\]/g

/**
 * A character that BankID cannot show becomes its number, so that texts which differ in such a character look different (unless the
 * number itself was typed). Verifying evidence applies this again, so it must not change.
 */
function escapeText(text: string): string {
  return text
    .replaceAll(
      forbidden,
      (character) => `[U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`,
    )
    .replaceAll(special, String.raw`\$&`)
}

/**
 * Plain text as BankID's simpleMarkdownV1, so that the app shows it as written: the first line is a heading, lines
 * that begin with a hyphen are a list, and nothing else is markup.
 */
export function toSimpleMarkdown(plainText: string): string {
  const [title = '', ...lines] = plainText.split(/\r\n|\r|\n/).map((line) => line.trim())
  const body = lines.map((line) => {
    const item = /^- +(.+)$/.exec(line)?.[1]
    return item === undefined ? escapeText(line) : `+ ${escapeText(item)}`
  })
  return [title === '' ? '' : `## ${escapeText(title)}`, ...body].join('\n')
}
