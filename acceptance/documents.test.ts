import { utimes, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { documentSceneForTests, exampleSie, readGuideFile } from './document-scene.ts'

const { follow, path, runScript } = documentSceneForTests()

describe('The guide’s script for documents', () => {
  test.each([
    [202, 0],
    [400, 1],
    [409, 1],
    [413, 1],
    [408, 75],
    [429, 75],
    [503, 75],
    ['000', 75],
  ])('answered with %s, ends with %i', async (status, code) => {
    const file = path('file.csv')
    await writeFile(file, 'at\n')
    const curl = `printf %s ${status}; test ${status} != 000`
    expect((await runScript(['http://127.0.0.1:1', file, file], curl)).code).toBe(code)
  })

  test('pushes a nightly CSV file, which the next one replaces', async () => {
    const { push, pushParsed, samples } = await follow('sales.json')
    const csv = readGuideFile('sales.csv')
    const file = path('sales.csv')
    await writeFile(file, csv)
    const receipt = await pushParsed(file)
    expect(receipt).toMatchObject({ dropped_keys: ['till'], delivers: 'statements' })
    const january = [
      { period_start: '2026-01-01', value: '1249.5', shop: 'Ekeby' },
      { period_start: '2026-01-01', value: '-80', shop: 'Norr "Torget"' },
    ]
    expect(await samples()).toEqual(january)

    expect(JSON.parse((await push(file)).out)).toEqual(receipt)
    const february = { period_start: '2026-02-01', value: '7.25', shop: 'Ekeby' }
    await writeFile(file, `${csv}2026-02-01;Ekeby;7.25;1\n`)
    await pushParsed(file)
    expect(await samples()).toEqual([february, ...january])

    // An export with the bytes of the first one, but later: January is replaced once more, and February stays.
    await writeFile(file, csv.replace('1249.50', '1250.50'))
    await pushParsed(file)
    await writeFile(file, csv)
    await utimes(file, new Date(), new Date(Date.now() + 2_000))
    expect((await pushParsed(file)).artifact_id).not.toBe(receipt.artifact_id)
    expect(await samples()).toEqual([february, ...january])
  })

  test('pushes a SIE file, whose samples are the revenue of each month', async () => {
    const { pushParsed, samples } = await follow('ledger.json')
    const file = path('ledger.se')
    await writeFile(file, exampleSie)
    expect(await pushParsed(file)).toMatchObject({ dropped_keys: [] })
    // Newest first. In January 1000.50 and 7000.00; in February 2100.00, less 100.00 of discounts and a credit note of 500.25.
    expect(await samples()).toEqual([
      { period_start: '2026-03-01', value: '0.5' },
      { period_start: '2026-02-01', value: '1499.75' },
      { period_start: '2026-01-01', value: '8000.5' },
    ])
  })
})
