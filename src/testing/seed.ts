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
import { randomInt } from 'node:crypto'
import { addCompany } from '../companies/add-company.ts'
import { addMember } from '../companies/add-member.ts'
import type { Company } from '../companies/company.ts'
import type { Role } from '../companies/role.ts'
import type { Connection, CredentialKind, ServicePermission } from '../connections/connection.ts'
import { makeConnection } from '../connections/make-connection.ts'
import { signWithDemoIdentity } from '../connections/sign-with-demo-identity.ts'
import type { Context } from '../context.ts'
import { answerDemoIdentity } from '../identity/demo-provider.ts'
import { passesLuhn } from '../identity/luhn.ts'
import { createSource, type MadeSource } from '../sources/create-source.ts'
import type { Declaration } from '../sources/declaration.ts'
import type { Source, SourceSettings } from '../sources/source.ts'
import { testFields, testMetric } from './source.ts'

export type SeedContext = Pick<Context, 'pool' | 'clock' | 'masterKey' | 'identity'>

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

/** A valid number of a company, out of so many that a file of tests does not meet one twice. */
export const testOrgnr = (): string =>
  withCheckDigit(`55${randomInt(2, 10)}${String(randomInt(1_000_000)).padStart(6, '0')}`)

/** A valid personal number of somebody born in the eighties, as twelve digits. */
export const testPersonalNumber = (): string => {
  const day = new Date(Date.UTC(1980, 0, 1 + randomInt(3650))).toISOString().slice(2, 10).replaceAll('-', '')
  return `19${withCheckDigit(`${day}${String(randomInt(1000)).padStart(3, '0')}`)}`
}

/** A further member of a company. */
export const seedMember = async (
  context: SeedContext,
  companyId: string,
  options: { role?: Role; personalNumber?: string; name?: string } = {},
): Promise<SeededMember> => {
  const { role = 'developer', personalNumber = testPersonalNumber(), name = 'Test Testsson' } = options
  const { memberId } = await addMember(context, 'operator', companyId, { personalNumber, role })
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

/** A shop's source: `at`, `amount`, `country`, and `customer`, which is personal; revenue by day unless said otherwise. */
export const seedSource = async (
  context: SeedContext,
  companyId: string,
  options: Partial<SourceSettings & Declaration> = {},
): Promise<Source> => (await makeTestSource(context, companyId, options)).source

const makeTestSource = async (
  context: SeedContext,
  companyId: string,
  options: Partial<SourceSettings & Declaration>,
): Promise<MadeSource> =>
  createSource(context, 'operator', companyId, {
    name: options.name ?? 'Shop',
    systemKind: options.systemKind ?? 'web shop',
    deliveryWay: options.deliveryWay ?? 'push',
    documentForm: options.documentForm ?? null,
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
  const made = await makeTestSource(context, companyId, { ...options, deliveryWay: 'webhook' })
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
  const made = await makeConnection(context, owner.memberId, companyId, {
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
