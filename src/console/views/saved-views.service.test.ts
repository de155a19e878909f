import { beforeEach, describe, expect, test } from 'vitest'
import { uuidv7 } from '../../formats/values/uuidv7.ts'
import { removeMember } from '../memberships/remove-member.ts'
import { signInConsole, type ConsoleClient } from '../../../testing/in-process/console-client.ts'
import { seedScene } from '../../../testing/in-process/scenes/scene.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'
import { companyViewsMax, ownViewsMax } from './saved-views.ts'

const { database, context, app } = await startTestService()

const seed = () => seedScene(context, { members: ['developer', 'reader'], source: {} })
let scene: Awaited<ReturnType<typeof seed>>
let [owner, developer, reader]: ConsoleClient[] = []
let views: string
let search: string

beforeEach(async () => {
  await database.pool.query('delete from rate_buckets')
  scene = await seed()
  owner = await signInConsole(app, context, scene.owner)
  developer = await signInConsole(app, context, scene.developer)
  reader = await signInConsole(app, context, scene.reader)
  views = `/console/companies/${scene.company.companyId}/views`
  search = `line=${scene.source.sourceId}.revenue&range=12m`
})

const draft = (more: object = {}) => ({ for: 'member', name: 'Revenue', search, pinned: false, ...more })
const save = async (as: ConsoleClient, more: object = {}) => {
  const { status, body } = await as.post(views, draft(more))
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const namesOf = async (as: ConsoleClient): Promise<string[]> =>
  (await as.get(views)).body.views.map(({ name }: { name: string }) => name)

describe('saved views', () => {
  test('one’s own are one’s own, and the company’s are everybody’s', async () => {
    await save(reader!, { name: 'Mine' })
    const ours = await save(developer!, { for: 'company', name: 'Ours', pinned: true })
    expect(ours).toMatchObject({
      for: 'company',
      search,
      source_id: null,
      metric: null,
      pinned: true,
      revision: 1,
      changed_by: { member_id: scene.developer.memberId },
    })
    expect(await namesOf(reader!)).toEqual(['Ours', 'Mine'])
    expect(await namesOf(owner!)).toEqual(['Ours'])
  })

  test('a report of one metric is saved with its address', async () => {
    const report = { source_id: scene.source.sourceId, metric: 'revenue' }
    expect(await save(reader!, { report, search: 'grain=month&where.country=SE' })).toMatchObject({
      ...report,
      search: 'grain=month&where.country=SE',
    })
  })

  test('readers change only their own', async () => {
    const ours = await save(owner!, { for: 'company' })
    const refused = [
      await reader!.post(views, draft({ for: 'company' })),
      await reader!.patch(`${views}/${ours.view_id}`, { expected_revision: 1, name: 'Mine now' }),
      await reader!.delete(`${views}/${ours.view_id}`),
    ]
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403])
    const mine = await save(reader!)
    const unseen = [
      await owner!.patch(`${views}/${mine.view_id}`, { expected_revision: 1, name: 'Yours' }),
      await owner!.delete(`${views}/${mine.view_id}`),
    ]
    expect(unseen.map(({ status }) => status)).toEqual([404, 404])
    expect((await reader!.delete(`${views}/${mine.view_id}`)).status).toBe(204)
    expect(await namesOf(reader!)).toEqual(['Revenue'])
  })

  test('of two that change a view, the second sees what the first made of it', async () => {
    const { view_id: id } = await save(owner!, { for: 'company' })
    const changes = await Promise.all(
      [owner!, developer!].map((as, index) =>
        as.patch(`${views}/${id}`, { expected_revision: 1, name: `Name ${index}` }),
      ),
    )
    const won = changes.find(({ status }) => status === 200)!
    const lost = changes.find(({ status }) => status === 409)!
    expect(lost.body).toMatchObject({
      code: 'conflict',
      field: 'expected_revision',
      details: { view: { name: won.body.name, revision: 2 } },
    })
  })

  test('a view moves among its like, and keeps its place', async () => {
    const saved = []
    for (const name of ['A', 'B', 'C']) saved.push(await save(owner!, { for: 'company', name }))
    await save(owner!, { name: 'Own' })
    await owner!.patch(`${views}/${saved[2]!.view_id}`, { expected_revision: 1, place: 0 })
    expect(await namesOf(owner!)).toEqual(['C', 'A', 'B', 'Own'])
    await owner!.patch(`${views}/${saved[2]!.view_id}`, { expected_revision: 2, place: 1, pinned: true })
    expect(await namesOf(reader!)).toEqual(['A', 'C', 'B'])
  })

  test('a view without lines or with a bad name is refused with the field', async () => {
    const cases: [object, string][] = [
      [{ search: 'range=12m' }, 'search'],
      [{ search: 'line=revenue' }, 'search'],
      [{ name: '  ' }, 'name'],
      [{ name: 'x'.repeat(81) }, 'name'],
    ]
    for (const [more, field] of cases) {
      expect(await reader!.post(views, draft(more))).toMatchObject({ status: 400, body: { field } })
    }
  })

  test('there are bounds, for oneself and for the company', async () => {
    const fill = (count: number, memberId: string | null) =>
      database.pool.query(
        `insert into saved_views (company_id, view_id, member_id, name, search, pinned, place, revision, changed_by, changed_at)
         select $1, gen_random_uuid(), $2, 'V', '', false, n, 1, $3, now() from generate_series(1, $4::int) as n`,
        [scene.company.companyId, memberId, scene.owner.memberId, count],
      )
    await fill(ownViewsMax, scene.owner.memberId)
    await fill(companyViewsMax - 1, null)
    await save(owner!, { for: 'company' })
    expect(await owner!.post(views, draft({ for: 'company' }))).toMatchObject({
      status: 409,
      body: { message: 'The company has 100 views: delete one first.' },
    })
    expect((await owner!.post(views, draft())).body.message).toBe(
      'You have 50 views of your own here: delete one first.',
    )
    await save(reader!)
  })

  test('owners see in the audit what was done to the company’s views, and nothing of own ones', async () => {
    await save(reader!)
    const { view_id: id } = await save(developer!, { for: 'company', name: 'Ours' })
    await owner!.patch(`${views}/${id}`, { expected_revision: 1, name: 'Board' })
    await owner!.delete(`${views}/${id}`)
    const { events } = (await owner!.get(`/console/companies/${scene.company.companyId}/audit`)).body
    const ofViews = events.filter(({ action }: { action: string }) => action.startsWith('view_'))
    expect(
      new Map(ofViews.map(({ action, details }: { action: string; details: object }) => [action, details])),
    ).toEqual(
      new Map([
        ['view_deleted', { view: 'Board' }],
        ['view_changed', { view: 'Board' }],
        ['view_saved', { view: 'Ours' }],
      ]),
    )
  })

  test('a member’s own views end with their membership', async () => {
    await save(reader!)
    await removeMember(context, scene.owner, scene.company.companyId, scene.reader.memberId)
    expect(await reader!.get(views)).toMatchObject({ status: 404 })
    const { rows } = await database.pool.query('select from saved_views where company_id = $1', [
      scene.company.companyId,
    ])
    expect(rows).toEqual([])
  })

  test('an unknown view is not found', async () => {
    const path = `${views}/${uuidv7(Date.now())}`
    expect((await owner!.patch(path, { expected_revision: 1, pinned: true })).status).toBe(404)
    expect((await owner!.delete(path)).status).toBe(404)
  })
})
