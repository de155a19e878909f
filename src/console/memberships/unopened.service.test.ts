import { beforeEach, expect, test } from 'vitest'
import {
  createConsoleClient,
  signInConsole,
  type ConsoleClient,
} from '../../../testing/in-process/console-client.ts'
import {
  seedApp,
  seedAppConnection,
  seedCompany,
  seedMember,
  testPersonalNumber,
} from '../../../testing/in-process/seed.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'
import { companyAdditionRate, memberAdditionRate } from './add-member.ts'

const { database, context, app } = await startTestService()

let curious: ConsoleClient
let company: string
let companyId: string
beforeEach(async () => {
  await database.pool.query('delete from rate_buckets')
  const seeded = await seedCompany(context)
  companyId = seeded.company.companyId
  company = `/console/companies/${companyId}`
  curious = await signInConsole(app, context, seeded.owner)
})

/** A person whom another company knows by name, and who lets an app read all of their companies. */
const seedKnownPerson = async () => {
  const { company: other } = await seedCompany(context)
  const person = await seedMember(context, other.companyId, { name: 'Karin Känd' })
  const client = await signInConsole(app, context, person)
  await client.get(`/console/companies/${other.companyId}`)
  const known = await seedApp(context)
  await seedAppConnection(context, { app: known, member: person })
  return { person, client }
}

/** All that owners and other members of the company read of its people. */
const readEverything = async () => {
  const paths = ['', '/members', '/audit', '/apps', '/invitations', '/connections', '/sources']
  const answers = await Promise.all(paths.map(async (path) => curious.get(`${company}${path}`)))
  expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200))
  return answers.map(({ body }) => body)
}

const add = async (personalNumber: string, rest: object = {}) =>
  curious.post(`${company}/members`, {
    personal_number: personalNumber,
    role: 'owner',
    label: 'Revisor',
    ...rest,
  })

test('a personal number gives no name, app or sign-in of its person before they have opened the company', async () => {
  const { person, client } = await seedKnownPerson()
  const added = await add(person.personalNumber)
  expect(added).toMatchObject({ status: 201, body: { name: null, label: 'Revisor', last_sign_in_at: null } })
  const memberPath = `${company}/members/${added.body.member_id}`
  await curious.patch(memberPath, { role: 'developer' })
  await curious.patch(memberPath, { role: 'owner' })
  context.clock.advance(60_000)
  // Another company's matter, and the list of one's own companies opens none.
  await signInConsole(app, context, person)
  await client.get('/console/companies')
  const [shown, { members }, { events }, { apps }, ...rest] = await readEverything()
  expect(JSON.stringify([shown, members, events, apps, rest])).not.toContain('Karin')
  expect(shown.owners).toContainEqual({ member_id: person.memberId, name: null })
  expect(members).toContainEqual(
    expect.objectContaining({ member_id: person.memberId, label: 'Revisor', last_sign_in_at: null }),
  )
  const about = (all: { subject: { id: string; name: string } }[]) =>
    all.filter(({ subject }) => subject.id === person.memberId).map(({ subject }) => subject.name)
  expect(about(events)).toEqual(['Revisor', 'Revisor', 'Revisor'])
  expect(apps).toEqual([])

  await client.get(`${company}/reports`)
  const [, opened, history, readers] = await readEverything()
  expect(opened.members).toContainEqual(
    expect.objectContaining({ name: 'Karin Känd', label: null, last_sign_in_at: expect.any(String) }),
  )
  expect(about(history.events)).toEqual(['Karin Känd', 'Karin Känd', 'Karin Känd'])
  expect(readers.apps).toHaveLength(1)
})

test('a person who was removed and is added again is as unknown as before, and so is one who never came', async () => {
  const { person, client } = await seedKnownPerson()
  const path = `${company}/members/${person.memberId}`
  await add(person.personalNumber)
  await curious.delete(path)
  expect(JSON.stringify(await readEverything())).not.toContain('Karin')
  await add(person.personalNumber)
  await client.get(company)
  await curious.delete(path)
  const [, , { events }] = await readEverything()
  const removals = events.filter(({ action }: { action: string }) => action === 'member_removed')
  expect(removals.map(({ subject }: { subject: { name: string } }) => subject.name).toSorted()).toEqual([
    'Karin Känd',
    'Revisor',
  ])
  await add(person.personalNumber)
  const [shown, { members }] = await readEverything()
  expect(JSON.stringify([shown, members])).not.toContain('Karin')
})

test('what adding answers does not tell whether the service knows the person', async () => {
  const { person } = await seedKnownPerson()
  const answers = [await add(person.personalNumber), await add(testPersonalNumber())]
  const [known, unknown] = answers.map(({ status, body }) => {
    const { member_id, added_at, ...same } = body
    // A random id: one that grows with time would tell since when a person is known.
    expect(member_id).toMatch(/^[0-9a-f-]{14}4/)
    return { status, ...same, added_at: typeof added_at }
  })
  expect(known).toEqual(unknown)
})

test('a person who joins by a link or creates a company is known by name from the start', async () => {
  const made = await curious.post(`${company}/invitations`, { role: 'owner' })
  const { client } = await seedKnownPerson()
  await client.post('/console/invitations/accept', { token: new URL(made.body.link).hash.slice(1) })
  const [shown] = await readEverything()
  expect(shown.owners.map(({ name }: { name: string }) => name)).toContain('Karin Känd')
})

test('numbers are tried at a bounded rate by one owner, and by all owners of a company together', async () => {
  const wrong = { personal_number: '198112189875', role: 'reader' }
  const tryAll = async (client: ConsoleClient, count: number) => {
    const statuses = new Map<number, number>()
    for (let each = 0; each < count; each += 1) {
      const { status } = await client.post(`${company}/members`, wrong)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    return Object.fromEntries(statuses)
  }
  expect(await tryAll(curious, memberAdditionRate.burst + 1)).toEqual({
    400: memberAdditionRate.burst,
    429: 1,
  })
  const refused = await curious.post(`${company}/members`, wrong)
  expect(refused.body).toMatchObject({ code: 'rate_limited' })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  const left = companyAdditionRate.burst - memberAdditionRate.burst
  for (const expected of [{ 400: left }, { 429: 1 }]) {
    const another = await seedMember(context, companyId, { role: 'owner' })
    const client = await signInConsole(app, context, another)
    expect(await tryAll(client, Object.values(expected)[0]!)).toEqual(expected)
  }
  // A stranger's attempts take nothing from the company.
  expect((await createConsoleClient(app).post(`${company}/members`, wrong)).status).toBe(401)
})
