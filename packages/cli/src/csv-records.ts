/** A record of CSV: its text without the line break, and its cells. */
export interface CsvRecord {
  text: string
  cells: string[]
  /** Where each cell ends in `text`. */
  ends: number[]
}

/** The delimiter that the service takes: the one that the header row has more of. */
export function findDelimiter(text: string): ',' | ';' {
  const header = /^[^\r\n]*/.exec(text)?.[0] ?? ''
  return header.split(';').length > header.split(',').length ? ';' : ','
}

/** Records that are not blank, the header row first. Source: RFC 4180, with CRLF, LF or CR, as the service reads them. */
export function* readCsv(source: string, delimiter: string): Generator<CsvRecord> {
  const text = source.replace(/^\u{feff}/u, '')
  const cell = new RegExp(`("(?:[^"]|"")*"|[^"\\r\\n${delimiter}]*)(${delimiter}|\\r\\n|\\n|\\r|$)`, 'gy')
  for (let at = 0; at < text.length;) {
    const record: CsvRecord = { text: '', cells: [], ends: [] }
    let end = ''
    const start = at
    do {
      cell.lastIndex = at
      const match = cell.exec(text)
      if (!match) throw new SyntaxError(`The CSV is broken at character ${at}.`)
      const [whole, written = ''] = match
      end = match[2] ?? ''
      record.cells.push(written.startsWith('"') ? written.slice(1, -1).replaceAll('""', '"') : written)
      record.ends.push(at - start + written.length)
      at += whole.length
    } while (end === delimiter)
    record.text = text.slice(start, at - end.length)
    if (record.text !== '') yield record
  }
}
