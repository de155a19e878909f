import { beforeEach, expect, test } from 'vitest'
import { signInConsole, type ConsoleClient } from '../../../testing/in-process/console-client.ts'
import {
  seedCompany,
  seedMember,
  testPersonalNumber,
  type SeededCompany,
} from '../../../testing/in-process/seed.ts'
import { demoCompanyWiderRate, createDemoCompany } from './create-demo-company.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'
import { setLimits } from '../../engine/usage/set-limits.ts'
import { acceptInvitation } from './accept-invitation.ts'
import { openInvitationsMax } from './create-invitation.ts'

const { database, context, app } = await startTestService()
const day = 24 * 60 * 60_000

let seeded: SeededCompany
let owner: ConsoleClient
let company: string
let stranger: ConsoleClient
beforeEach(async () => {
  context.clock.set('2026-11-21T13:07:00Z')
  // Tests go back in time; to a bucket, that is a long wait.
  await database.pool.query('delete from rate_buckets')
  seeded = await seedCompany(context, { name: 'Ekeby Handel AB' })
  owner = await signInConsole(app, context, seeded.owner)
  company = `/console/companies/${seeded.company.companyId}`
  stranger = await signInConsole(app, context, { personalNumber: testPersonalNumber(), name: 'Nils Ny' })
})

const makeLink = async (body: object = { role: 'reader' }) => {
  const answer = await owner.post(`${company}/invitations`, body)
  expect(answer.status).toBe(201)
  const [address, token] = answer.body.link.split('#') as [string, string]
  return { address, token, invitation: answer.body.invitation }
}
const accept = (client: ConsoleClient, token: string) => client.post('/console/invitations/accept', { token })
const show = (client: ConsoleClient, token: string) => client.post('/console/invitations/show', { token })
const memberId = async (client: ConsoleClient): Promise<string> =>
  (await client.get('/console/session')).body.member_id
const getRoles = async (client: ConsoleClient) =>
  (await client.get('/console/session')).body.companies.map((each: { role: string }) => each.role)

test('a person who has the link reads what it invites to, accepts it, and is a member', async () => {
  const { address, token, invitation } = await makeLink({ role: 'developer', label: 'Anna, systems' })
  expect(address).toBe('http://localhost:8080/invitations')
  expect(token).toMatch(/^niv_[0-9A-Za-z]{43}$/)
  expect(invitation).toEqual({
    invitation_id: expect.any(String),
    role: 'developer',
    label: 'Anna, systems',
    created_by: { member_id: seeded.owner.memberId, name: 'Olivia Ägare' },
    created_at: '2026-11-21T13:07:00.000Z',
    expires_at: '2026-11-28T13:07:00.000Z',
  })
  expect((await owner.get(`${company}/invitations`)).body).toEqual({
    invitations: [invitation],
    next_cursor: null,
  })
  const number = seeded.company.orgnr
  expect((await show(stranger, token)).body).toEqual({
    company: { orgnr: `${number.slice(0, 6)}-${number.slice(6)}`, name: 'Ekeby Handel AB' },
    role: 'developer',
    created_by: { name: 'Olivia Ägare' },
    expires_at: '2026-11-28T13:07:00.000Z',
    current_role: null,
  })
  expect(await getRoles(stranger)).toEqual([])
  expect(await accept(stranger, token)).toMatchObject({
    status: 200,
    body: { company_id: seeded.company.companyId, role: 'developer' },
  })
  expect(await getRoles(stranger)).toEqual(['developer'])
  expect((await owner.get(`${company}/invitations`)).body.invitations).toEqual([])
  const { members } = (await owner.get(`${company}/members`)).body
  expect(members.find((member: { name: string }) => member.name === 'Nils Ny')).toMatchObject({
    role: 'developer',
    label: null,
    added_by: seeded.owner.memberId,
  })
})

test('a link works once: for its user nothing changes, for anyone else it is closed', async () => {
  const { token } = await makeLink()
  await accept(stranger, token)
  const again = await accept(stranger, token)
  expect(again).toMatchObject({ status: 200, body: { role: 'reader' } })
  expect((await show(stranger, token)).body.current_role).toBe('reader')
  const other = await signInConsole(app, context, {
    personalNumber: testPersonalNumber(),
    name: 'Sen Sensson',
  })
  for (const answer of [await accept(other, token), await show(other, token)]) {
    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } })
  }
  expect(await getRoles(other)).toEqual([])
  // A person who used it and was removed cannot use it again.
  await owner.delete(`${company}/members/${await memberId(stranger)}`)
  expect((await accept(stranger, token)).status).toBe(404)
  expect((await show(stranger, token)).status).toBe(404)
})

test('of many who use a link in the same moment one becomes a member', async () => {
  await Promise.all(Array.from({ length: 8 }, () => database.pool.query('select pg_sleep(0.05)')))
  const people = await Promise.all(
    Array.from({ length: 6 }, async (_, index) => {
      const other = await seedCompany(context, { name: `Annat ${index} AB` })
      return other.owner.memberId
    }),
  )
  for (let round = 0; round < 5; round++) {
    const { token } = await makeLink()
    const attempts = await Promise.allSettled(
      people.map((person) => acceptInvitation(context, person, token)),
    )
    const states = attempts.map(({ status }) => status)
    expect(states.filter((state) => state === 'fulfilled')).toHaveLength(1)
    const failed = attempts.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []))
    expect(new Set(failed)).toEqual(new Set(['not_found', ...failed.filter((code) => code === 'conflict')]))
    const { rows } = await database.pool.query(
      'select member_id from memberships where company_id = $1 and member_id <> $2',
      [seeded.company.companyId, seeded.owner.memberId],
    )
    expect(rows).toHaveLength(round + 1)
  }
})

test('one person who uses a link twice in the same moment is a member once', async () => {
  const { token } = await makeLink()
  const person = await memberId(stranger)
  const answers = await Promise.all([1, 2, 3].map(() => acceptInvitation(context, person, token)))
  expect(new Set(answers.map(({ role }) => role))).toEqual(new Set(['reader']))
})

test('a link closes after seven days, when it is withdrawn, and when its creator is no longer an owner', async () => {
  const { token: late } = await makeLink()
  context.clock.advance(7 * day - 1)
  expect((await show(await signInConsole(app, context, seeded.owner), late)).status).toBe(200)
  context.clock.advance(1)
  const person = await signInConsole(app, context, { personalNumber: testPersonalNumber(), name: 'Nils Ny' })
  expect((await accept(person, late)).status).toBe(404)

  owner = await signInConsole(app, context, seeded.owner)
  const { token, invitation } = await makeLink()
  const withdraw = () => owner.post(`${company}/invitations/${invitation.invitation_id}/withdraw`)
  expect((await withdraw()).status).toBe(204)
  expect((await withdraw()).status).toBe(404)
  expect((await accept(person, token)).status).toBe(404)

  const second = await seedMember(context, seeded.company.companyId, { role: 'owner' })
  const { token: ofFormer } = await makeLink({ role: 'owner' })
  const other = await signInConsole(app, context, second)
  await other.patch(`${company}/members/${seeded.owner.memberId}`, { role: 'developer' })
  expect((await accept(person, ofFormer)).status).toBe(404)
  await other.patch(`${company}/members/${seeded.owner.memberId}`, { role: 'owner' })
  expect((await accept(person, ofFormer)).status).toBe(404)
  const { token: ofRemoved } = await makeLink({ role: 'owner' })
  expect((await other.delete(`${company}/members/${seeded.owner.memberId}`)).status).toBe(204)
  expect((await accept(person, ofRemoved)).status).toBe(404)
  expect(await getRoles(person)).toEqual([])
})

test('a member who opens a link leaves it open for another person, and keeps their role', async () => {
  const { token } = await makeLink({ role: 'owner' })
  const reader = await signInConsole(
    app,
    context,
    await seedMember(context, seeded.company.companyId, { role: 'reader' }),
  )
  expect((await show(reader, token)).body.current_role).toBe('reader')
  expect(await accept(reader, token)).toMatchObject({ status: 409, body: { code: 'conflict' } })
  expect(await getRoles(reader)).toEqual(['reader'])
  expect((await accept(stranger, token)).body.role).toBe('owner')
})

test('a token that is none is 404, and one in a query or a log line is nowhere read', async () => {
  const { token } = await makeLink()
  for (const wrong of ['', 'x', token.slice(0, -1), `${token}x`, token.toLowerCase(), '\0', 'niv_']) {
    expect((await accept(stranger, wrong)).status).toBe(404)
  }
  expect((await stranger.post('/console/invitations/accept', { token: 'x'.repeat(101) })).status).toBe(400)
  expect((await stranger.post('/console/invitations/accept', { token: 1 })).status).toBe(400)
  expect((await stranger.post(`/console/invitations/accept?token=${token}`, {})).status).toBe(400)
  expect((await stranger.get(`/console/invitations/${token}`)).status).toBe(404)
  expect((await accept(stranger, token)).status).toBe(200)
})

test('neither the list, the audit log nor the database contains the token', async () => {
  const { token } = await makeLink({ role: 'owner', label: 'Anna' })
  await accept(stranger, token)
  const { body: audit } = await owner.get(`${company}/audit`)
  expect(JSON.stringify(audit)).not.toContain(token)
  const { rows } = await database.pool.query('select invitations::text as row from invitations')
  expect(JSON.stringify(rows)).not.toContain(token)
})

test('a label of hidden characters or with a personal number is refused, and nothing is created', async () => {
  for (const label of [
    '',
    ' ',
    'A\u202eB',
    'A\u200bB',
    'A\u0000B',
    '\ud800',
    'x'.repeat(101),
    'Anna 19850412-2385',
    '8504122385',
    'Anna 850412 2385',
    '1985-04-12-2385',
    'Anna 850412–2385',
    '８５０４１２２３８５',
    '850412.2385',
    '850412\u22122385',
    '850412 - 2385',
    '85/04/12/2385',
    '850412\u00a0\u00a02385',
    '8 5 0 4 1 2 2 3 8 5',
    '(850412)2385',
    '850412\u31642385',
    '⑧⑤⓪④①②②③⑧⑤',
    '8\u20e35\u20e30\u20e34\u20e31\u20e32\u20e32\u20e33\u20e38\u20e35',
  ]) {
    for (const path of ['invitations', 'members']) {
      const number = path === 'members' ? { personal_number: testPersonalNumber() } : {}
      const answer = await owner.post(`${company}/${path}`, { ...number, role: 'reader', label })
      expect([label, path, answer.status, answer.body.field]).toEqual([label, path, 400, 'label'])
      if (/\p{Nd}{4}/u.test(label)) expect(JSON.stringify(answer.body)).not.toContain(label)
    }
  }
  expect((await owner.get(`${company}/invitations`)).body.invitations).toEqual([])
  expect((await owner.get(`${company}/members`)).body.members).toHaveLength(1)
  // What people are called otherwise is text.
  const { invitation } = await makeLink({ role: 'reader', label: '<b>Åsa</b> 👩🏽‍💻'.replace('\u200d', '') })
  expect(invitation.label).toContain('<b>Åsa</b>')
  expect(
    (await makeLink({ role: 'reader', label: 'Åsa, from 2026-01-15, desk 4' })).invitation.label,
  ).toContain('desk 4')
})

const labels = async () =>
  (await owner.get(`${company}/members`)).body.members.map((each: { label: string; name: string }) => [
    each.label,
    each.name,
  ])

test('a label tells apart who was invited by number, until they have opened the company', async () => {
  const numbers = [testPersonalNumber(), testPersonalNumber()]
  for (const [index, personal_number] of numbers.entries()) {
    await owner.post(`${company}/members`, { personal_number, role: 'reader', label: `Revisor ${index + 1}` })
  }
  expect(await labels()).toEqual(
    expect.arrayContaining([
      ['Revisor 1', null],
      ['Revisor 2', null],
      [null, 'Olivia Ägare'],
    ]),
  )
  context.clock.advance(1_000)
  const client = await signInConsole(app, context, { personalNumber: numbers[0]!, name: 'Rut Revisor' })
  await client.get(company)
  expect(await labels()).toEqual(
    expect.arrayContaining([
      [null, 'Rut Revisor'],
      ['Revisor 2', null],
    ]),
  )
})

test('owners see when a member last signed in since they were added, and what they hold', async () => {
  const person = { personalNumber: testPersonalNumber(), name: 'Elin Åkesson' }
  await signInConsole(app, context, person)
  context.clock.advance(day)
  await owner.post('/console/sign-out')
  owner = await signInConsole(app, context, seeded.owner)
  const { body: added } = await owner.post(`${company}/members`, {
    personal_number: person.personalNumber,
    role: 'developer',
  })
  // What she did before is no matter of the company's.
  expect(added.last_sign_in_at).toBeNull()
  context.clock.advance(60_000)
  await (await signInConsole(app, context, person)).get(company)
  const { members } = (await owner.get(`${company}/members`)).body
  expect(members.find((each: { name: string }) => each.name === 'Elin Åkesson')).toMatchObject({
    last_sign_in_at: '2026-11-22T13:08:00.000Z',
    signed_connections: 0,
  })
})

test('a company has room for so many links, and members, and no more', async () => {
  await database.pool.query(
    `insert into invitations (company_id, invitation_id, token_hash, role, created_by, created_at, expires_at)
     select $1, gen_random_uuid(), int4send(number), 'reader', $2, $3, $3::timestamptz + interval '7 days'
     from generate_series(1, $4::integer) as number`,
    [seeded.company.companyId, seeded.owner.memberId, new Date(context.clock.now()), openInvitationsMax - 1],
  )
  const { token } = await makeLink()
  const answer = await owner.post(`${company}/invitations`, { role: 'reader' })
  expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } })
  await setLimits(context, seeded.company.companyId, { members: 1 })
  expect(await accept(stranger, token)).toMatchObject({ status: 409, body: { code: 'conflict' } })
  await setLimits(context, seeded.company.companyId, { members: 2 })
  expect((await accept(stranger, token)).status).toBe(200)
})

test('a visitor of the demo creates a company with a made-up number, and owns it', async () => {
  const made = await stranger.post('/console/demo-companies', { name: 'Eget AB' })
  expect(made).toMatchObject({
    status: 201,
    body: { name: 'Eget AB', role: 'owner', time_zone: 'Europe/Stockholm' },
  })
  expect(made.body.orgnr).toMatch(/^559999-\d{4}$/)
  expect(await getRoles(stranger)).toEqual(['owner'])
  for (const name of ['', 'A\u202eB', 'x'.repeat(101)]) {
    expect(await stranger.post('/console/demo-companies', { name })).toMatchObject({
      status: 400,
      body: { field: 'name' },
    })
  }
  const numbers = new Set<string>()
  let refused: Awaited<ReturnType<ConsoleClient['post']>> | undefined
  for (let round = 0; round < 6 && refused === undefined; round++) {
    const answer = await stranger.post('/console/demo-companies', { name: 'Eget AB' })
    if (answer.status === 201) numbers.add(answer.body.orgnr)
    else refused = answer
  }
  expect(numbers.size).toBe(4)
  expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
  expect(Number(refused!.headers['retry-after'])).toBeGreaterThan(0)
})

test('a wider network of many client networks leaves made-up companies to the others', async () => {
  const { memberId } = await seedMember(context, seeded.company.companyId)
  const make = async (address: string) => createDemoCompany(context, memberId, { name: 'Eget AB' }, address)
  for (let each = 0; each < demoCompanyWiderRate.burst; each++) await make(`2001:db8:${each.toString(16)}::1`)
  await expect(make('2001:db8:ffff::1')).rejects.toMatchObject({ code: 'rate_limited' })
  expect(await make('2001:db9::1')).toMatchObject({ name: 'Eget AB' })
})

test('once all made-up numbers are taken, no further company is created, not even in part', async () => {
  await database.pool.query(
    `insert into companies (company_id, shard, orgnr, name, time_zone, created_at)
     select gen_random_uuid(), 1, '559999' || lpad(number::text, 4, '0'), 'Påhittat AB', 'Europe/Stockholm', now()
     from generate_series(0, 9999) as number
     where (
       select sum(case when place % 2 = 1 then (digit * 2) / 10 + (digit * 2) % 10 else digit end) % 10
       from (
         select place, substr('559999' || lpad(number::text, 4, '0'), place, 1)::integer as digit
         from generate_series(1, 10) as place
       ) as digits
     ) = 0
     on conflict do nothing`,
  )
  const { rows } = await database.pool.query(
    `select count(*)::integer as made from companies where orgnr like '559999%'`,
  )
  expect(rows[0].made).toBe(1_000)
  expect(await stranger.post('/console/demo-companies', { name: 'Eget AB' })).toMatchObject({
    status: 409,
    body: { code: 'conflict' },
  })
  expect(await getRoles(stranger)).toEqual([])
})
