import { beforeEach, expect, test } from 'vitest'
import { signInConsole, type ConsoleClient } from '../../../testing/in-process/console-client.ts'
import {
  seedCompany,
  seedConnection,
  seedMember,
  testOrgnr,
  testPersonalNumber,
  type SeededCompany,
} from '../../../testing/in-process/seed.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'
import { addCompany } from '../../people/companies/add-company.ts'
import { removeMember } from './remove-member.ts'

const { database, context, app } = await startTestService()
let seeded: SeededCompany
let owner: ConsoleClient
let members: string
beforeEach(async () => {
  seeded = await seedCompany(context)
  owner = await signInConsole(app, context, seeded.owner)
  members = `/console/companies/${seeded.company.companyId}/members`
})

test('a company is added once, with a real number and time zone', async () => {
  const orgnr = testOrgnr()
  const add = (changes: object) =>
    addCompany(context, { orgnr, name: 'Nya AB', timeZone: 'Europe/Stockholm', ...changes })
  await expect(add({ orgnr: '5560160681' })).rejects.toMatchObject({
    code: 'invalid_argument',
    field: 'orgnr',
  })
  await expect(add({ timeZone: 'Europe/Atlantis' })).rejects.toMatchObject({ field: 'time_zone' })
  await expect(add({ timeZone: '+01:00' })).rejects.toMatchObject({ field: 'time_zone' })
  await expect(add({ name: 'A\u202eB' })).rejects.toMatchObject({ field: 'name' })
  expect(await add({ timeZone: 'europe/stockholm' })).toMatchObject({ orgnr, timeZone: 'Europe/Stockholm' })
  await expect(add({ orgnr: `${orgnr.slice(0, 6)}-${orgnr.slice(6)}` })).rejects.toMatchObject({
    code: 'conflict',
  })
})

test('an owner invites by personal number; the person is a member from the next sign-in on', async () => {
  const person = { personalNumber: testPersonalNumber(), name: 'Nils Ny' }
  const invited = await owner.post(members, { personal_number: person.personalNumber, role: 'reader' })
  expect(invited).toMatchObject({ status: 201, body: { name: null, role: 'reader' } })
  expect(invited.body.added_by).toBe(seeded.owner.memberId)
  const client = await signInConsole(app, context, person)
  expect((await client.get('/console/session')).body.companies).toMatchObject([{ role: 'reader' }])
  await client.get(members.replace('/members', ''))
  const { body } = await owner.get(members)
  expect(body.members.map((member: { name: string }) => member.name).toSorted()).toEqual([
    'Nils Ny',
    'Olivia Ägare',
  ])
  const again = await owner.post(members, {
    personal_number: `${person.personalNumber.slice(0, 8)}-${person.personalNumber.slice(8)}`,
    role: 'owner',
  })
  expect(again).toMatchObject({ status: 409, body: { code: 'conflict', field: 'personal_number' } })
})

test('a wrong personal number is refused and not repeated', async () => {
  const answer = await owner.post(members, { personal_number: '198112189875', role: 'reader' })
  expect(answer).toMatchObject({ status: 400, body: { field: 'personal_number' } })
  expect(JSON.stringify(answer.body)).not.toContain('198112189875')
})

test('only owners see and change members; to everyone else the company does not exist', async () => {
  const developer = await signInConsole(app, context, await seedMember(context, seeded.company.companyId))
  expect(await developer.get(members)).toMatchObject({ status: 403, body: { code: 'permission_denied' } })
  expect((await developer.patch(`${members}/${seeded.owner.memberId}`, { role: 'reader' })).status).toBe(403)
  expect((await developer.delete(`${members}/${seeded.owner.memberId}`)).status).toBe(403)
  const elsewhere = await signInConsole(app, context, (await seedCompany(context)).owner)
  expect(await elsewhere.get(members)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect((await elsewhere.get('/console/companies/no-uuid/members')).status).toBe(404)
})

test('the loss of a role or a membership counts on the next call', async () => {
  const member = await seedMember(context, seeded.company.companyId, { role: 'developer' })
  const client = await signInConsole(app, context, member)
  const sources = `/console/companies/${seeded.company.companyId}/sources`
  const connections = `/console/companies/${seeded.company.companyId}/connections`
  expect((await client.get(connections)).status).toBe(200)
  expect((await owner.patch(`${members}/${member.memberId}`, { role: 'reader' })).body.role).toBe('reader')
  expect((await client.get(connections)).status).toBe(403)
  expect((await client.get(sources)).status).toBe(200)
  expect((await owner.delete(`${members}/${member.memberId}`)).status).toBe(204)
  expect((await client.get(sources)).status).toBe(404)
  expect((await owner.delete(`${members}/${member.memberId}`)).status).toBe(404)
})

test('the last owner cannot be removed in any way', async () => {
  await seedMember(context, seeded.company.companyId)
  const own = `${members}/${seeded.owner.memberId}`
  expect(await owner.delete(own)).toMatchObject({ status: 409, body: { code: 'conflict' } })
  expect((await owner.patch(own, { role: 'developer' })).status).toBe(409)
  await seedMember(context, seeded.company.companyId, { role: 'owner' })
  expect((await owner.patch(own, { role: 'developer' })).status).toBe(200)
  // No owner any more, but still a member: may leave.
  expect((await owner.get(members)).status).toBe(403)
  expect((await owner.delete(own)).status).toBe(204)
})

test('a member sees what they would leave behind, and whether they may leave', async () => {
  const { company } = seeded
  const own = `/console/companies/${company.companyId}/membership`
  expect((await owner.get(own)).body).toMatchObject({
    role: 'owner',
    signed_connections: 0,
    last_owner: true,
  })
  const person = await seedMember(context, company.companyId, { role: 'developer' })
  const client = await signInConsole(app, context, person)
  await seedConnection(context, { company, owner: person })
  await seedConnection(context, { company, owner: person, signed: false })
  await seedConnection(context, { company, owner: seeded.owner })
  expect((await client.get(own)).body).toMatchObject({
    role: 'developer',
    signed_connections: 1,
    last_owner: false,
  })
  // As a reader they see no connections, and hold what they signed.
  await owner.patch(`${members}/${person.memberId}`, { role: 'reader' })
  expect((await client.get(own)).body).toMatchObject({ role: 'reader', signed_connections: 1 })
  expect((await client.delete(`${members}/${person.memberId}`)).status).toBe(204)
  expect((await client.get(own)).status).toBe(404)
})

test('a member who is not an owner can end their own membership, and no one else’s', async () => {
  for (const role of ['developer', 'reader'] as const) {
    const member = await seedMember(context, seeded.company.companyId, { role })
    const other = await seedMember(context, seeded.company.companyId, { role })
    const client = await signInConsole(app, context, member)
    expect((await client.delete(`${members}/${other.memberId}`)).status).toBe(403)
    expect((await client.delete(`${members}/${member.memberId}`)).status).toBe(204)
    expect((await client.get('/console/session')).body.companies).toEqual([])
    expect((await client.get(`/console/companies/${seeded.company.companyId}/sources`)).status).toBe(404)
    expect((await client.delete(`${members}/${member.memberId}`)).status).toBe(404)
    const { body } = await owner.get(`/console/companies/${seeded.company.companyId}/audit?limit=200`)
    expect(body.events).toContainEqual(
      expect.objectContaining({
        action: 'member_left',
        member: expect.objectContaining({ member_id: member.memberId, is_member: false }),
        details: { role },
      }),
    )
  }
})

test('two owners who leave, or remove each other, in the same moment leave one', async () => {
  // Opens connections beforehand, so that concurrent calls are concurrent.
  await Promise.all(Array.from({ length: 8 }, () => database.pool.query('select pg_sleep(0.05)')))
  for (let round = 0; round < 20; round += 1) {
    const { company, owner: one } = await seedCompany(context)
    const two = await seedMember(context, company.companyId, { role: 'owner' })
    const ended = round % 2 === 0 ? [two, one] : [one, two]
    const attempts = await Promise.allSettled([
      removeMember(context, { memberId: one.memberId }, company.companyId, ended[0]!.memberId),
      removeMember(context, { memberId: two.memberId }, company.companyId, ended[1]!.memberId),
    ])
    expect(attempts.map((attempt) => attempt.status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const { rows } = await database.pool.query(
      `select from memberships where company_id = $1 and role = 'owner'`,
      [company.companyId],
    )
    expect(rows).toHaveLength(1)
  }
})

test('a long list is read page by page', async () => {
  for (let i = 0; i < 4; i += 1) await seedMember(context, seeded.company.companyId)
  const seen: string[] = []
  let cursor: string | null = null
  let pages = 0
  do {
    const query: string = cursor === null ? '?limit=2' : `?limit=2&cursor=${cursor}`
    const { body } = await owner.get(members + query)
    seen.push(...body.members.map((member: { member_id: string }) => member.member_id))
    cursor = body.next_cursor
    pages += 1
  } while (cursor !== null)
  expect(pages).toBe(3)
  expect(new Set(seen).size).toBe(5)
  expect(await owner.get(`${members}?cursor=x`)).toMatchObject({ status: 400, body: { field: 'cursor' } })
  expect(await owner.get(`${members}?limit=201`)).toMatchObject({ status: 400, body: { field: 'limit' } })
})
