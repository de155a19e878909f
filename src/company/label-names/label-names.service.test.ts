import { expect, test } from 'vitest'
import { signInConsole } from '../../../testing/in-process/console-client.ts'
import { startReportScene, statements } from '../../../testing/in-process/scenes/report-scene.ts'
import { seedMember } from '../../../testing/in-process/seed.ts'
import { labelNamesMax, namedLabelsMax } from './label-names.ts'

const { context, app, database, openShop, deliver } = await startReportScene()

const open = async () => {
  const shop = await openShop(statements)
  const member = async (role: 'developer' | 'reader') =>
    signInConsole(app, context, await seedMember(context, shop.companyId, { role }))
  const developer = await member('developer')
  const place = `${shop.company}/label-names`
  const save = (revision: number, names: Record<string, string>, label = 'country') =>
    developer.put(place, {
      label,
      expected_revision: revision,
      names: Object.entries(names).map(([value, name]) => ({ value, name })),
    })
  const list = async () => (await shop.reader.get(place)).body.labels
  return { shop, member, developer, place, save, list }
}

test('names replace those before, in the order of values, and of two people who save, the second sees the first’s', async () => {
  const { shop, developer, place, save, list } = await open()
  expect((await shop.reader.put(place, { label: 'country', expected_revision: 0, names: [] })).status).toBe(
    403,
  )
  expect((await save(0, { SE: ' Sweden ', DK: 'Denmark' })).status).toBe(200)
  expect(await save(0, { SE: 'Sverige' })).toMatchObject({
    status: 409,
    body: { field: 'expected_revision', details: { label_names: { revision: 1, label: 'country' } } },
  })
  expect((await list())[0].names).toEqual([
    { value: 'DK', name: 'Denmark' },
    { value: 'SE', name: 'Sweden' },
  ])
  await save(1, { SE: 'Sverige' })
  expect(await list()).toMatchObject([{ label: 'country', revision: 2, names: [{ name: 'Sverige' }] }])
  await save(2, {})
  expect(await list()).toMatchObject([{ label: 'country', revision: 3, names: [] }])
  const { headers } = await developer.get(place)
  const tag = { 'if-none-match': String(headers['etag']) }
  expect((await developer.send('GET', place, undefined, tag)).status).toBe(304)
})

test('reports and their files keep the values', async () => {
  const { shop, save } = await open()
  await deliver(shop, [{ at: '2026-02-03', amount: '7', country: 'SE' }])
  await save(0, { SE: 'Sweden' })
  const read = await shop.reader.get(`${shop.report}?from=2026-01-01&to=2026-03-01&by=country`)
  expect(read.body.series).toMatchObject([{ key: 'SE' }])
  const file = await shop.reader.get(`${shop.report}/file.csv?from=2026-01-01&to=2026-03-01&by=country`)
  expect(String(file.body)).not.toContain('Sweden')
})

test.each([
  [{ SE: ' ' }, 'names[0].name'],
  [{ SE: 'x'.repeat(101) }, 'names[0].name'],
  [{ SE: 'turned \u202e' }, 'names[0].name'],
  [{ '': 'None' }, 'names[0].value'],
  [{ ['x'.repeat(201)]: 'Long' }, 'names[0].value'],
  [Object.fromEntries(Array.from({ length: labelNamesMax + 1 }, (_, n) => [`v${n}`, 'x'])), 'names'],
])('names that cannot be shown or are of no value are refused with their field: %#', async (names, field) => {
  const { save } = await open()
  expect(await save(0, names)).toMatchObject({ status: 400, body: { code: 'invalid_argument', field } })
})

test('a value has one name, and a label is a text', async () => {
  const { developer, place, save } = await open()
  const twice = { value: 'SE', name: 'Sweden' }
  const body = { label: 'country', expected_revision: 0, names: [twice, twice] }
  expect((await developer.put(place, body)).body).toMatchObject({ field: 'names[1].value' })
  expect((await save(0, {}, 'a\0b')).body).toMatchObject({ field: 'label' })
})

test('a company has names for 50 labels; one whose names were removed makes room', async () => {
  const { shop, save, list } = await open()
  await database.pool.query(
    `insert into label_names (company_id, label, names, revision, saved_at)
     select $1, 'label ' || n, '{"a": "b"}', 1, now() from generate_series(1, $2::int4) as n`,
    [shop.companyId, namedLabelsMax],
  )
  expect((await save(0, { SE: 'Sweden' })).status).toBe(409)
  expect((await save(1, {}, 'label 7')).status).toBe(200)
  expect((await save(0, { SE: 'Sweden' })).status).toBe(200)
  expect((await list()).length).toBe(namedLabelsMax)
})
