import type { Format } from '../../formats/formats.ts'
import { describe, expect, test } from 'vitest'
import { DeclaredNames } from '../../formats/declared-names.ts'
import { inlineBytesMax } from './delivery.ts'
import { readEnvelope } from './envelope.ts'
import { readDocumentDelivery } from './read-document-delivery.ts'
import { readJsonDelivery } from './read-json-delivery.ts'

// A body parsed on the event loop delays every other request, so no content may take long.

const declared = new DeclaredNames(['at', 'amount', 'country', 'customer'])
const plainBytes = 65_536

/** As many items as fit into `bytes`, separated by commas. */
const many = (bytes: number, item: (index: number) => string): string => {
  const items: string[] = []
  for (let index = 0, length = 0; ; index++) {
    const next = item(index)
    length += next.length + 1
    if (length > bytes) return items.join(',')
    items.push(next)
  }
}
const escaped = (text: string): string =>
  [...text].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
const base36 = (index: number): string => index.toString(36).toUpperCase()
const descending = (index: number): string => base36(46_655_000 - index)
const chain = (member: string, inner: string): string => member.repeat(60) + inner + '}'.repeat(60)

const envelope = (payload: string): string => `{"idempotency_key":"k","shape_version":1,"payload":${payload}}`
const row = (index: number): string =>
  `{"at":"2026-01-01T00:00:00Z","amount":${index},"country":"SE","customer":"c${index}"}`
const plain = Buffer.from(envelope(`[${many(plainBytes - 100, row)}]`))

const readJson = (body: Buffer) => readJsonDelivery(body, readEnvelope(body, 1), declared)
const readDocument = (format: Format) => (body: Buffer) =>
  readDocumentDelivery(body, { idempotencyKey: 'k', shapeVersion: 1, format }, declared)

const room = inlineBytesMax - 1_000
const json: Record<string, string> = {
  'escaped keys': envelope(`{${many(room, (index) => `"${escaped(base36(index))}":1`)}}`),
  'short escapes in keys': envelope(`{${many(room, (index) => `"\\n${base36(index)}":1`)}}`),
  'escapes and letters in turns': envelope(`{${many(room, (index) => `"\\n${base36(index)}\\na\\na":1`)}}`),
  'rows with escaped keys': envelope(`[${many(room, () => '{"\\u0061":1,"\\n":1}')}]`),
  'a value of escapes': envelope(`[{"x":1,"at":"${'\\na'.repeat(room / 3)}"}]`),
  'many keys': envelope(`{${many(room, (index) => `"${base36(index)}":1`)}}`),
  'many keys, the last first': envelope(`{${many(room, (index) => `"${descending(index)}":1`)}}`),
  'many keys in no order': envelope(
    `{${many(room, (index) => `"${base36((index * 7919) % 1_000_003)}":1`)}}`,
  ),
  'long names': envelope(`{${many(room, (index) => `"${'x'.repeat(2_000)}${descending(index)}":1`)}}`),
  'names that begin alike': envelope(
    `{${many(room, (index) => `"${'x'.repeat(100)}${descending(index)}":1`)}}`,
  ),
  'names that begin with control characters': envelope(
    `{${many(room, (index) => `"${'\\u0001'.repeat(16)}${descending(index)}":1`)}}`,
  ),
  'rows with a name each': envelope(
    `[${many(room, (index) => `{"${'y'.repeat(200)}${descending(index)}":1}`)}]`,
  ),
  'rows of objects in objects': envelope(`[${many(room, () => chain('{"b":1,"a":', '1'))}]`),
  'many keys far inside': envelope(
    chain('{"b":1,"a":', `{${many(room - 800, (index) => `"${descending(index)}":1`)}}`),
  ),
  'empty rows': envelope(`[${many(room, () => '{}')}]`),
  'rows of one undeclared key': envelope(`[${many(room, () => '{"a":1}')}]`),
  'members next to the payload': `{${many(room, (index) => `"${'_'.repeat(18)}${base36(index)}":1`)},${envelope('{}').slice(1)}`,
  'escaped members next to the payload': `{${many(room, (index) => `"${escaped(`___${base36(index)}`)}":1`)},${envelope('{}').slice(1)}`,
  'the same key twice at the end': envelope(
    `{${many(room, (index) => `"${escaped(base36(index))}":1`)},"0":1}`,
  ),
}
const lines = (line: string): string => line.repeat(room / line.length)
const documents: [name: string, format: Format, text: string][] = [
  ['a CSV of 16,000 columns', 'csv', `at,${many(Math.min(room, 80_000), (index) => `C${base36(index)}`)}\n`],
  ['a CSV of 100,000 columns', 'csv', `at${',a'.repeat(Math.min(100_000, room / 2))}\n`],
  [
    'a CSV of quoted columns',
    'csv',
    `at,${many(Math.min(room, 110_000), (index) => `"C${base36(index)}"`)}\n`,
  ],
  ['a CSV name of quotes', 'csv', `at,"${'""'.repeat(room / 2)}"\n`],
  ['a CSV of short rows', 'csv', `at,b\n${lines('1,2\n')}`],
  ['a CSV of quotes', 'csv', `at,b\n${lines('"",""\n')}`],
  ['a CSV of ragged rows', 'csv', `at,b\n${lines('1\n')}`],
  ['JSON lines of one undeclared key', 'json_lines', lines('{"a":1}\n')],
  ['JSON lines of one escaped key', 'json_lines', lines('{"\\u0061":1}\n')],
  ['JSON lines that are blank', 'json_lines', `${lines('\n')}{}`],
  ['a JSON line of escaped keys', 'json_lines', `{${many(room, (index) => `"\\n${base36(index)}":1`)}}\n`],
]

const timesPlainMax = 25

const readPlainBodies = (): void => {
  for (let time = 0; time < timesPlainMax; time++) readJson(plain)
}

const measureMs = (read: () => unknown): number => {
  const startedMs = performance.now()
  try {
    read()
  } catch {
    // Refused, after the same work.
  }
  return performance.now() - startedMs
}

/**
 * In turns with as many plain bodies as it may take the time of, and the quickest of each: the more rounds, the less the machine's
 * other work matters. Where the limit is near, the two take about as long: on a busy machine a single plain body, of less than a
 * millisecond, is left alone now and then, and what takes several hardly ever.
 */
const timesPlain = (read: () => unknown): number => {
  let least = Infinity
  let leastPlain = Infinity
  for (let round = 0; round < 40; round++) {
    leastPlain = Math.min(leastPlain, measureMs(readPlainBodies))
    least = Math.min(least, measureMs(read))
    if (round >= 3 && least < leastPlain) break
  }
  return (least / leastPlain) * timesPlainMax
}

describe('parsing on the event loop takes at most several times as long as for a plain body of 64 KiB', () => {
  const cases: [string, string, (body: Buffer) => unknown][] = [
    ...Object.entries(json).map(([name, text]): [string, string, typeof readJson] => [name, text, readJson]),
    ...documents.map(([name, format, text]): [string, string, (body: Buffer) => unknown] => [
      name,
      text,
      readDocument(format),
    ]),
  ]
  test.each(cases)('%s', (_, text, read) => {
    const body = Buffer.from(text)
    expect(body.length).toBeLessThanOrEqual(inlineBytesMax)
    expect(timesPlain(() => read(body))).toBeLessThan(timesPlainMax)
  })
})
