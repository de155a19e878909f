import * as fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { anyText } from '../../../testing/cases/any-text.ts'
import { signInConsole, type ConsoleClient } from '../../../testing/in-process/console-client.ts'
import { madeUpCases } from '../../../testing/cases/made-up-cases.ts'
import { seedScene } from '../../../testing/in-process/scenes/scene.ts'
import { testFields, testMetric } from '../../../testing/in-process/source.ts'
import { storeDelivery } from '../../../testing/in-process/store-delivery.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'

const { database, context, app } = await startTestService({
  environment: { NUMERA_WRITE_RATE_BURST: '100000' },
})
let client: ConsoleClient
let sources: string
let single: string
beforeAll(async () => {
  const { company, source, developer } = await seedScene(context, { members: ['developer'], source: {} })
  client = await signInConsole(app, context, developer)
  sources = `/console/companies/${company.companyId}/sources`
  single = `${sources}/${source.sourceId}`
  const of = { companyId: company.companyId, sourceId: source.sourceId }
  await storeDelivery(database.pool, of, [{ at: '2026-03-01', amount: '1', country: 'SE' }])
})

const documents = [
  'at,amount,country\n2026-01-05,12.50,SE\n"2026-01-06",-3,NO\n',
  'at;amount\r\n2026-01-05;1 249,00\r\n',
  '{"at":"2026-01-05","amount":1}\n{"at":"2026-01-06","amount":"2"}\n',
  '#FLAGGA 0\n#SIETYP 4\n#VER A 1 20260105 "Sale"\n{\n#TRANS 3010 {1 "2"} -100.00\n}\n',
  '[{"at":"2026-01-05","amount":"12.50"},{"at":"2026-01-06","amount":{}}]',
]
const declaration = {
  fields: testFields,
  event_time: 'at',
  metrics: [
    testMetric({
      times: 'amount',
      group_by: ['country'],
      filters: [
        { field: 'country', comparison: 'in', values: ['SE', 'NO'] },
        { field: 'amount', comparison: '≥', value: '0' },
      ],
    }),
    testMetric({ metric: 'active_users', aggregation: 'count_distinct', field: 'customer', period: 'week' }),
  ],
  delivers: 'events',
}

/** Some characters of a text replaced, taken out or doubled. */
const mutatedText = fc
  .tuple(fc.constantFrom(...documents), fc.array(fc.tuple(fc.nat(), fc.nat(9), anyText(3)), { maxLength: 3 }))
  .map(([text, changes]) =>
    changes.reduce((changed, [place, length, given]) => {
      const at = place % (changed.length + 1)
      return changed.slice(0, at) + given + changed.slice(at + length)
    }, text),
  )
const example = fc.oneof(
  fc.record({ text: mutatedText, format: fc.constantFrom(null, 'csv', 'json', 'json_lines', 'sie') }),
  mutatedText.map((text) => ({ content_base64: Buffer.from(text, 'latin1').toString('base64') })),
)

let nested: unknown = 'deep'
for (let depth = 0; depth < 1_000; depth++) nested = [nested]
const hostile = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    null,
    true,
    0,
    -1,
    1.5,
    2 ** 53,
    1e300,
    '',
    ' ',
    '\0',
    '\ud800',
    '\u202e',
    '2026-02-30',
    'constructor',
    '9'.repeat(400),
    'x'.repeat(10_001),
    [],
    {},
    nested,
    Array.from({ length: 1_001 }, () => 'x'),
  ),
  anyText(20),
  fc.jsonValue({ maxDepth: 2 }),
)

/** Every place in a value, by its keys. */
function placesIn(value: unknown, at: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [at]
  return [at, ...Object.entries(value).flatMap(([key, each]) => placesIn(each, [...at, key]))]
}

function changeAt(value: unknown, [key, ...rest]: string[], change: (value: unknown) => unknown): unknown {
  if (key === undefined) return change(value)
  if (Array.isArray(value)) {
    return value.map((each, index) => (String(index) === key ? changeAt(each, rest, change) : each))
  }
  const own = value as Record<string, unknown>
  return { ...own, [key]: changeAt(own[key], rest, change) }
}

/** A body with the value at a place replaced, or with another one next to it. */
const mutated = (body: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .tuple(body, fc.nat(), hostile, fc.constantFrom(undefined, '__proto__', 'toString', 'surprise'))
    .map(([whole, number, value, name]) => {
      const places = placesIn(whole)
      return changeAt(whole, places[number % places.length]!, (before) =>
        name !== undefined && typeof before === 'object' && !Array.isArray(before)
          ? { ...before, [name]: value }
          : value,
      )
    })

/** Everything that any of these calls might change; when a source is paused, who did it is written down. */
const stored = async () =>
  (
    await database.pool.query(
      `select (select jsonb_agg(sources) from sources) as sources, (select jsonb_agg(shapes) from shapes) as shapes,
        (select jsonb_agg(projections) from projections) as projections,
        (select count(*) from audit_events) as events, (select count(*) from deliveries) as deliveries,
        (select count(*) from backlog) as backlog, (select count(*) from samples) as samples`,
    )
  ).rows

const casesInFull = 400

/** No input makes it fail or change anything; a refusal has its reason. */
const neverFails = async (path: () => string, body: fc.Arbitrary<unknown>): Promise<void> => {
  const before = await stored()
  const statuses = new Set<number>()
  await fc.assert(
    fc.asyncProperty(fc.oneof(body, mutated(body), mutated(body)), async (sent) => {
      const { status, body: answer } = await client.post(path(), sent)
      statuses.add(status)
      expect([200, 400, 413], JSON.stringify(answer)).toContain(status)
      if (status !== 200) {
        expect(answer).toMatchObject({ code: expect.any(String), message: expect.any(String) })
      }
    }),
    { numRuns: madeUpCases(casesInFull) },
  )
  expect(await stored()).toEqual(before)
  // Otherwise the bodies are too far from valid ones.
  expect([...statuses]).toEqual(expect.arrayContaining([200, 400]))
}

test('an example of any form is read or refused, and nothing of it is stored', async () => {
  await neverFails(() => `${sources}/example`, example)
})

test('a preview of any example and declaration succeeds or is refused, and nothing is stored', async () => {
  const whole = fc.record({ declaration: fc.constant(declaration), example })
  await neverFails(() => `${sources}/preview`, whole)
})

test('a preview of stored deliveries succeeds or is refused for any declaration, and nothing is stored', async () => {
  await neverFails(() => `${single}/preview`, fc.constant({ declaration, example: null }))
})

test('a source is paused for a reason that can be shown, and for no other body', async () => {
  await fc.assert(
    fc.asyncProperty(mutated(fc.constant({ reason: 'moving' })), async (sent) => {
      const before = await stored()
      const { status } = await client.post(`${single}/pause`, sent)
      expect([204, 400]).toContain(status)
      if (status === 400) {
        expect(await stored()).toEqual(before)
        return
      }
      const { source } = (await client.get(single)).body
      const { reason } = (sent ?? {}) as { reason?: string | null }
      const shown = reason?.trim().normalize('NFC') || null
      expect(source).toMatchObject({ state: 'paused', pause_reason: shown })
      await client.post(`${single}/resume`)
    }),
    { numRuns: madeUpCases(casesInFull) },
  )
})
