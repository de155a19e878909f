import type { Random } from '../random.ts'

/** Values that often break parsers. */
const nasty: readonly unknown[] = [
  '',
  ' ',
  '\0',
  '\ud800',
  '😀',
  'ﷺ',
  '٣',
  '1e309',
  '-0',
  '0x10',
  '1_000',
  '1,5',
  'NaN',
  'Infinity',
  '../../etc/passwd',
  '%00',
  '%2e%2e',
  "' or 1=1 --",
  '<script>',
  '{{7*7}}',
  '${1}',
  '\r\nX: y',
  '‮',
  'nsk_demo_reads_fixture_samples',
  'service:1',
  'null',
  'true',
  '2026-02-30',
  '2026-01-01T24:00:00Z',
  null,
  true,
  false,
  0,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  1e300,
  [],
  {},
  [[[[[[]]]]]],
  { a: { b: [] } },
  '00000000-0000-0000-0000-000000000000',
  '0001-01-01',
  '9999-12-31',
  '9'.repeat(400),
  'x'.repeat(3e3),
]
const pickNastyValue = (random: Random): unknown => random.pick(nasty)
export const pickNastyText = (random: Random): string => String(pickNastyValue(random) ?? 'null')

const keys = [
  '__proto__',
  'constructor',
  'payload',
  'source_id',
  'idempotency_key',
  'name',
  '',
  'toString',
  '0',
]

/** Changes, adds or removes a value or a key. */
export const mutateValue = (random: Random, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || random() < 0.1) return pickNastyValue(random)
  if (Array.isArray(value)) {
    const items = [...value] as unknown[]
    const at = random.integer(0, items.length)
    const action = random.integer(0, 2)
    if (action === 0) items.splice(at, 1)
    else if (action === 1) items.splice(at, 0, pickNastyValue(random))
    else if (at < items.length) items[at] = mutateValue(random, items[at])
    return items
  }
  const entries = Object.entries(value)
  const at = random.integer(0, Math.max(0, entries.length - 1))
  const action = random.integer(0, 3)
  if (action === 0) entries.splice(at, 1)
  else if (action === 1) entries.push([random.pick(keys), pickNastyValue(random)])
  else if (entries[at]) entries[at] = [entries[at][0], mutateValue(random, entries[at][1])]
  return Object.fromEntries(entries)
}

const tokens = [
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  ';',
  '\n',
  '\r',
  '\0',
  '\u{feff}',
  '\\ud800',
  '1e999',
  '#VER',
]

/** Changes, inserts, removes or repeats some bytes, or truncates them. */
export const mutateBytes = (random: Random, bytes: Buffer): Buffer => {
  let changed = Buffer.from(bytes)
  for (let times = random.integer(1, 3); times > 0; times--) {
    const at = random.integer(0, Math.max(0, changed.length - 1))
    const [before, after] = [changed.subarray(0, at), changed.subarray(at)]
    const span = after.subarray(0, random.integer(1, 20))
    const action = random.integer(0, 4)
    if (action === 0 && changed.length > 0) changed[at] = random.integer(0, 255)
    else if (action === 1) changed = Buffer.concat([before, Buffer.from(random.pick(tokens)), after])
    else if (action === 2) changed = Buffer.concat([before, after.subarray(span.length)])
    else if (action === 3) changed = Buffer.concat([before, span, after])
    else changed = Buffer.from(before)
  }
  return changed
}

/** A query or form with, mostly, a fault. */
export const mutatePairs = (random: Random, pairs: Record<string, string>): string => {
  const parameters = new URLSearchParams(pairs)
  const names = [...parameters.keys()]
  const action = random.integer(0, 5)
  const name = names.length > 0 ? random.pick(names) : 'from'
  if (action === 0) parameters.delete(name)
  else if (action === 1) parameters.append(name, pickNastyText(random).toWellFormed())
  else if (action === 2) parameters.set(name, pickNastyText(random).toWellFormed())
  else if (action === 3) parameters.append(random.pick(keys), pickNastyText(random).toWellFormed())
  const text = parameters.toString()
  if (action !== 4) return text
  const bytes = mutateBytes(random, Buffer.from(text)).toString('latin1')
  // It must stay within one request line.
  return bytes.replaceAll(/[^\u{21}-\u{7e}]/gu, '%')
}
