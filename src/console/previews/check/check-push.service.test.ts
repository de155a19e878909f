import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '../../../../testing/cases/any-text.ts'
import { madeUpCases } from '../../../../testing/cases/made-up-cases.ts'
import { startPushScene, toFault, toPushBody } from '../../../../testing/in-process/scenes/push-scene.ts'
import { hashStoredRows } from '../../../../testing/in-process/stored-rows.ts'
import { startTestWorker } from '../../../../testing/in-process/test-worker.ts'

const scene = await startPushScene()
const { database, app, push, pushBytes, pause } = scene
const { worker } = startTestWorker(scene)

const checkBytes = async (
  payload: string | Buffer,
  headers: Record<string, string> = {},
  bearer = scene.connection.credential,
) =>
  app.inject({
    method: 'POST',
    url: '/v1/ingest/check',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}`, ...headers },
    payload,
  })
const check = async (key: string, payload: string) => (await checkBytes(toPushBody(key, payload))).json()
const showDelivery = async (artifactId: string) => {
  const answer = await app.inject({
    url: `/v1/deliveries/${artifactId}`,
    headers: { authorization: `Bearer ${scene.connection.credential}` },
  })
  return answer.json()
}

/** What a report of a delivery and a check say alike. */
const found = ({
  artifact_id: _a,
  source_id: _s,
  received_at: _r,
  outcome: _o,
  refusal: _e,
  format: _f,
  ...same
}: Record<string, unknown>) => same

type Checked = Record<string, unknown> & { outcome: string; refusal: object | null; rows_refused: number }

const value = fc.oneof(
  fc.constantFrom('12.50', '-3', '1 249,00', '2026-01-05', '2027-12-01T10:00:00Z', 'SE', '', null, 7, true),
  anyText(6),
  fc.constant({ deep: [1] }),
)
const row = fc.dictionary(fc.constantFrom('at', 'amount', 'amout', 'country', 'customer', 'ö'), value, {
  maxKeys: 4,
})
const goodRow = fc.record({ at: fc.constant('2026-01-05'), amount: fc.constantFrom('1', '2.50', 'x') })
const rows = fc.array(fc.oneof(row, goodRow), { maxLength: 6 })
const envelope = fc.record(
  {
    idempotency_key: fc.oneof(fc.uuid(), fc.uuid(), fc.constantFrom('', 'service:a', 7)),
    shape_version: fc.oneof(
      { weight: 8, arbitrary: fc.constant(1) },
      { weight: 1, arbitrary: fc.constantFrom(0, 2, '1') },
    ),
    payload: fc.oneof({ weight: 8, arbitrary: rows }, { weight: 1, arbitrary: value }),
  },
  { requiredKeys: ['idempotency_key', 'shape_version'] },
)
const json = fc
  .tuple(envelope, fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(40) }))
  .map(([body, cut]) => {
    const text = JSON.stringify(body)
    return { text: text.slice(0, text.length - cut), headers: {} }
  })
const document = fc
  .tuple(
    fc.constantFrom(
      'at,amount,country\n2026-01-05,12.50,SE\n"2026-01-06",-3,NO\n',
      '{"at":"2026-01-05","amount":1}\n{"at":"x","amount":"2"}\n',
      '#FLAGGA 0\n#SIETYP 4\n#VER A 1 20260105 "Sale"\n{\n#TRANS 3010 {} -100.00\n}\n',
    ),
    fc.nat(80),
    anyText(3),
    fc.uuid(),
  )
  .map(([text, place, given, key]) => ({
    text: text.slice(0, place) + given + text.slice(place),
    headers: { 'content-type': 'application/octet-stream', 'idempotency-key': key },
  }))

/** Fifty at a time. */
const inParts = async <Item, Result>(
  items: readonly Item[],
  act: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = []
  for (let from = 0; from < items.length; from += 50) {
    const part = items.slice(from, from + 50)
    results.push(...(await Promise.all(part.map((item, place) => act(item, from + place)))))
  }
  return results
}

test('Checks store nothing, and each says what the push is then answered and what becomes of it', async () => {
  const bodies = fc.sample(fc.oneof(json, json, document), { numRuns: madeUpCases(1_000), seed: 20_260_315 })
  const before = await hashStoredRows(database.pool)
  const checks: Checked[] = []
  for (const { text, headers } of bodies) {
    const answer = await checkBytes(text, headers)
    expect(answer.statusCode).toBe(200)
    checks.push(answer.json())
  }
  expect(await hashStoredRows(database.pool)).toEqual(before)

  const seen = { accepted: 0, refused: 0, rowsRefused: 0 }
  const reports = await inParts(bodies, async ({ text, headers }, index) => {
    const answer = await pushBytes(text, { headers })
    const { outcome, refusal } = checks[index]!
    if (outcome === 'refused') expect({ status: answer.statusCode, ...answer.json() }).toMatchObject(refusal!)
    else expect(answer.statusCode).toBe(202)
    seen[outcome as 'accepted' | 'refused']++
    return outcome === 'accepted'
      ? { checked: checks[index]!, artifactId: answer.json().artifact_id as string }
      : []
  })
  await worker.drain()
  await inParts(reports.flat(), async ({ checked, artifactId }) => {
    expect(found(checked)).toEqual(found(await showDelivery(artifactId)))
    if (checked.rows_refused > 0) seen.rowsRefused++
  })
  for (const often of Object.values(seen)) expect(often).toBeGreaterThan(bodies.length / 10)
})

describe('A check', () => {
  test('names refused rows by number, field and reason, and never a value', async () => {
    const secret = 'anna.andersson@example.test'
    const answer = await check(
      'a',
      `[{"at":"${secret}","amount":"1"},{"at":"2026-01-05","amount":"${secret}"}]`,
    )
    expect(answer.refusals).toEqual([
      { row: 1, field: 'at', code: 'timestamp_malformed', reason: expect.any(String) },
      { row: 2, field: 'amount', code: 'number_malformed', reason: expect.any(String) },
    ])
    expect(JSON.stringify(answer)).not.toContain('andersson')
  })

  test('says which key is used, which body is stored already, and that the source is paused', async () => {
    await push('used', '[{"at":"2026-01-05","amount":"1"}]')
    const other = await check('used', '[{"at":"2026-01-05","amount":"2"}]')
    expect(other).toMatchObject({
      outcome: 'refused',
      refusal: { status: 409, code: 'key_reused' },
      rows_accepted: 1,
    })
    expect(await check('used', '[{"at":"2026-01-05","amount":"1"}]')).toMatchObject({
      outcome: 'replayed',
      refusal: null,
    })
    await pause(new Date())
    expect(await check('new', '[]')).toMatchObject({ outcome: 'refused', refusal: { code: 'source_paused' } })
  })

  test('of a body over 8 MiB says that the push would get 413', async () => {
    const answer = await checkBytes(Buffer.alloc(8_388_609, ' '))
    expect(answer.json()).toMatchObject({
      outcome: 'refused',
      refusal: { status: 413, field: 'body' },
      state: null,
    })
  })

  test('is one at a time for a connection, and costs it a call', async () => {
    const large = toPushBody('a', JSON.stringify(Array.from({ length: 20_000 }, () => ({ amount: '1' }))))
    const [first, second] = await Promise.all([checkBytes(large), checkBytes(large)])
    expect([first!.statusCode, second!.statusCode].toSorted()).toEqual([200, 429])
    expect(toFault(first!.statusCode === 429 ? first! : second!)).toMatchObject({ code: 'rate_limited' })
    const left = async () => Number((await checkBytes('{}')).headers['ratelimit-remaining'])
    const before = await left()
    expect(await left()).toBe(before - 1)
  })
})
