import { beforeEach, expect, test } from 'vitest'
import { hashSecret } from '../../platform/keys/secrets.ts'
import { addMember } from '../../console/memberships/add-member.ts'
import { changeRole } from '../../console/memberships/change-role.ts'
import type { Company } from '../../people/companies/company.ts'
import { removeMember } from '../../console/memberships/remove-member.ts'
import type { Role } from '../../people/access/role.ts'
import type { Source } from '../sources/source.ts'
import { signInConsole, type ConsoleClient } from '../../../testing/in-process/console-client.ts'
import {
  approveDemoOrder,
  seedCompany,
  seedConnection,
  seedMember,
  seedSource,
  type SeededCompany,
  type SeededConnection,
  type SeededMember,
} from '../../../testing/in-process/seed.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'
import { rotateConnection } from './rotate-connection.ts'

const { database, context, app } = await startTestService()

/** The company whose connection it is, and those that it acts on as well. */
let bakery: SeededCompany
let mill: SeededCompany
let farm: SeededCompany
let millSource: Source
/** Developer in all three. */
let maker: SeededMember
let made: SeededConnection
beforeEach(async () => {
  context.clock.set('2026-01-15T12:00:00Z')
  await database.pool.query('delete from rate_buckets')
  bakery = await seedCompany(context, { name: 'Bageriet AB' })
  mill = await seedCompany(context, { name: 'Kvarnen AB' })
  farm = await seedCompany(context, { name: 'Gården AB' })
  millSource = await seedSource(context, mill.company.companyId)
  maker = await makeMember({ bakery: 'developer', mill: 'developer', farm: 'developer' }, 'Maja Skapare')
  made = await seedConnection(context, {
    company: bakery.company,
    owner: maker,
    furtherCompanyIds: [mill.company.companyId, farm.company.companyId],
  })
})

const makeMember = async (
  roles: Partial<Record<'bakery' | 'mill' | 'farm', Role>>,
  name = 'Test Testsson',
): Promise<SeededMember> => {
  let member: SeededMember | undefined
  for (const [company, role] of Object.entries(roles)) {
    const { companyId } = { bakery, mill, farm }[company as 'bakery' | 'mill' | 'farm'].company
    const { personalNumber } = member ?? {}
    member = await seedMember(context, companyId, {
      role,
      name,
      ...(personalNumber === undefined ? {} : { personalNumber }),
    })
  }
  return member!
}

const justSignedIn = (person: SeededMember) => ({ ...person, authenticatedAt: new Date(context.clock.now()) })
const signIn = (person: SeededMember): Promise<ConsoleClient> => signInConsole(app, context, person)

const pathIn = ({ company }: SeededCompany, connectionId = made.connectionId): string =>
  `/console/companies/${company.companyId}/connections/${connectionId}`

const getReadStatus = async (credential: string, { orgnr }: Company, source: Source): Promise<number> =>
  (
    await app.inject({
      url: `/v1/samples?orgnr=${orgnr}&source_id=${source.sourceId}`,
      headers: { authorization: `Bearer ${credential}` },
    })
  ).statusCode

const credentials = async (connectionId = made.connectionId) =>
  (
    await database.pool.query<{ credential_hash: Buffer; ends_at: Date | null }>(
      'select credential_hash, ends_at from credentials where connection_id = $1',
      [connectionId],
    )
  ).rows

const furtherIds = async (connectionId = made.connectionId): Promise<string[]> =>
  (
    await database.pool.query<{ company_id: string }>(
      'select company_id from connection_companies where connection_id = $1',
      [connectionId],
    )
  ).rows.map((row) => row.company_id)

test('a developer who is not a member of a further company cannot rotate the connection, and its secret keeps working', async () => {
  const developer = await signIn(await makeMember({ bakery: 'developer' }))
  const answer = await developer.post(`${pathIn(bakery)}/rotate`, { overlap_hours: 0 })
  expect(answer).toMatchObject({ status: 403, body: { code: 'permission_denied' } })
  expect(answer.body).not.toHaveProperty('credential')
  expect(await credentials()).toEqual([{ credential_hash: hashSecret(made.credential!), ends_at: null }])
  expect(await getReadStatus(made.credential!, mill.company, millSource)).toBe(200)
})

test('a member who is less than a developer in one of the companies cannot rotate, nor can an owner of the connection’s own', async () => {
  const people = [
    bakery.owner,
    await makeMember({ bakery: 'owner', mill: 'owner' }),
    await makeMember({ bakery: 'developer', mill: 'developer', farm: 'reader' }),
  ]
  for (const person of people) {
    expect((await (await signIn(person)).post(`${pathIn(bakery)}/rotate`)).status).toBe(403)
  }
  expect(await credentials()).toHaveLength(1)
})

test('a developer of every company that it acts on can rotate it, and loses that with the first of them', async () => {
  const developer = await makeMember({ bakery: 'developer', mill: 'owner', farm: 'developer' })
  const browser = await signIn(developer)
  const { status, body } = await browser.post(`${pathIn(bakery)}/rotate`)
  expect(status).toBe(200)
  expect(await getReadStatus(body.credential, mill.company, millSource)).toBe(200)
  await changeRole(context, 'operator', farm.company.companyId, developer.memberId, 'reader')
  expect((await browser.post(`${pathIn(bakery)}/rotate`)).status).toBe(403)
})

test('the maker rotates what is left after losing a further company, which it opens no longer', async () => {
  await changeRole(context, 'operator', mill.company.companyId, maker.memberId, 'reader')
  const browser = await signIn(maker)
  const { status, body } = await browser.post(`${pathIn(bakery)}/rotate`)
  expect(status).toBe(200)
  expect(body.connection.further_companies).toMatchObject([{ company_id: farm.company.companyId }])
  expect(await getReadStatus(body.credential, mill.company, millSource)).toBe(404)
  // A member who could no longer create it cannot rotate it, not even its creator.
  await changeRole(context, 'operator', bakery.company.companyId, maker.memberId, 'reader')
  expect((await browser.post(`${pathIn(bakery)}/rotate`)).status).toBe(403)
  await removeMember(context, 'operator', bakery.company.companyId, maker.memberId)
  expect((await browser.post(`${pathIn(bakery)}/rotate`)).status).toBe(404)
})

test('a released company no longer counts', async () => {
  const browser = await signIn(await makeMember({ bakery: 'developer', mill: 'developer' }))
  expect((await browser.post(`${pathIn(bakery)}/rotate`)).status).toBe(403)
  expect((await (await signIn(farm.owner)).post(`${pathIn(farm)}/release`)).status).toBe(204)
  expect((await browser.post(`${pathIn(bakery)}/rotate`)).status).toBe(200)
})

test('owners of a further company see the connection, whose it is, and nothing of other companies', async () => {
  context.clock.advance(1_000)
  const own = await seedConnection(context, { company: mill.company, owner: mill.owner })
  const browser = await signIn(mill.owner)
  const { body } = await browser.get(`/console/companies/${mill.company.companyId}/connections`)
  expect(body.connections.map((each: { connection_id: string }) => each.connection_id)).toEqual([
    own.connectionId,
    made.connectionId,
  ])
  const { orgnr } = bakery.company
  const seen = {
    connection_id: made.connectionId,
    company: {
      company_id: bakery.company.companyId,
      orgnr: `${orgnr.slice(0, 6)}-${orgnr.slice(6)}`,
      name: 'Bageriet AB',
    },
    name: 'Connector',
    state: 'signed',
    kind: 'production',
    credential_kind: 'static',
    permissions: ['sources.ingest', 'metrics.read'],
    source: null,
    further_companies: [expect.objectContaining({ company_id: mill.company.companyId, name: 'Kvarnen AB' })],
    client_id: null,
    created_by: { member_id: maker.memberId, name: 'Maja Skapare', is_member: true },
    created_at: '2026-01-15T12:00:00.000Z',
    signature_id: null,
    signed_at: '2026-01-15T12:00:00.000Z',
    signed_with: null,
    expires_at: '2027-01-15T12:00:00.000Z',
    expires_in_days: 365,
    expires_soon: false,
    revoked_at: null,
    revoked_by: null,
    last_used_at: null,
    credentials: [],
    previous_credential_ends_at: null,
  }
  expect(body.connections[1]).toEqual(seen)
  expect((await browser.get(pathIn(mill))).body).toEqual(seen)
  expect(JSON.stringify(body)).not.toContain('Gården')
  // When its credential was rotated is its own company's to know, and that its maker has left that.
  await rotateConnection(context, justSignedIn(maker), bakery.company.companyId, made.connectionId)
  expect((await browser.get(pathIn(mill))).body).toEqual(seen)
  await removeMember(context, 'operator', bakery.company.companyId, maker.memberId)
  expect((await browser.get(pathIn(mill))).body).toEqual(seen)
})

test('the client id of another company’s connection is not shown', async () => {
  const other = await seedConnection(context, {
    company: bakery.company,
    owner: maker,
    credentialKind: 'client',
    furtherCompanyIds: [mill.company.companyId],
  })
  const shown = await (await signIn(mill.owner)).get(pathIn(mill, other.connectionId))
  expect(shown).toMatchObject({ status: 200, body: { client_id: null, signature_id: null } })
  expect((await (await signIn(maker)).get(pathIn(bakery, other.connectionId))).body.client_id).toBe(
    other.clientId,
  )
})

test('an unsigned connection is visible to every owner, who can release their company from it', async () => {
  const waiting = await seedConnection(context, {
    company: bakery.company,
    owner: maker,
    furtherCompanyIds: [mill.company.companyId],
    signed: false,
  })
  const browser = await signIn(mill.owner)
  const path = pathIn(mill, waiting.connectionId)
  expect((await browser.get(path)).body.state).toBe('unsigned')
  expect((await browser.post(`${path}/release`)).status).toBe(204)
  expect(await furtherIds(waiting.connectionId)).toEqual([])
})

test('members of a further company who are not its owners do not see the connection', async () => {
  for (const role of ['developer', 'reader'] as const) {
    const browser = await signIn(await makeMember({ mill: role }))
    const path = `/console/companies/${mill.company.companyId}/connections`
    const list = await browser.get(path)
    expect(list.body.connections ?? []).toEqual([])
    expect((await browser.get(pathIn(mill))).status).toBe(role === 'developer' ? 404 : 403)
    expect((await browser.post(`${pathIn(mill)}/release`)).status).toBe(403)
  }
  expect(await furtherIds()).toHaveLength(2)
})

test('an owner releases their company from a connection, and its next call on that company is 404', async () => {
  const bakerySource = await seedSource(context, bakery.company.companyId)
  const farmSource = await seedSource(context, farm.company.companyId)
  const other = await seedConnection(context, {
    company: bakery.company,
    owner: maker,
    credentialKind: 'client',
    furtherCompanyIds: [mill.company.companyId],
  })
  const { access_token: token } = (
    await app.inject({
      method: 'POST',
      url: '/oauth/token',
      headers: {
        authorization: `Basic ${Buffer.from(`${other.clientId}:${other.secret}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: 'grant_type=client_credentials',
    })
  ).json()
  const browser = await signIn(mill.owner)
  for (const [connectionId, credential] of [
    [made.connectionId, made.credential!],
    [other.connectionId, token],
  ] as const) {
    expect(await getReadStatus(credential, mill.company, millSource)).toBe(200)
    expect(await browser.post(`${pathIn(mill, connectionId)}/release`)).toMatchObject({
      status: 204,
      body: undefined,
    })
    expect(await getReadStatus(credential, mill.company, millSource)).toBe(404)
    // It keeps working for the others.
    expect(await getReadStatus(credential, bakery.company, bakerySource)).toBe(200)
    expect((await browser.get(pathIn(mill, connectionId))).status).toBe(404)
    expect((await browser.post(`${pathIn(mill, connectionId)}/release`)).status).toBe(404)
  }
  expect(await getReadStatus(made.credential!, farm.company, farmSource)).toBe(200)
})

test('a released company remains released when the creator comes back', async () => {
  const { companyId } = mill.company
  await (await signIn(mill.owner)).post(`${pathIn(mill)}/release`)
  await removeMember(context, 'operator', companyId, maker.memberId)
  const { personalNumber } = maker
  await addMember(context, 'operator', companyId, { personalNumber, role: 'owner' })
  expect(await getReadStatus(made.credential!, mill.company, millSource)).toBe(404)
})

test('a company’s own connection is revoked, and another company’s is not', async () => {
  const own = await (await signIn(bakery.owner)).post(`${pathIn(bakery)}/release`)
  expect(own).toMatchObject({ status: 409, body: { code: 'conflict' } })
  const browser = await signIn(mill.owner)
  for (const step of ['revoke', 'rotate', 'sign']) {
    expect(await browser.post(`${pathIn(mill)}/${step}`)).toMatchObject({
      status: 403,
      body: { code: 'permission_denied' },
    })
  }
  expect((await (await signIn(maker)).get(pathIn(bakery))).body.state).toBe('signed')
  expect((await (await signIn(bakery.owner)).post(`${pathIn(bakery)}/revoke`)).body.state).toBe('revoked')
  expect((await browser.get(pathIn(mill))).body.state).toBe('revoked')
})

/** A connection of the maker's on two companies, its signature made but not collected; with what collects it. */
const beginSigning = async () => {
  const waiting = await seedConnection(context, {
    company: bakery.company,
    owner: maker,
    credentialKind: 'client',
    furtherCompanyIds: [mill.company.companyId],
    signed: false,
  })
  const browser = await signIn(maker)
  const path = pathIn(bakery, waiting.connectionId)
  const { body: order } = await browser.post(`${path}/sign`)
  await approveDemoOrder(context, order.presentation.open_url, maker)
  return {
    connectionId: waiting.connectionId,
    text: order.visible_text as string,
    collect: () => browser.post(`${path}/sign/${order.order_id}/collect`),
    again: async () => (await browser.post(`${path}/sign`)).body.visible_text as string,
  }
}

test.each<[string, (connectionId: string) => Promise<unknown>]>([
  ['the maker lost', () => removeMember(context, 'operator', mill.company.companyId, maker.memberId)],
  [
    'its owner took off',
    async (connectionId) => (await signIn(mill.owner)).post(`${pathIn(mill, connectionId)}/release`),
  ],
])('a signature whose text names a company that %s meanwhile gives no secret', async (_how, lose) => {
  const signing = await beginSigning()
  expect(signing.text).toContain('Kvarnen AB')
  await lose(signing.connectionId)
  expect(await signing.collect()).toMatchObject({ status: 409, body: { code: 'conflict' } })
  expect(await credentials(signing.connectionId)).toEqual([])
  expect(await signing.again()).not.toContain('Kvarnen AB')
})

test('a creator who is no longer a developer when they sign gets no secret', async () => {
  const signing = await beginSigning()
  await changeRole(context, 'operator', bakery.company.companyId, maker.memberId, 'reader')
  expect((await signing.collect()).status).toBe(403)
  expect(await credentials(signing.connectionId)).toEqual([])
})
