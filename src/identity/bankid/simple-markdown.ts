/** Characters that simpleMarkdownV1 may hold; those of them that mean something have a backslash before them. */
const forbidden = /[^\t\n\r\x20-\x7e\u00a0-\uffef]|[\ud800-\udfff]/gu
const special = /[#+|*\-\\]/g

/** A line end of any kind. */
const lineEnd = /\r\n|\r|\n/

/**
 * A character that BankID cannot show stands as its number, so that two texts that differ in one look different too, but for a text
 * that has the number typed. Verifying evidence applies this again: it has to stay as it is.
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
 * Plain text as BankID's simpleMarkdownV1, so that the app shows it as it was written: the first line is a heading, lines
 * that begin with a hyphen are a list, and nothing else in it means anything.
 */
export function toSimpleMarkdown(plainText: string): string {
  const [title = '', ...lines] = plainText.split(lineEnd).map((line) => line.trim())
  const body = lines.map((line) => {
    const item = /^- +(.+)$/.exec(line)?.[1]
    return item === undefined ? escapeText(line) : `+ ${escapeText(item)}`
  })
  return [title === '' ? '' : `## ${escapeText(title)}`, ...body].join('\n')
}
