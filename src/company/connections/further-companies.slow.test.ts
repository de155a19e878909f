import type { PoolClient } from 'pg'
import { beforeEach, expect, test } from 'vitest'
import type { Role } from '../../people/access/role.ts'
import { endMembership } from '../../people/members/change-membership.ts'
import { signInConsole, type ConsoleClient } from '../../../testing/in-process/console-client.ts'
import {
  approveDemoOrder,
  seedCompany,
  seedConnection,
  seedMember,
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
/** Developer in all three. */
let maker: SeededMember
let made: SeededConnection
beforeEach(async () => {
  context.clock.set('2026-01-15T12:00:00Z')
  await database.pool.query('delete from rate_buckets')
  bakery = await seedCompany(context, { name: 'Bageriet AB' })
  mill = await seedCompany(context, { name: 'Kvarnen AB' })
  farm = await seedCompany(context, { name: 'Gården AB' })
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

const credentials = async (connectionId = made.connectionId) =>
  (
    await database.pool.query<{ credential_hash: Buffer; ends_at: Date | null }>(
      'select credential_hash, ends_at from credentials where connection_id = $1',
      [connectionId],
    )
  ).rows

test('a list holds own and other companies’ connections once each, newest first, on pages of any size', async () => {
  const expected = [made.connectionId]
  for (const [index, company] of [mill, bakery, bakery, mill, bakery].entries()) {
    context.clock.advance(1_000)
    const { connectionId } = await seedConnection(context, {
      company: company.company,
      owner: maker,
      furtherCompanyIds: company === bakery && index !== 4 ? [mill.company.companyId] : [],
      signed: false,
    })
    if (index !== 4) expected.unshift(connectionId)
  }
  const browser = await signIn(mill.owner)
  for (const limit of [1, 2, 3, 5, 50]) {
    const ids: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`
      const { body }: Awaited<ReturnType<ConsoleClient['get']>> = await browser.get(
        `/console/companies/${mill.company.companyId}/connections?limit=${limit}${query}`,
      )
      ids.push(...body.connections.map((each: { connection_id: string }) => each.connection_id))
      cursor = body.next_cursor
    }
    expect(ids).toEqual(expected)
  }
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

test('an order is collected and given up under its own company alone', async () => {
  const signing = await beginSigning()
  const browser = await signIn(maker)
  const { body: order } = await browser.post(`${pathIn(bakery, signing.connectionId)}/sign`)
  const elsewhere = `${pathIn(mill, signing.connectionId)}/sign/${order.order_id}`
  for (const step of ['collect', 'cancel']) {
    expect((await browser.post(`${elsewhere}/${step}`)).status).toBe(404)
  }
  expect((await signing.collect()).body.state).toBe('complete')
})

/** Waits until a statement of another transaction waits for a lock, or `work` is over by itself; 10 seconds at most. */
const untilItWaits = async (work: Promise<unknown>): Promise<void> => {
  const over = work.then(() => true)
  for (let looks = 0; looks < 400; looks++) {
    const { rows } = await database.pool.query(
      `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    )
    const pause = new Promise<boolean>((resolve) => setTimeout(resolve, 25, false))
    if (rows.length > 0 || (await Promise.race([over, pause]))) return
  }
}

/** Runs `work` while the maker’s membership of the mill ends, in the same moment, in another transaction. */
const whileTheMillIsLost = async <T>(work: () => Promise<T>): Promise<T | Error> => {
  const client: PoolClient = await database.pool.connect()
  try {
    await client.query('begin')
    await endMembership(client, mill.company.companyId, maker.memberId)
    const outcome = work().catch((error: unknown) => error as Error)
    await untilItWaits(outcome)
    await client.query('commit')
    return await outcome
  } finally {
    client.release()
  }
}

test('a connection is not created for a company whose membership ends at the same moment', async () => {
  const browser = await signIn(maker)
  const answer = await whileTheMillIsLost(() =>
    browser.post(`/console/companies/${bakery.company.companyId}/connections`, {
      name: 'In between',
      source_id: null,
      permissions: ['metrics.read'],
      kind: 'production',
      credential_kind: 'static',
      further_company_ids: [mill.company.companyId],
    }),
  )
  expect(answer).toMatchObject({ status: 404 })
  const { rows } = await database.pool.query(`select from connections where name = 'In between'`)
  expect(rows).toEqual([])
})

test('nothing is rotated for a member whose membership of a further company ends at the same moment', async () => {
  // The maker of this one stays; who rotates it is the member who loses the mill.
  const other = await makeMember({ bakery: 'developer', mill: 'developer' })
  const { connectionId } = await seedConnection(context, {
    company: bakery.company,
    owner: other,
    furtherCompanyIds: [mill.company.companyId],
  })
  const { companyId } = bakery.company
  const outcome = await whileTheMillIsLost(() =>
    rotateConnection(context, justSignedIn(maker), companyId, connectionId),
  )
  expect(outcome).toMatchObject({ code: 'permission_denied' })
  expect(await credentials(connectionId)).toHaveLength(1)
})
