import { inflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { byCountry, startReportScene } from '../../../testing/in-process/scenes/report-scene.ts'

const { app, openShop, deliver } = await startReportScene()

/** The files of an archive, by its central directory. */
function unzip(bytes: Buffer): Map<string, string> {
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06'))
  const files = new Map<string, string>()
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [size, nameLength, extra, comment] = [20, 28, 30, 32].map((offset) =>
      offset === 20 ? bytes.readUInt32LE(at + offset) : bytes.readUInt16LE(at + offset),
    ) as [number, number, number, number]
    const local = bytes.readUInt32LE(at + 42)
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const content = bytes.subarray(start, start + size)
    const text = bytes.readUInt16LE(at + 10) === 0 ? content : inflateRawSync(content)
    files.set(bytes.toString('utf8', at + 46, at + 46 + nameLength), text.toString())
    at += 46 + nameLength + extra + comment
  }
  return files
}

/** The parts of a workbook that a test looks into, as text. */
function unpack(bytes: Buffer) {
  const parts = unzip(bytes)
  const text = (name: string): string => parts.get(name)!
  const shared = Array.from(
    text('xl/sharedStrings.xml').matchAll(/<t[^>]*>([^<]*)<\/t>/g),
    ([, each]) => each!,
  )
  const sheet = (number: number) => {
    const xml = text(`xl/worksheets/sheet${number}.xml`)
    const cells = Array.from(
      xml.matchAll(/<c r="([A-Z]+[0-9]+)"([^>]*)>(?:<is><t[^>]*>([^<]*)<\/t><\/is>|<v>([^<]*)<\/v>)<\/c>/g),
      ([, place, attributes, inline, value]) =>
        [place!, inline ?? (attributes!.includes('t="s"') ? shared[Number(value)]! : Number(value))] as const,
    )
    return { xml, cells: Object.fromEntries(cells) }
  }
  return { sheet, styles: text('xl/styles.xml'), workbook: text('xl/workbook.xml') }
}

test('a workbook has numbers, days and units, texts where a number would lose digits, and says what it is', async () => {
  const shop = await openShop(byCountry)
  await deliver(shop, [
    { at: '2026-01-02', amount: '123456789012.345', country: '=SE' },
    { at: '2026-02-02', amount: '99999999999999999999.01', country: '=SE' },
    { at: '2026-03-02', amount: '-2.50', country: 'NO' },
  ])
  const query = 'grain=month&by=country&from=2026-01-01&to=2026-03-16&where.country=%3DSE&where.country=NO'
  const cookie = await sessionOf(shop)
  const answer = await app.inject({
    url: `${shop.report}/file.xlsx?${query}&language=en`,
    headers: { cookie },
  })
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-disposition']).toMatch(/-Shop-revenue-.*[.]xlsx"; filename\*=UTF-8''/)
  const { sheet, styles, workbook } = unpack(answer.rawPayload)
  expect(workbook).toMatch(/name="Figures".*name="About"/s)
  const { xml, cells } = sheet(1)
  expect(xml).toMatch(/<pane (?=[^>]*xSplit="1")(?=[^>]*ySplit="1")[^>]*state="frozen"/)
  expect(cells).toMatchObject({
    A1: 'First day',
    C1: '=SE (SEK)',
    D1: 'NO (SEK)',
    // 2026-01-01.
    A2: 46_023,
    C2: 123_456_789_012.345,
    C3: '99999999999999999999.01',
    D4: -2.5,
    F4: 'yes',
  })
  expect(xml).not.toContain('<f>')
  expect(styles).toContain('#,##0.000')
  const about = Object.values(sheet(2).cells)
  for (const line of [
    'Organisation number',
    'revenue',
    'SEK',
    '2026-03-15T12:00:00.000Z',
    'country: =SE, NO',
  ])
    expect(
      about.some((cell) => String(cell).includes(line)),
      line,
    ).toBe(true)
  expect(about).toContainEqual(expect.stringContaining('Values with more than 15 digits are written as text'))
  expect(about).toContainEqual(
    expect.stringMatching(
      /[/]companies[/].*[/]reports[/].*[/]revenue[?].*where.country=%3DSE.*to=2026-03-15/,
    ),
  )
})

async function sessionOf(shop: Awaited<ReturnType<typeof openShop>>): Promise<string> {
  return [...(await shop.signInAgain()).cookies].map((pair) => pair.join('=')).join('; ')
}
