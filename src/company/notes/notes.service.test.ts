import { expect, test } from 'vitest'
import { seedMember } from '../../../testing/in-process/seed.ts'
import { testMetric } from '../../../testing/in-process/source.ts'
import { signInConsole } from '../../../testing/in-process/console-client.ts'
import {
  startReportScene,
  statements,
  type ReportedShop,
} from '../../../testing/in-process/scenes/report-scene.ts'
import { readAnnotationsOfPeriod } from './annotations.ts'
import { noteCharactersMax } from './write-notes.ts'

const { context, app, database, openShop, deliver } = await startReportScene()

const february = { grain: 'month', period_start: '2026-02-01' }

const seedColleague = async ({ companyId }: ReportedShop, role: 'owner' | 'developer' | 'reader') =>
  signInConsole(app, context, await seedMember(context, companyId, { role }))

const read = async ({ reader, report }: ReportedShop, query = '?from=2026-01-01&to=2026-03-16') =>
  (await reader.get(`${report}/annotations${query}`)).body

const write = async (shop: ReportedShop, body: object) =>
  shop.reader.post(`${shop.report}/notes`, { ...february, text: 'Returns booked late', ...body })

test('a reader’s note on a figure is seen by colleagues, changed by its author and by an owner, and kept', async () => {
  const shop = await openShop(statements)
  await deliver(shop, [{ at: '2026-02-03', amount: '7', country: 'SE' }])
  const labels = { country: `="'\t;\n😀å` }
  const { status, body: note } = await write(shop, { labels })
  expect([status, note]).toMatchObject([201, { ...february, labels, revision: 1, edited_at: null }])
  const [owner, other] = [await seedColleague(shop, 'owner'), await seedColleague(shop, 'developer')]
  const place = `${shop.report}/notes/${note.note_id}`
  const change = { expected_revision: 1, text: 'Returns, 12 of them' }
  expect((await other.put(place, change)).status).toBe(403)
  expect((await other.delete(place)).status).toBe(403)
  expect((await owner.put(place, change)).body).toMatchObject({ revision: 2, author: note.author })
  // Its author has the earlier text still, and sees the owner's next to it.
  expect(await shop.reader.put(place, { expected_revision: 1, text: 'Mine' })).toMatchObject({
    status: 409,
    body: { field: 'expected_revision', details: { note: { text: change.text, revision: 2 } } },
  })
  await deliver(shop, [{ at: '2026-02-03', amount: '9', country: 'SE' }])
  await shop.reader.get(shop.report)
  const seen = await other.get(`${shop.report}/annotations?from=2026-02-10&to=2026-02-11`)
  expect(seen.body.notes).toMatchObject([{ text: change.text, edited_by: { name: 'Test Testsson' } }])
  expect((await read(shop, '?from=2026-03-02')).notes).toEqual([])
  const tag = { 'if-none-match': String(seen.headers['etag']) }
  const again = await other.send(
    'GET',
    `${shop.report}/annotations?from=2026-02-10&to=2026-02-11`,
    undefined,
    tag,
  )
  expect(again.status).toBe(304)
  const { events } = (await owner.get(`${shop.company}/audit`)).body
  expect(events.map(({ action }: { action: string }) => action)).toEqual(
    expect.arrayContaining(['note_added', 'note_changed']),
  )
  expect((await owner.delete(place)).status).toBe(204)
  expect((await read(shop)).notes).toEqual([])
})

test.each([
  [{ text: ' ' }, 'text'],
  [{ text: 'x'.repeat(noteCharactersMax + 1) }, 'text'],
  [{ text: 'two\nlines' }, 'text'],
  [{ text: 'turned \u202e' }, 'text'],
  [{ period_start: '2026-02-02' }, 'period_start'],
  [{ period_start: '2026-02-30' }, 'period_start'],
  [{ labels: { city: 'Umeå' } }, 'labels.city'],
  [{ labels: { country: 'x'.repeat(201) } }, 'labels.country'],
])('a note of %j is refused with its field', async (body, field) => {
  const shop = await openShop(statements)
  expect(await write(shop, body)).toMatchObject({ status: 400, body: { code: 'invalid_argument', field } })
})

test('a period has 20 notes, and a company 2,000', async () => {
  const shop = await openShop()
  for (let written = 0; written < 20; written++) await write(shop, {})
  expect((await write(shop, {})).status).toBe(409)
  await database.pool.query(
    `insert into notes (company_id, note_id, source_id, metric, grain, period_start, labels, text, created_at)
     select $1, gen_random_uuid(), $2, 'revenue', 'day', date '2020-01-01' + n, '{}', 'x', now()
     from generate_series(1, 1979) as n`,
    [shop.companyId, shop.sourceId],
  )
  const other = { period_start: '2026-01-01' }
  expect([(await write(shop, other)).status, (await write(shop, other)).status]).toEqual([201, 409])
})

test('targets replace those of their months, exactly, and of two people who save, the second sees the first’s', async () => {
  const shop = await openShop()
  const developer = await seedColleague(shop, 'developer')
  const place = `${shop.report}/targets`
  const save = (expected: number, months: Record<string, string | null>) =>
    developer.put(place, {
      expected_revision: expected,
      months: Object.entries(months).map(([month, value]) => ({ month, value })),
    })
  const long = '12345678901234567890.000000000000000001'
  expect(
    (await shop.reader.put(place, { expected_revision: 0, months: [{ month: '2026-01', value: '1' }] }))
      .status,
  ).toBe(403)
  expect((await save(0, { '2026-02': '250000.50', '2026-01': '1e2', '2026-03': '5' })).status).toBe(200)
  expect(await save(0, { '2026-02': '1' })).toMatchObject({
    status: 409,
    body: { field: 'expected_revision', details: { targets: { revision: 1 } } },
  })
  await save(1, { '2026-02': long, '2026-03': null })
  expect((await read(shop)).targets).toMatchObject({
    revision: 2,
    months: [
      { month: '2026-01', value: '100' },
      { month: '2026-02', value: long },
    ],
  })
  expect((await save(2, { '2026-13': '1' })).body).toMatchObject({ field: 'months[0].month' })
  expect((await save(2, { '2026-04': '1,5' })).body).toMatchObject({ field: 'months[0].value' })
  const many = Object.fromEntries(
    Array.from({ length: 240 }, (_, n) => [
      `${2030 + Math.floor(n / 12)}-${String((n % 12) + 1).padStart(2, '0')}`,
      '1',
    ]),
  )
  expect((await save(2, many)).status).toBe(409)
})

test('values that do not add up have no targets', async () => {
  const shop = await openShop({ metrics: [testMetric({ aggregation: 'max' })] })
  const developer = await seedColleague(shop, 'developer')
  const body = { expected_revision: 0, months: [{ month: '2026-01', value: '1' }] }
  expect((await developer.put(`${shop.report}/targets`, body)).body).toMatchObject({ field: 'metric' })
})

test('the file of a report and the evidence of a period have its notes and its target', async () => {
  const shop = await openShop(statements)
  await deliver(shop, [{ at: '2026-02-03', amount: '7', country: 'SE' }])
  const developer = await seedColleague(shop, 'developer')
  await developer.put(`${shop.report}/targets`, {
    expected_revision: 0,
    months: [{ month: '2026-02', value: '8.5' }],
  })
  await write(shop, { text: '=cmd()' })
  await write(shop, { grain: 'day', period_start: '2026-02-28', text: 'Late', labels: { country: 'SE' } })
  const file = async (query: string) =>
    String(
      (await shop.reader.get(`${shop.report}/file.csv?from=2026-01-01&to=2026-03-01${query}`)).body,
    ).split('\r\n')
  const [head, january, line] = await file('&grain=month&language=sv')
  expect(head).toMatch(/"Pågår";"Mål";"Anteckning";"Hämtat"$/)
  expect(january).toMatch(/;;;;2026-\S+Z$/)
  expect(line).toMatch(
    /;8,5;"'=cmd\(\) \(Test Testsson 2026-03-15\) \| day 2026-02-28 country=SE: Late \(Test Testsson 2026-03-15\)";2026-\S+Z$/,
  )
  expect((await file('&grain=month&where.country=SE'))[0]).toMatch(/"Unfinished","Note","Read at"$/)
  expect((await file('&grain=day'))[0]).not.toContain('Target')
  const of = { companyId: shop.companyId, sourceId: shop.sourceId, metric: 'revenue' }
  const period = { grain: 'month', start: '2026-02-01', end: '2026-02-28' } as const
  const { notes, target } = await readAnnotationsOfPeriod(database.pool, of, period)
  expect([notes.length, target]).toEqual([2, '8.5'])
})
