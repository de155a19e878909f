import {
  callMsMax,
  callOnce,
  type CallOptions,
  isHonest503,
  type Outcome,
  slackMs,
  describe,
} from '../deployment/calls.ts'
import type { TrialDatabase } from '../deployment/database.ts'
import { insertCells } from './insert-cells.ts'
import type { TrialContext } from '../trial.ts'
import type { Shop } from '../../testing/process/shop.ts'

export const answeredHonestly = 'the noisy company gets an answer, a 4xx, or 503 with Retry-After'
export const answeredInTime = 'the noisy company gets its answer within 15 s'

/** The worst load that one company can cause within the usual rates. */
export interface Noise {
  name: string
  /** Repeats it until it is enough, or does it once. */
  run(isEnough: () => boolean): Promise<void>
}

export interface Noises {
  all: Noise[]
  /** Of accepted deliveries. */
  sentBytes(): number
}

const connectionCount = 5
const objectsMax = 9_999

const fields = (names: string[]) => [
  { name: 'at', type: 'timestamp', personal: false },
  { name: 'amount', type: 'number', personal: false },
  ...names.map((name) => ({ name, type: 'text', personal: false })),
]
const source = (name: string, labels: string[], eventTime = 'at', rest: object = {}) => ({
  name,
  system_kind: 'ledger',
  channel: 'push',
  delivers: 'events',
  fields: fields(labels),
  event_time: eventTime,
  metrics: [
    { metric: 'revenue', aggregation: 'sum', field: 'amount', filters: [], group_by: labels, period: 'day' },
  ],
  ...rest,
})

/** Every row is a cell of its own. */
const writeManyCells = (bytes: number, run: number): string => {
  const lines = ['at;amount;customer']
  for (let size = 20, row = 0; size < bytes; row++) {
    const line = `2026-01-0${1 + (row % 9)};${row}.25;c${run}-${row}`
    lines.push(line)
    size += line.length + 1
  }
  return `${lines.join('\n')}\n`
}

/** Thousands of short rows that repeat one long text, each a cell of its own. */
const writeRepeating = (text: string, bytes: number): string => {
  const rows = Array.from(
    { length: Math.floor(bytes / 36) },
    (_, row) => `#TRANS 3010 {1 "${row % objectsMax}-${row}"} -1.00`,
  )
  return `#FLAGGA 0\n#SIETYP 4\n#VER A 1 20260105 "${text}"\n{\n${rows.join('\n')}\n}\n`
}

export const createNoises = async (
  context: TrialContext,
  shop: Shop,
  database: TrialDatabase,
): Promise<Noises> => {
  const { short } = context
  const createSource = async (body: object): Promise<string> => {
    const created = await shop.browser.post(`${shop.pages}/sources`, body)
    if (created.status !== 201) throw new Error(`no source was created: ${created.status} ${created.text}`)
    return created.body.source_id
  }
  const heavy = await createSource(source('Heavy', []))
  const wide = await createSource(source('Wide', ['customer']))
  const books = await createSource(
    source('Books', ['text', 'object'], 'date', {
      fields: [{ name: 'date', type: 'timestamp', personal: false }, ...fields(['text', 'object']).slice(1)],
    }),
  )
  const small = await createSource(source('Small', ['customer']))
  const credentials: string[] = []
  while (credentials.length < connectionCount) credentials.push((await shop.connect()).credential)
  const { companyId } = shop.company
  await insertCells(
    database,
    { companyId, sourceId: heavy },
    { cellCount: 300, contributionsEach: short ? 1_000 : 1_600, labels: 0, labelCharacters: 0 },
  )

  let sentBytes = 0
  let calls = 0
  const { url } = shop
  const call = async (path: string, options: CallOptions = {}): Promise<Outcome> => {
    const credential = credentials[calls++ % credentials.length]!
    const headers = { authorization: `Bearer ${credential}`, ...options.headers }
    const outcome = await callOnce(`${url}${path}`, { ...options, headers })
    context.check(
      answeredHonestly,
      (outcome.status > 0 && outcome.status < 500) || isHonest503(outcome),
      describe(outcome),
    )
    context.check(answeredInTime, outcome.ms <= callMsMax + slackMs, describe(outcome))
    if (outcome.status === 429) await context.sleep(250)
    return outcome
  }
  const pushDocument = async (sourceId: string, body: string): Promise<void> => {
    const headers = { 'content-type': 'application/octet-stream', 'idempotency-key': `noise-${calls}` }
    const outcome = await call(`/v1/ingest?source_id=${sourceId}`, { method: 'POST', headers, body })
    if (outcome.status === 202) sentBytes += Buffer.byteLength(body)
  }
  const mebibytes = (short: number, long: number): number => (context.short ? short : long) * 1_048_576
  let run = 0

  const texts = context.random('texts')

  /** Concurrent calls, repeated. */
  const noise = (name: string, times: number, one: () => Promise<unknown>): Noise => ({
    name,
    run: async (isEnough) => {
      do {
        context.inject(name, times)
        await Promise.all(Array.from({ length: times }, one))
      } while (!isEnough())
    },
  })
  /** Once, since its cost comes afterwards. */
  const burst = (name: string, times: number, one: () => Promise<unknown>): Noise => {
    const { run: runOnce } = noise(name, times, one)
    return { name, run: () => runOnce(() => true) }
  }
  return {
    sentBytes: () => sentBytes,
    all: [
      noise('20 heavy reads as of an instant', 20, () =>
        call(`/v1/samples?source_id=${heavy}&as_of=2026-01-02T00:00:00Z`),
      ),
      burst('CSV of which every row is a cell', short ? 1 : 3, () =>
        pushDocument(wide, writeManyCells(mebibytes(2, 8) - 1_000, run++)),
      ),
      noise('small deliveries', short ? 80 : 300, async () => {
        const payload = [{ at: '2026-01-05', amount: '1', customer: `c${calls}` }]
        const body = JSON.stringify({ idempotency_key: `small-${calls}`, shape_version: 1, payload })
        const headers = { 'content-type': 'application/json' }
        await call(`/v1/ingest?source_id=${small}`, { method: 'POST', headers, body })
      }),
      burst('SIE whose rows repeat 10,000 characters', short ? 1 : 3, () =>
        pushDocument(books, writeRepeating(texts.word(9_900), mebibytes(0.1, 1))),
      ),
      burst('SIE whose rows repeat 200 characters', short ? 1 : 3, () =>
        pushDocument(books, writeRepeating(texts.word(200), mebibytes(0.1, 1))),
      ),
      burst('requested rebuilds', short ? 20 : 150, async () => {
        const sourceId = [heavy, wide, books, small][calls++ % 4]!
        await shop.browser.post(`${shop.pages}/sources/${sourceId}/rebuilds`)
      }),
    ],
  }
}
