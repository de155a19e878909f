/**
 * Checks a text of the format `simpleMarkdownV1`: headings of one to three `#`, lists of `+` or `+1`, tables of at most
 * five columns, `---`, and bold between stars. A `\` escapes characters that would be markup.
 */

const allowedCharacters = /^[\n\t\r\u0020-\u007e\u00a0-\uffef]*$/u
const columnsMax = 5

/** The line without escaped characters; undefined if an escape is unnecessary. */
function withoutEscapes(line: string): string | undefined {
  const rest = line.replaceAll(/\\[#+|*\-\\]/g, '.')
  return rest.includes('\\') ? undefined : rest
}

function hasWholeBold(text: string): boolean {
  const parts = text.split('*')
  if (parts.length % 2 === 0) return false
  return parts.every((part, index) => index % 2 === 0 || (part !== '' && part.trim() === part))
}

/** A cell is either all bold or not bold. */
function isCell(cell: string): boolean {
  return cell.trim() === cell && (!cell.includes('*') || /^\*[^*]+\*$/.test(cell))
}

/** Undefined if the line is not a row of a table. */
function readCells(line: string): string[] | undefined {
  const row = line.trim()
  if (!row.startsWith('|') || !row.endsWith('|') || row.length < 3) return undefined
  const cells = row.slice(1, -1).split('|')
  return cells.length <= columnsMax && cells.every(isCell) ? cells : undefined
}

function isTable(rows: readonly string[]): boolean {
  const [header, delimiters, ...body] = rows.map(readCells)
  if (header === undefined || delimiters === undefined) return false
  if (!delimiters.every((cell) => /^:?-+:?$/.test(cell))) return false
  return [delimiters, ...body].every((cells) => cells?.length === header.length)
}

function isLine(line: string): boolean {
  if (line.startsWith('#')) return /^#{1,3} \s*\S/.test(line)
  if (line.startsWith('+')) return /^\+(0|[1-9]\d?)? \s*\S/.test(line)
  return true
}

/** @returns the first fault of the text */
export function findMarkdownFault(text: string): string | undefined {
  if (!allowedCharacters.test(text)) return 'a character that is not allowed'
  const table: string[] = []
  for (const [index, written] of [...text.split(/\r\n|\r|\n/), ''].entries()) {
    const line = withoutEscapes(written)
    const where = `line ${index + 1}: `
    if (line === undefined) return `${where}an unnecessary backslash`
    if (!hasWholeBold(line)) return `${where}bold text without an end, or with space at its ends`
    if (line.trimStart().startsWith('|')) {
      table.push(line)
      continue
    }
    if (table.length > 0 && !isTable(table.splice(0))) return `${where}the table above is malformed`
    if (!isLine(line)) return `${where}a malformed heading or list item`
  }
  return undefined
}
