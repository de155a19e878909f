/**
 * Companies, sources and connections for service tests, made through the real use cases, so that what a test begins with
 * is what a user would have.
 *
 * ```ts
 * const context = createTestContext(database.pool)
 * const { company, owner } = await seedCompany(context)
 * const source = await seedSource(context, company.companyId, { delivers: 'statements' })
 * const { credential } = await seedConnection(context, { owner, company, source, credentialKind: 'static' })
 * ```
 */
import type { AppContext } from '../../src/app/app-context.ts'
import type { Context } from '../../src/context.ts'
import { hash, randomBytes, randomInt } from 'node:crypto'
import { hashSecret, newSecret } from '../../src/platform/keys/secrets.ts'
import { addCompany } from '../../src/people/companies/add-company.ts'
import { addMember } from '../../src/console/memberships/add-member.ts'
import type { Company } from '../../src/people/companies/company.ts'
import type { Role } from '../../src/people/access/role.ts'
import type {
  Connection,
  CredentialKind,
  ServicePermission,
} from '../../src/company/connections/connection.ts'
import { createConnection } from '../../src/company/connections/create-connection.ts'
import { signWithDemoIdentity } from '../../src/company/connections/sign-with-demo-identity.ts'
import type { WithIdentity } from '../../src/people/identity/identity-provider.ts'
import { answerDemoIdentity } from '../../src/people/identity/demo/demo-provider.ts'
import { passesLuhn } from '../../src/formats/values/luhn.ts'
import { uuidv7 } from '../../src/formats/values/uuidv7.ts'
import { appPermissions, type AppPermission } from '../../src/people/access/app-permissions.ts'
import { newClientId } from '../../src/oauth/register/app.ts'
import { createSource, type CreatedSource } from '../../src/company/sources/create-source.ts'
import type { Declaration } from '../../src/engine/declarations/declaration.ts'
import type { Source, SourceSettings } from '../../src/company/sources/source.ts'
import { testFields, testMetric } from './source.ts'

export type SeedContext = Pick<Context, 'pool' | 'shard' | 'clock' | 'keys' | 'config'> & WithIdentity

export interface SeededMember {
  memberId: string
  /** Twelve digits, for the demo's electronic identity. */
  personalNumber: string
  name: string
  role: Role
}

export interface SeededCompany {
  company: Company
  owner: SeededMember
}

export interface SeededConnection {
  connection: Connection
  connectionId: string
  /** With client credentials. */
  clientId: string | undefined
  secret: string | undefined
  /** The static credential. */
  credential: string | undefined
}

const withCheckDigit = (digits: string): string =>
  Array.from({ length: 10 }, (_, check) => `${digits}${check}`).find(passesLuhn)!

const given = new Set<string>()
const notGivenYet = (draw: () => string): string => {
  let drawn = draw()
  while (given.has(drawn)) drawn = draw()
  given.add(drawn)
  return drawn
}

/** A valid number of a company, which a file of tests does not meet twice. */
export const testOrgnr = (): string =>
  notGivenYet(() => withCheckDigit(`55${randomInt(2, 10)}${String(randomInt(1_000_000)).padStart(6, '0')}`))

/** A valid personal number of a person born in the eighties, as twelve digits, unique within a file of tests. */
export const testPersonalNumber = (): string =>
  notGivenYet(() => {
    const day = new Date(Date.UTC(1980, 0, 1 + randomInt(3650)))
    const digits = day.toISOString().slice(2, 10).replaceAll('-', '')
    return `19${withCheckDigit(`${digits}${String(randomInt(1000)).padStart(3, '0')}`)}`
  })

/** A further member of a company. */
export const seedMember = async (
  context: SeedContext,
  companyId: string,
  options: { role?: Role; personalNumber?: string; name?: string } = {},
): Promise<SeededMember> => {
  const { role = 'developer', personalNumber = testPersonalNumber(), name = 'Test Testsson' } = options
  const { member_id: memberId } = await addMember(context, 'operator', companyId, { personalNumber, role })
  return { memberId, personalNumber, name, role }
}

/** A company with an owner. */
export const seedCompany = async (
  context: SeedContext,
  options: { orgnr?: string; name?: string; timeZone?: string; ownerPersonalNumber?: string } = {},
): Promise<SeededCompany> => {
  const company = await addCompany(context, {
    orgnr: options.orgnr ?? testOrgnr(),
    name: options.name ?? 'Bageriet AB',
    timeZone: options.timeZone ?? 'Europe/Stockholm',
  })
  const owner = await seedMember(context, company.companyId, {
    role: 'owner',
    name: 'Olivia Ägare',
    ...(options.ownerPersonalNumber === undefined ? {} : { personalNumber: options.ownerPersonalNumber }),
  })
  return { company, owner }
}

/** A shop's source: `at`, `amount`, `country`, and `customer`, which is personal; revenue by day by default. The second is called `Shop 2`. */
export const seedSource = async (
  context: SeedContext,
  companyId: string,
  options: Partial<SourceSettings & Declaration> = {},
): Promise<Source> => (await makeTestSource(context, companyId, options)).source

/** Sources of a company that a test has not named. */
const unnamed = new Map<string, number>()
const nextName = (companyId: string): string => {
  const count = (unnamed.get(companyId) ?? 0) + 1
  unnamed.set(companyId, count)
  return count === 1 ? 'Shop' : `Shop ${count}`
}

const makeTestSource = async (
  context: SeedContext,
  companyId: string,
  options: Partial<SourceSettings & Declaration>,
): Promise<CreatedSource> =>
  createSource(context, 'operator', companyId, {
    name: options.name ?? nextName(companyId),
    systemKind: options.systemKind ?? 'web shop',
    channel: options.channel ?? 'push',
    format: options.format ?? null,
    declaration: {
      fields: options.fields ?? testFields,
      event_time: options.event_time ?? 'at',
      metrics: options.metrics ?? [testMetric()],
      delivers: options.delivers ?? 'events',
    },
  })

/** The same as a webhook source, with the secret that its sender signs with (`deliveries/webhook-signature.ts`). */
export const seedWebhookSource = async (
  context: SeedContext,
  companyId: string,
  options: Partial<SourceSettings & Declaration> = {},
): Promise<Source & { signingSecret: string }> => {
  const made = await makeTestSource(context, companyId, { ...options, channel: 'webhook' })
  return { ...made.source, signingSecret: made.signingSecret! }
}

/** Answers an order as a person at the demo's page. Takes its `presentation.openUrl`. */
export const approveDemoOrder = async (
  context: SeedContext,
  openUrl: string | undefined,
  person: { personalNumber: string; name: string },
): Promise<void> => {
  const reference = openUrl?.split('/').at(-1) ?? ''
  const { personalNumber, name } = person
  if (!(await answerDemoIdentity(context, reference, { personalNumber, name }))) {
    throw new Error('there is no open demo order of that reference')
  }
}

/** A connection that its maker has signed; with `signed: false` one that waits for it. */
export const seedConnection = async (
  context: SeedContext,
  options: {
    company: Pick<Company, 'companyId'>
    /** Owner or developer of the company. */
    owner: Pick<SeededMember, 'memberId' | 'personalNumber' | 'name'>
    /** Left out: bound to no source. */
    source?: Pick<Source, 'sourceId'>
    permissions?: ServicePermission[]
    kind?: 'production' | 'sandbox'
    credentialKind?: CredentialKind
    furtherCompanyIds?: string[]
    signed?: boolean
  },
): Promise<SeededConnection> => {
  const { company, owner } = options
  const { companyId } = company
  const made = await createConnection(context, owner.memberId, companyId, {
    name: 'Connector',
    sourceId: options.source?.sourceId ?? null,
    permissions: options.permissions ?? ['sources.ingest', 'metrics.read'],
    kind: options.kind ?? 'production',
    credentialKind: options.credentialKind ?? 'static',
    furtherCompanyIds: options.furtherCompanyIds ?? [],
  })
  const { connectionId, clientId } = made.connection
  const seeded = { connectionId, clientId: clientId ?? undefined, credential: made.credential }
  if (options.signed === false) return { ...seeded, connection: made.connection, secret: undefined }

  const signed = await signWithDemoIdentity(context, owner.memberId, companyId, connectionId, owner)
  return { ...seeded, ...signed }
}

/*
 * Apps, and what they hold. These are written as rows: a test of what a token opens does not walk through a consent first.
 */

const dayMs = 24 * 60 * 60_000

export interface SeededApp {
  clientId: string
  clientName: string
  redirectUris: string[]
  /** The first of them. */
  redirectUri: string
}

/** A registered app. */
export const seedApp = async (
  context: Pick<AppContext, 'pool' | 'clock'>,
  options: { clientName?: string; redirectUris?: string[]; grantTypes?: string[] } = {},
): Promise<SeededApp> => {
  const clientId = newClientId()
  const { clientName = 'Rapportappen', redirectUris = ['https://app.example.com/back'] } = options
  await context.pool.query(
    `insert into apps (client_id, client_name, redirect_uris, grant_types, response_types, registered_at, last_used_at)
    values ($1, $2, $3, $4, '{code}', $5, $5)`,
    [
      clientId,
      clientName,
      redirectUris,
      options.grantTypes ?? ['authorization_code', 'refresh_token'],
      new Date(context.clock.now()),
    ],
  )
  return { clientId, clientName, redirectUris, redirectUri: redirectUris[0]! }
}

export interface SeededAppConnection {
  connectionId: string
  app: SeededApp
  memberId: string
  permissions: AppPermission[]
  resources: string[]
  expiresAt: Date
}

/** What a member allows an app, from now and for 90 days by default. */
export const seedAppConnection = async (
  context: Pick<AppContext, 'pool' | 'clock'>,
  options: {
    app: SeededApp
    member: Pick<SeededMember, 'memberId'>
    /** Ids of the chosen companies; left out: all that the member has, later ones too. */
    companyIds?: string[]
    permissions?: AppPermission[]
    resources?: string[]
    expiresAt?: Date
  },
): Promise<SeededAppConnection> => {
  const now = context.clock.now()
  const { app, companyIds, permissions = [...appPermissions], resources = [] } = options
  const { memberId } = options.member
  const expiresAt = options.expiresAt ?? new Date(now + 90 * dayMs)
  const connectionId = uuidv7(now)
  await context.pool.query(
    `with connected as (
      insert into app_connections (connection_id, client_id, member_id, client_name, redirect_host, permissions,
        every_company, resources, consented_at, expires_at)
      values ($1, $2, $3, $4, $5, $6, $7::uuid[] is null, $8, $9, $10)
      returning connection_id
    )
    insert into app_connection_companies (company_id, connection_id)
    select company_id, connection_id
    from connected, unnest($7::uuid[]) as company_id`,
    [
      connectionId,
      app.clientId,
      memberId,
      app.clientName,
      new URL(app.redirectUri).host,
      permissions,
      companyIds ?? null,
      resources,
      new Date(now),
      expiresAt,
    ],
  )
  return { connectionId, app, memberId, permissions, resources, expiresAt }
}

export interface SeededCode {
  code: string
  codeVerifier: string
  tokenFamilyId: string
}

/** A code of five minutes, as the app gets it when its member comes back, and the verifier that belongs to it. */
export const seedCode = async (
  context: Pick<AppContext, 'pool' | 'clock'>,
  connection: SeededAppConnection,
  options: { permissions?: AppPermission[]; resources?: string[] } = {},
): Promise<SeededCode> => {
  const now = context.clock.now()
  const code = newSecret('nac_')
  const codeVerifier = randomBytes(32).toString('base64url')
  const tokenFamilyId = uuidv7(now)
  await context.pool.query(
    `insert into authorization_codes (code_hash, token_family_id, connection_id, client_id, redirect_uri, code_challenge,
      permissions, resources, issued_at, expires_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      hashSecret(code),
      tokenFamilyId,
      connection.connectionId,
      connection.app.clientId,
      connection.app.redirectUri,
      hash('sha256', codeVerifier, 'base64url'),
      options.permissions ?? connection.permissions,
      options.resources ?? connection.resources,
      new Date(now),
      new Date(now + 5 * 60_000),
    ],
  )
  return { code, codeVerifier, tokenFamilyId }
}

export interface SeededAppToken {
  /** Of an hour. */
  accessToken: string
  refreshToken: string
  tokenFamilyId: string
}

/** The tokens of an app, as it gets them for a code. */
export const seedAppToken = async (
  context: Pick<AppContext, 'pool' | 'clock'>,
  connection: SeededAppConnection,
  options: { permissions?: AppPermission[]; resources?: string[] } = {},
): Promise<SeededAppToken> => {
  const now = context.clock.now()
  const [accessToken, refreshToken] = [newSecret('nat_'), newSecret('nrt_')]
  const tokenFamilyId = uuidv7(now)
  await context.pool.query(
    `insert into app_tokens (token_hash, kind, token_family_id, connection_id, client_id, permissions, resources, issued_at,
      expires_at)
    values ($1, 'access', $3, $4, $5, $6, $7, $8, least($9::timestamptz, $10::timestamptz)),
      ($2, 'refresh', $3, $4, $5, $6, $7, $8, $10::timestamptz)`,
    [
      hashSecret(accessToken),
      hashSecret(refreshToken),
      tokenFamilyId,
      connection.connectionId,
      connection.app.clientId,
      options.permissions ?? connection.permissions,
      options.resources ?? connection.resources,
      new Date(now),
      new Date(now + 60 * 60_000),
      connection.expiresAt,
    ],
  )
  return { accessToken, refreshToken, tokenFamilyId }
}
