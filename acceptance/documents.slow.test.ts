import { writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { documentSceneForTests, exampleSie } from './document-scene.ts'
import { call } from '../testing/process/call.ts'

const scene = documentSceneForTests()
const { follow, path } = scene

const codePage437: Record<string, number> = { å: 0x86, ä: 0x84, ö: 0x94, Å: 0x8f, Ä: 0x8e, Ö: 0x99 }

test('A SIE file in code page 437 with CRLF has the samples of one in UTF-8', async () => {
  const { pushParsed, samples } = await follow('ledger.json', 'operator')
  const bytes = Array.from(
    exampleSie.replaceAll('\n', '\r\n'),
    (character) => codePage437[character] ?? character.charCodeAt(0),
  )
  const file = path('ledger.se')
  await writeFile(file, Buffer.from(bytes))
  expect(await pushParsed(file)).toMatchObject({ dropped_keys: [] })
  expect(await samples()).toEqual([
    { period_start: '2026-03-01', value: '0.5' },
    { period_start: '2026-02-01', value: '1499.75' },
    { period_start: '2026-01-01', value: '8000.5' },
  ])
})

test('A SIE file that was cut off is refused with the line', async () => {
  const { push } = await follow('ledger.json')
  const file = path('cut.se')
  await writeFile(file, exampleSie.slice(0, exampleSie.lastIndexOf('}')))
  const { code, err } = await push(file)
  expect(code).toBe(1)
  expect(err).toContain('The SIE file ends before what it began on line')
})

test('A CSV file is accepted without its malformed rows, which are reported by line', async () => {
  const { credential, pushParsed } = await follow('sales.json', 'operator')
  const file = path('bad.csv')
  await writeFile(
    file,
    'date;amount\n2026-01-15;1\n\n2026-02-30;2\n"2026-01-15\n";3\n2026-01-15;4;5\n2026-01-16;6\n',
  )
  const { artifact_id } = await pushParsed(file)
  const { body } = await call(`${scene.service.url}/v1/deliveries/${artifact_id}`, { credential })
  expect(body).toMatchObject({ state: 'parsed', rows_accepted: 2, rows_refused: 3 })
  expect(body.refusals.map(({ row, line }: { row: number; line: number }) => [row, line])).toEqual([
    [2, 4],
    [3, 5],
    [4, 7],
  ])
})

test('A CSV file with an open quote is refused', async () => {
  const { push } = await follow('sales.json')
  const file = path('quote.csv')
  await writeFile(file, 'date;amount\n2026-01-15;"1\n')
  const { code, err } = await push(file)
  expect(code).toBe(1)
  expect(err).toContain('The CSV has a quote on line 2 that is never closed.')
})
