/** The first bytes of files that are often sent in place of the text in them, and what to do about each. */
const files: [firstBytes: number[], sentence: string][] = [
  [
    [0x50, 0x4b, 0x03, 0x04],
    'The body is a zip file, such as an Excel workbook (.xlsx): save the sheet as CSV UTF-8, and send that.',
  ],
  [
    [0xd0, 0xcf, 0x11, 0xe0],
    'The body is an Excel workbook (.xls): save the sheet as CSV UTF-8, and send that.',
  ],
  [[0x25, 0x50, 0x44, 0x46], 'The body is a PDF file: send the figures in it as CSV or JSON.'],
  [[0x1f, 0x8b], 'The body is compressed with gzip: send it uncompressed.'],
]

const utf16 = 'The body is in UTF-16 or UTF-32: save it as UTF-8, in Excel as CSV UTF-8.'

/** What a body is that no text in UTF-8 begins like, as one sentence; undefined where it may be one. */
export function recogniseFile(body: Uint8Array): string | undefined {
  const file = files.find(([firstBytes]) => firstBytes.every((byte, at) => body[at] === byte))
  if (file !== undefined) return file[1]
  const [first, second] = body
  // A byte order mark, or an ASCII character next to a zero byte.
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  return isUtf16 || first === 0 || second === 0 ? utf16 : undefined
}

/** For a body that is not UTF-8. */
export function notUtf8(body: Uint8Array): string {
  const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString()
  const line = text.slice(0, text.indexOf('\ufffd')).split('\n').length
  return `The body is not UTF-8 on line ${line}: save it as UTF-8, in Excel as CSV UTF-8.`
}
