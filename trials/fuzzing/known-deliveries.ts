import type { Entry } from '../deployment/ledger.ts'
import type { Random } from '../random.ts'

/** Texts of a number with their values; undefined: the row is refused, null: the value is missing. */
const amounts: readonly [text: string, hundredths: bigint | null | undefined][] = [
  ...([
    ['12.50', 1_250n],
    ['-3', -300n],
    ['+7', 700n],
    ['1e2', 10_000n],
    ['1250e-2', 1_250n],
    ['0.01', 1n],
    ['-0', 0n],
    ['0', 0n],
    ['00012', 1_200n],
    ['90071992547409.93', 9_007_199_254_740_993n],
  ] satisfies [string, bigint][]),
  ['', null],
  ...(['abc', '1,5', 'NaN', '1 000', '0x10', '--1', '1e', '1e99', '1.2.3'] as const).map(
    (text): [string, undefined] => [text, undefined],
  ),
]
const instants: readonly [text: string, isGood: boolean][] = [
  ['2026-01-05T12:00:00+01:00', true],
  ['2026-02-01t00:00:00.123456Z', true],
  ['2026-01-06 12:00:00Z', true],
  ['2026-01-31', true],
  ['2026-02-30', false],
  ['2026-01-05T12:00:00', false],
  ['5/1/2026', false],
  ['', false],
]

interface Row {
  at: string
  amount: string
}

const formats = ['json', 'numbers', 'csv', 'lines'] as const

/** A JSON number with the same digits where possible, else a string. */
const toJsonNumber = (text: string): string =>
  /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e-?\d+)?$/.test(text) ? text : `"${text}"`

const quote = (random: Random, text: string): string =>
  text.includes(',') || random() < 0.3 ? `"${text}"` : text

/** A delivery with its headers, but without a credential. */
export interface KnownDelivery {
  entry: Entry
  contentType: string
  /** The idempotency key of a document. */
  key?: string
}

/** Generates a delivery in one of the formats; whether each row is accepted is known. */
export const createKnownDelivery = (random: Random, number: number): KnownDelivery => {
  const rows: Row[] = []
  let amount = 0n
  let accepted = 0
  for (let count = random.integer(1, 4); count > 0; count--) {
    const [at, isGood] = random.pick(random() < 0.8 ? instants.slice(0, 4) : instants)
    const [text, hundredths] = random.pick(random() < 0.7 ? amounts.slice(0, 10) : amounts)
    rows.push({ at, amount: text })
    if (!isGood || hundredths === undefined) continue
    accepted++
    amount += hundredths ?? 0n
  }
  const key = `known:${number}`
  const entry = (body: string): Entry => ({
    channel: 'push',
    key,
    body,
    amount,
    rows: accepted,
    artifacts: [],
  })
  const envelope = (payload: string): KnownDelivery => ({
    entry: entry(`{"idempotency_key":"${key}","shape_version":1,"payload":${payload}}`),
    contentType: 'application/json',
  })
  const document = (body: string): KnownDelivery => ({
    entry: entry(body),
    contentType: 'application/octet-stream',
    key,
  })
  const items = rows.map(({ at, amount: text }) => `{"at":"${at}","amount":${toJsonNumber(text)}}`)
  switch (random.pick(formats)) {
    case 'json':
      return envelope(JSON.stringify(rows))
    case 'numbers':
      return envelope(`[${items.join(', ')}]`)
    case 'lines':
      // A single line counts as a JSON document, with the same meaning.
      return document(`${items.join('\n')}\n`)
    case 'csv': {
      const end = random.pick(['\n', '\r\n'])
      const lines = rows.map((row) => `${quote(random, row.at)},${quote(random, row.amount)}`)
      return document(['at,amount', ...lines, ''].join(end))
    }
  }
}
