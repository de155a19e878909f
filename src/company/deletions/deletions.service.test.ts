import { expect, test } from 'vitest'
import { webhookSignature } from '../../engine/deliveries/webhooks/signature.ts'
import { addCompany } from '../../people/companies/add-company.ts'
import { isFull } from '../../../testing/cases/made-up-cases.ts'
import { seedMember } from '../../../testing/in-process/seed.ts'
import { dayMs, startDeletionScene } from '../../../testing/in-process/scenes/deletion-scene.ts'
import { removeMember } from '../../console/memberships/remove-member.ts'
import { confirmDeletion } from './schedule-deletion.ts'

const scene = await startDeletionScene()
const { database, context, app, push, exportIt, sign, schedule, sweep } = scene

/** By table with a column `company_id`: how many rows it has of a company, and a digest of them. */
const readRows = async (companyId: string): Promise<Record<string, string>> => {
  const { rows: tables } = await database.pool.query<{ name: string }>(
    `select relnamespace::regnamespace || '.' || relname as name
     from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'company_id'
     where relkind = 'r' and relnamespace::regnamespace::text in ('directory', 'access', 'shard_1')
     order by 1`,
  )
  const found: Record<string, string> = {}
  for (const { name } of tables) {
    const { rows } = await database.pool.query<{ count: string; digest: string }>(
      `select count(*) as count, md5(string_agg(counted::text, '' order by counted::text)) as digest
       from ${name} as counted where company_id = $1`,
      [companyId],
    )
    if (rows[0]!.count !== '0') found[name] = `${rows[0]!.count} ${rows[0]!.digest}`
  }
  return found
}

const countOf = (rows: Record<string, string>) =>
  Object.fromEntries(Object.entries(rows).map(([table, row]) => [table, Number(row.split(' ')[0])]))

const names = async (memberId: string) =>
  (
    await database.pool.query<{ name: string | null }>('select name from members where member_id = $1', [
      memberId,
    ])
  ).rows[0]!.name

test('an owner requests a deletion only after an export, and another owner signs it', async () => {
  const { owner, second, clients, path } = scene.doomed
  const show = async () => (await clients.owner.get(`${path}/deletion`)).body
  expect((await sign(clients.owner, owner)).status).toBe(409)
  expect(await show()).toEqual({ deletion: null, exported_at: null, owners: 2 })

  const lines = await exportIt(clients.owner, path)
  expect(lines.at(-1)).toEqual({ type: 'end' })
  expect((await sign(clients.reader, scene.doomed.reader)).status).toBe(403)
  expect(await sign(clients.owner, owner)).toMatchObject({ body: { state: 'complete' } })
  expect(await show()).toMatchObject({
    deletion: {
      state: 'requested',
      requested_by: { member_id: owner.memberId, name: 'Olivia Ägare' },
      void_at: '2026-02-14T12:00:00.000Z',
    },
  })
  expect(await sign(clients.owner, owner)).toMatchObject({
    status: 409,
    body: { message: 'You have signed: another owner signs next.' },
  })
  expect((await push(scene.doomed, 'still')).statusCode).toBe(202)

  expect(await sign(clients.second, second)).toMatchObject({ body: { state: 'complete' } })
  expect(await show()).toMatchObject({ deletion: { state: 'scheduled', deletes_after: '2026-02-14' } })
  expect((await clients.reader.get('/console/session')).body.companies).toMatchObject([
    { deletes_after: '2026-02-14' },
  ])
  const { body } = await clients.second.get('/console/session')
  expect(body.notices.map(({ event }: { event: { action: string } }) => event.action)).toEqual(
    expect.arrayContaining(['company_exported', 'company_deletion_requested', 'company_deletion_scheduled']),
  )
  const { body: signed } = await clients.second.get('/console/signatures')
  expect(signed.signatures[0]).toMatchObject({
    subject: `company_deletion:${scene.doomed.company.companyId}`,
  })
  expect(signed.signatures[0].visible_text).toContain('I 30 dagar kan varje ägare dra tillbaka')
  expect(JSON.parse(signed.signatures[0].record)).toMatchObject({
    type: 'numera.company_deletion',
    grace_days: 30,
    company: { orgnr: scene.doomed.company.orgnr },
  })
})

test('a request is void after 30 days, and when its signer is no longer an owner', async () => {
  const { owner, second, clients, path, company } = scene.doomed
  await exportIt(clients.owner, path)
  await sign(clients.owner, owner)
  await removeMember(context, 'operator', company.companyId, owner.memberId)
  await seedMember(context, company.companyId, { role: 'owner' })
  expect((await sign(clients.second, second)).body.message).toContain('no longer an owner')

  expect((await clients.second.post(`${path}/deletion/withdraw`)).status).toBe(204)
  await sign(clients.second, second)
  context.clock.advance(30 * dayMs)
  await sweep()
  const { rows } = await database.pool.query('select from company_deletions where company_id = $1', [
    company.companyId,
  ])
  expect(rows).toHaveLength(0)
})

test('a company that is to be deleted is only read, and receives nothing', async () => {
  await schedule()
  const { clients, path, hook, source, connection, reader, second } = scene.doomed
  expect((await push(scene.doomed, 'new')).json()).toMatchObject({ code: 'source_paused' })
  expect((await push(scene.doomed, 'first')).statusCode).toBe(202)
  const t = Math.floor(context.clock.now() / 1_000)
  const sent = Buffer.from('[{"at":"2026-01-10","amount":"1"}]')
  const webhook = await app.inject({
    method: 'POST',
    url: `/v1/webhooks/${hook.sourceId}`,
    headers: {
      'content-type': 'application/json',
      'service-delivery-id': 'one',
      'service-signature': `t=${t},v1=${webhookSignature(hook.signingSecret, t, 'one', sent)}`,
    },
    payload: sent,
  })
  expect([webhook.statusCode, webhook.json().code]).toEqual([409, 'source_paused'])

  const read = (credential: string | undefined, query = '') =>
    app.inject({ url: `/v1/samples${query}`, headers: { authorization: `Bearer ${credential}` } })
  expect((await read(connection.credential)).json().samples).toHaveLength(1)
  expect((await read(scene.doomed.token, `?source_id=${source.sourceId}`)).statusCode).toBe(200)
  expect((await clients.reader.get(`${path}/reports`)).status).toBe(200)

  const changes = [
    await clients.owner.post(`${path}/sources/${source.sourceId}/resume`),
    await clients.owner.post(`${path}/invitations`, { role: 'reader' }),
    await clients.owner.patch(`${path}/members/${reader.memberId}`, { role: 'developer' }),
    // The owners keep each other able to withdraw it.
    await clients.owner.delete(`${path}/members/${second.memberId}`),
    await clients.owner.post(`${path}/connections`, {
      name: 'Late',
      source_id: null,
      permissions: ['metrics.read'],
      kind: 'production',
      credential_kind: 'static',
    }),
  ]
  expect(changes.map(({ status, body }) => [status, body.code])).toEqual(changes.map(() => [409, 'conflict']))
  const strangers = await scene.neighbour.clients.second.post(`${path}/invitations`, { role: 'reader' })
  expect(strangers.status).toBe(404)
  // Accesses can still be ended.
  expect((await clients.owner.post(`${path}/connections/${connection.connectionId}/revoke`)).status).toBe(200)
})

test('any owner withdraws a deletion, and the sources that it paused are active again', async () => {
  const { clients, path, source, hook } = scene.doomed
  await clients.owner.post(`${path}/sources/${hook.sourceId}/pause`, { reason: 'Inventering' })
  context.clock.advance(1_000)
  await schedule()
  expect((await clients.reader.post(`${path}/deletion/withdraw`)).status).toBe(403)
  context.clock.advance(29 * dayMs)
  await sweep()
  expect((await clients.owner.get(path)).status).toBe(401)
  const { rows } = await database.pool.query('select begun_at from company_deletions where company_id = $1', [
    scene.doomed.company.companyId,
  ])
  expect(rows).toEqual([{ begun_at: null }])
  context.clock.advance(-29 * dayMs)
  expect((await clients.second.post(`${path}/deletion/withdraw`)).status).toBe(204)
  expect((await clients.second.post(`${path}/deletion/withdraw`)).status).toBe(409)
  expect((await push(scene.doomed, 'again')).statusCode).toBe(202)
  const state = async (id: string) =>
    (await clients.second.get(`${path}/sources/${id}`)).body.source.paused_at
  expect([await state(source.sourceId), await state(hook.sourceId)]).toEqual([
    null,
    '2026-01-15T12:00:00.000Z',
  ])
  context.clock.advance(40 * dayMs)
  await sweep()
  expect(Object.keys(await readRows(scene.doomed.company.companyId))).toContain('shard_1.deliveries')
})

test('with one owner the operator confirms, and only then', async () => {
  const { clients, path, company, owner, second } = scene.doomed
  const { companyId } = company
  await expect(confirmDeletion(context, companyId)).rejects.toThrow('No owner has signed')
  await exportIt(clients.owner, path)
  await sign(clients.owner, owner)
  await expect(confirmDeletion(context, companyId)).rejects.toThrow('several owners')
  await removeMember(context, 'operator', companyId, second.memberId)
  expect(await confirmDeletion(context, companyId)).toBe('2026-02-14')
  expect((await push(scene.doomed, 'new')).json().code).toBe('source_paused')
})

test('after its time everything of a company is gone, wherever a sweep was killed, and nothing of others', async () => {
  const view = { name: 'V', search: `line=${scene.doomed.source.sourceId}.revenue`, pinned: true }
  for (const scope of ['member', 'company']) {
    const { clients, path } = scene.doomed
    expect((await clients.owner.post(`${path}/views`, { for: scope, ...view })).status).toBe(201)
  }
  await schedule()
  const { company, owner, second, reader } = scene.doomed
  const { companyId } = company
  const neighbours = scene.neighbour.company.companyId
  expect(Object.keys(await readRows(companyId)).length).toBeGreaterThan(15)

  // The day after the 14th begins at 23:00 UTC.
  context.clock.set('2026-02-14T22:59:59Z')
  await sweep()
  expect(await names(reader.memberId)).toBe('Test Testsson')
  // Otherwise they may be written while the sweeps run.
  await app.connectionUses.write()
  const before = await readRows(neighbours)
  context.clock.set('2026-02-14T23:00:00Z')
  // One process after the other dies, each a few statements later, until one gets to the end.
  let diesAt = 1
  for (; 'directory.companies' in (await readRows(companyId)); diesAt += isFull ? 4 : 16)
    await sweep(diesAt).catch(() => {})
  expect(diesAt).toBeGreaterThan(50)

  expect(countOf(await readRows(companyId))).toEqual({
    'directory.company_deletions': 1,
    'directory.signatures': 2,
  })
  const after = await readRows(neighbours)
  // It only no longer acts on the other company, nor the other on it.
  expect({ ...after, 'directory.connection_companies': '' }).toEqual({
    ...before,
    'directory.connection_companies': '',
  })
  expect(countOf(before)['directory.connection_companies']).toBe(1)
  expect(countOf(after)['directory.connection_companies']).toBeUndefined()

  // A reader of it alone is erased. Its owners signed its deletion, and one is a member of the other company.
  expect([await names(reader.memberId), await names(second.memberId), await names(owner.memberId)]).toEqual([
    null,
    'Sven Ägare',
    'Olivia Ägare',
  ])
  expect((await push(scene.doomed, 'late')).statusCode).toBe(401)
  const again = { orgnr: company.orgnr, name: 'Bageriet igen AB', timeZone: 'Europe/Stockholm' }
  expect((await addCompany(context, again)).orgnr).toBe(company.orgnr)

  context.clock.advance(401 * dayMs)
  await sweep()
  expect(await readRows(companyId)).toEqual({})
  expect([await names(second.memberId), await names(owner.memberId)]).toEqual([null, 'Olivia Ägare'])
})

test('a company that moves to another shard is deleted afterwards', async () => {
  await schedule()
  const { companyId } = scene.doomed.company
  await database.pool.query('insert into shards (shard, added_at) values (2, now()) on conflict do nothing')
  await database.pool.query(
    `insert into company_moves (company_id, move_id, from_shard, to_shard, phase, started_at, heartbeat_at)
     values ($1, gen_random_uuid(), 1, 2, 'copying', now(), now())`,
    [companyId],
  )
  context.clock.advance(32 * dayMs)
  await sweep()
  await sweep()
  expect(countOf(await readRows(companyId))['directory.memberships']).toBe(4)
  await database.pool.query('delete from company_moves where company_id = $1', [companyId])
  await sweep()
  await sweep()
  expect(countOf(await readRows(companyId))).toEqual({
    'directory.company_deletions': 1,
    'directory.signatures': 2,
  })
})
