import { beforeEach } from 'vitest'
import { type Company } from '../../../src/people/companies/company.ts'
import { type Role } from '../../../src/people/access/role.ts'
import {
  seedCompany,
  seedConnection,
  seedMember,
  testPersonalNumber,
  type SeededConnection,
  type SeededMember,
} from '../seed.ts'
import { startTestService } from '../test-service.ts'

/**
 * The home company has the sources and the connection that are tried; the connection also acts on the further company;
 * the other company has nothing to do with either. The callers are members of the home company who do not belong to the
 * further one, then members of the further company who do not belong to the home one, the owner of the other company,
 * and a caller without a session. The last three are developers of the home company: the connection's creator and a
 * colleague, who are developers in both, and one who is only a reader in the further company.
 */
const roles = ['owner', 'developer', 'reader'] as const
export const callers = [
  ...roles.map((role) => `home ${role}` as const),
  ...roles.map((role) => `further ${role}` as const),
  'other owner',
  'signed out',
  'creator',
  'colleague',
  'half colleague',
] as const

export type Caller = (typeof callers)[number]

/** Starts a service with these companies and callers. To be called while the file is read, at its top. */
export const startRoleScene = async () => {
  const { database, context, app } = await startTestService()
  const seedPerson = async (...memberships: [Company, Role][]): Promise<SeededMember> => {
    const personalNumber = testPersonalNumber()
    let member: SeededMember | undefined
    for (const [{ companyId }, role] of memberships) {
      member = await seedMember(context, companyId, { role, personalNumber })
    }
    return member!
  }

  const homeScene = await seedCompany(context, { name: 'Hemma AB' })
  const furtherScene = await seedCompany(context, { name: 'Vidare AB' })
  const otherScene = await seedCompany(context, { name: 'Någon annans AB' })
  const [home, further, other] = [homeScene.company, furtherScene.company, otherScene.company]
  const creator = await seedPerson([home, 'developer'], [further, 'developer'])
  const people = new Map<Caller, SeededMember>([
    ['home owner', homeScene.owner],
    ['further owner', furtherScene.owner],
    ['other owner', otherScene.owner],
    ['creator', creator],
    ['colleague', await seedPerson([home, 'developer'], [further, 'developer'])],
    ['half colleague', await seedPerson([home, 'developer'], [further, 'reader'])],
  ])
  for (const role of ['developer', 'reader'] as const) {
    people.set(`home ${role}`, await seedPerson([home, role]))
    people.set(`further ${role}`, await seedPerson([further, role]))
  }

  /** A connection of the creator in the home company, which also acts on the further one. */
  const seedFurtherConnection = (signed = true): Promise<SeededConnection> =>
    seedConnection(context, {
      company: home,
      owner: creator,
      furtherCompanyIds: [further.companyId],
      signed,
    })

  // Refused calls change the rate, and are recorded like calls of apps and downloads.
  const { rows: tables } = await database.pool.query<{ name: string }>(
    `select relname as name from pg_class
     where relkind = 'r' and relnamespace in ('directory'::regnamespace, 'access'::regnamespace, 'shard_1'::regnamespace)
       and relname not in ('migrations', 'rate_buckets', 'app_calls', 'refused_calls', 'audit_events')
     order by relname`,
  )
  const sums = tables.map(
    ({ name }) => `select '${name}' as name, sum(hashtextextended(t::text, 0))::text as sum from ${name} t`,
  )
  /** Covers everything that is stored. A sum needs no order, and is quicker than sorting the rows of every table. */
  const digest = async (): Promise<string> => {
    const { rows } = await database.pool.query<{ digest: string }>({
      name: 'digest',
      text: `select md5(string_agg(coalesce(sum, '-'), ';' order by name)) as digest from (${sums.join(' union all ')}) as sums`,
    })
    return rows[0]!.digest
  }

  beforeEach(async () => {
    await database.pool.query('delete from rate_buckets')
    // The first time that a member opens a company is recorded.
    await database.pool.query('update memberships set opened = true')
  })

  return {
    database,
    context,
    app,
    home,
    further,
    other,
    creator,
    people,
    seedPerson,
    seedFurtherConnection,
    digest,
  }
}

export type RoleScene = Awaited<ReturnType<typeof startRoleScene>>
