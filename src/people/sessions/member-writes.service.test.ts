import { beforeEach, expect, test } from 'vitest'
import { signInConsole, type ConsoleClient } from '../../../testing/in-process/console-client.ts'
import { seedCompany, seedMember, seedSource, type SeededCompany } from '../../../testing/in-process/seed.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'

const { context, app, database } = await startTestService({
  environment: { NUMERA_WRITE_RATE_PER_MINUTE: '60', NUMERA_WRITE_RATE_BURST: '5' },
})

let seeded: SeededCompany
let owner: ConsoleClient
let company: string
beforeEach(async () => {
  await database.pool.query('delete from rate_buckets')
  seeded = await seedCompany(context)
  owner = await signInConsole(app, context, seeded.owner)
  company = `/console/companies/${seeded.company.companyId}`
})

const rebuild = async (client: ConsoleClient, path: string, count: number): Promise<number[]> => {
  const answers = await Promise.all(Array.from({ length: count }, () => client.post(`${path}/rebuilds`)))
  return answers.map(({ status }) => status).toSorted()
}

const invite = (client: ConsoleClient, id: string) =>
  client.post(`/console/companies/${id}/invitations`, { role: 'reader' })

test('a member who writes too much gets Retry-After; reads, other members and signing out are not limited', async () => {
  const { sourceId } = await seedSource(context, seeded.company.companyId)
  const path = `${company}/sources/${sourceId}`
  const colleague = await signInConsole(
    app,
    context,
    await seedMember(context, seeded.company.companyId, { role: 'developer' }),
  )
  expect(await rebuild(owner, path, 8)).toEqual([204, 204, 204, 204, 204, 429, 429, 429])
  const refused = await owner.post(`${path}/pause`)
  expect(refused).toMatchObject({
    status: 429,
    body: { code: 'rate_limited' },
    headers: { 'retry-after': '1' },
  })
  expect((await owner.get(path)).body.source.paused_at).toBeNull()
  expect(await rebuild(colleague, path, 1)).toEqual([204])
  context.clock.advance(1_000)
  expect((await owner.post(`${path}/pause`)).status).toBe(204)
  expect((await owner.post('/console/sign-out')).status).toBe(204)
})

test('writes in other companies and browsers count for the same member', async () => {
  const other = await seedCompany(context)
  await seedMember(context, other.company.companyId, {
    role: 'owner',
    personalNumber: seeded.owner.personalNumber,
  })
  const second = await signInConsole(app, context, seeded.owner)
  for (const client of [owner, second, owner, second]) {
    expect((await invite(client, seeded.company.companyId)).status).toBe(201)
  }
  expect((await invite(owner, other.company.companyId)).status).toBe(201)
  expect((await invite(second, other.company.companyId)).status).toBe(429)
})

test('a write from another site costs nothing', async () => {
  const { sourceId } = await seedSource(context, seeded.company.companyId)
  const path = `${company}/sources/${sourceId}`
  const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example' }
  for (let count = 0; count < 10; count++) {
    expect((await owner.post(`${path}/pause`, {}, foreign)).status).toBe(403)
  }
  expect(await rebuild(owner, path, 5)).toEqual([204, 204, 204, 204, 204])
})
