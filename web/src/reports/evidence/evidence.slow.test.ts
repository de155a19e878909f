import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { lookOver, painted } from '../../../../testing/browser/screens.ts'
import { apiError } from '../../testing/api-stub.ts'
import { exampleEvidence } from '../../testing/example-evidence.ts'
import { ledgerId } from '../../testing/example-reports.ts'
import { ledger, list, startReportPages } from '../../testing/report-scene.ts'

const { open, getCalls } = startReportPages()
const read = 'GET /console/companies/{company_id}/sources/{source_id}/reports/{metric}/evidence'
const evidence = `${list}/${ledgerId}/revenue/evidence?trace=2026-09-01&grain=month`

const known = {
  'GET /console/known-metrics': () => ({ metrics: [{ key: 'revenue', name: 'Revenue', unit: 'SEK' }] }),
}

/** The number of a PDF's pages. PDFs of Chromium name each page once. */
const countPages = (pdf: Buffer): number => pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0

/** Prints as a person does who chose dark colours. With `NUMERA_PDF` set, a folder, it is kept there to look at. */
const printPage = async (page: Page, name: string): Promise<Buffer> => {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await painted(page)
  const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true })
  const folder = process.env['NUMERA_PDF']
  if (folder !== undefined) writeFileSync(join(folder, `${name}.pdf`), pdf)
  return pdf
}

test('A figure’s trace leads to its evidence, whose address then names an instant', async () => {
  const page = await open(ledger, { ...known, [read]: () => exampleEvidence() })
  await page
    .getByRole('button', { name: '604,477.75' })
    .or(page.getByRole('button', { name: '620,394.50' }))
    .first()
    .click()
  await page.getByRole('link', { name: 'Prove this number' }).press('Enter')
  await page.getByRole('article').getByText('620,394.50 SEK').waitFor()
  await expect.poll(() => new URL(page.url()).searchParams.get('as_of')).toBe('2026-11-20T10:00:00.000Z')
  expect(new URL(page.url()).searchParams.get('label.country')).toBe('.Sweden')
  const calls = getCalls().filter(({ operation }) => operation === read)
  expect(calls.map(({ query }) => query)).toMatchObject([
    { period_start: '2026-09-01', grain: 'month', 'label.country': 'Sweden' },
  ])
})

test('The document is printed on pages with a head and a number, without buttons', async () => {
  const page = await open(evidence, { ...known, [read]: () => exampleEvidence() })
  await page.getByRole('article').waitFor()
  const text = (await page.getByRole('article').innerText()).replaceAll(/\s+/g, ' ')
  for (const part of [
    '7K3QX-9M2DA-HT5WB-0ZC8R-VNE41',
    'Per Norrsken',
    'The first 100 of 551 rows',
    'masked',
    '+15,916.75',
  ]) {
    expect(text).toContain(part)
  }
  expect(await lookOver(page, 'evidence')).toEqual([])
  const pdf = await printPage(page, 'evidence')
  expect(countPages(pdf)).toBeGreaterThan(3)
  expect(await page.getByRole('button').filter({ visible: true }).count()).toBe(0)
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
    'rgb(255, 255, 255)',
  )
  const rules = await page.evaluate(() =>
    document.adoptedStyleSheets.map((sheet) => sheet.cssRules[0]!.cssText).join(),
  )
  expect(rules).toContain('Evidence of a figure: Revenue, September 2026')
  expect(rules).toContain('counter(pages)')
})

test('Readers see neither rows nor names, and where there is no delivery the page says so', async () => {
  const details = { deliveries_visible: false, deliveries: [] }
  const page = await open(evidence, { ...known, [read]: () => exampleEvidence({ details }) })
  await page.getByText('Rows and names are listed for owners and developers.').waitFor()
  const none = await open(evidence, { ...known, [read]: () => apiError(404, 'not_found') })
  await none.getByText('Nothing to prove').waitFor()
})

test('A report is printed whole, with company, source, range and filters on each page', async () => {
  const page = await open(`${ledger}&where.country=Sweden`)
  await page.getByRole('slider').waitFor()
  const pdf = await printPage(page, 'report')
  expect(countPages(pdf)).toBe(2)
  const rules = await page.evaluate(() =>
    document.adoptedStyleSheets.map((sheet) => sheet.cssRules[0]!.cssText).join(),
  )
  expect(rules).toContain('Ledger')
  expect(rules).toContain('Page ')
  expect(
    await page
      .getByRole('button', { name: /Print|CSV|Copy/ })
      .filter({ visible: true })
      .count(),
  ).toBe(0)
})
