/**
 * Checks a text of the format `simpleMarkdownV1`: headings of one to three `#`, lists of `+` or `+1`, tables of at most
 * five columns, `---` and bold between stars; anything that could be markup and is not stands behind a `\`.
 */

/** What may stand in a text at all. */
const allowed = /^[\n\t\r\u0020-\u007e\u00a0-\uffef]*$/u
const columnsMax = 5

/** Takes out what stands behind a `\`; undefined where that needed none. */
function withoutEscapes(line: string): string | undefined {
  const rest = line.replaceAll(/\\[#+|*\-\\]/g, '.')
  return rest.includes('\\') ? undefined : rest
}

function hasWholeBold(text: string): boolean {
  const parts = text.split('*')
  if (parts.length % 2 === 0) return false
  return parts.every((part, index) => index % 2 === 0 || (part !== '' && part.trim() === part))
}

/** A cell is bold as a whole, or not at all. */
function isCell(cell: string): boolean {
  return cell.trim() === cell && (!cell.includes('*') || /^\*[^*]+\*$/.test(cell))
}

/** The cells of a row, without the bars at its ends; undefined where it is no row. */
function cellsOf(line: string): string[] | undefined {
  const row = line.trim()
  if (!row.startsWith('|') || !row.endsWith('|') || row.length < 3) return undefined
  const cells = row.slice(1, -1).split('|')
  return cells.length <= columnsMax && cells.every(isCell) ? cells : undefined
}

function isTable(rows: readonly string[]): boolean {
  const [header, delimiters, ...body] = rows.map(cellsOf)
  if (header === undefined || delimiters === undefined) return false
  if (!delimiters.every((cell) => /^:?-+:?$/.test(cell))) return false
  return [delimiters, ...body].every((cells) => cells?.length === header.length)
}

function isLine(line: string): boolean {
  if (line.startsWith('#')) return /^#{1,3} \s*\S/.test(line)
  if (line.startsWith('+')) return /^\+(0|[1-9]\d?)? \s*\S/.test(line)
  return true
}

/** @returns what is wrong with the text; undefined where nothing is */
export function findMarkdownFault(text: string): string | undefined {
  if (!allowed.test(text)) return 'a character that may not stand there'
  const table: string[] = []
  for (const [index, written] of [...text.split(/\r\n|\r|\n/), ''].entries()) {
    const line = withoutEscapes(written)
    const where = `line ${index + 1}: `
    if (line === undefined) return `${where}a backslash before what needs none`
    if (!hasWholeBold(line)) return `${where}bold that does not end, or has space inside`
    if (line.trimStart().startsWith('|')) {
      table.push(line)
      continue
    }
    if (table.length > 0 && !isTable(table.splice(0))) return `${where}the table above it is none`
    if (!isLine(line)) return `${where}no heading and no item of a list`
  }
  return undefined
}
