import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addMember } from '../console/memberships/add-member.ts'
import { changeRole } from '../console/memberships/change-role.ts'
import { createInvitation } from '../console/memberships/create-invitation.ts'
import { removeMember } from '../console/memberships/remove-member.ts'
import type { Company } from '../people/companies/company.ts'
import type { Role } from '../people/access/role.ts'
import { releaseConnection } from '../company/connections/release-connection.ts'
import { startSigningConnection } from '../company/connections/sign-connection.ts'
import { startSigningConsent } from '../oauth/consent/sign-consent.ts'
import { pagelessOrigin } from '../people/identity/identity-provider.ts'
import { rotateSigningSecret } from '../company/sources/signing-secrets/rotate-signing-secret.ts'
import type { Source } from '../company/sources/source.ts'
import {
  createConsoleClient,
  signInConsole,
  type ConsoleClient,
} from '../../testing/in-process/console-client.ts'
import {
  approveDemoOrder,
  seedApp,
  seedAppConnection,
  seedAppToken,
  seedCompany,
  seedConnection,
  seedMember,
  seedSource,
  seedWebhookSource,
  testPersonalNumber,
  type SeededApp,
  type SeededConnection,
  type SeededMember,
} from '../../testing/in-process/seed.ts'
import { testFields, testMetric } from '../../testing/in-process/source.ts'
import { storeDelivery } from '../../testing/in-process/store-delivery.ts'
import { startTestService } from '../../testing/in-process/test-service.ts'
import { startTestWorker } from '../../testing/in-process/test-worker.ts'

/*
 * Who may do what: every operation that takes a session, by role and company, tried against the service.
 *
 * The home company has the sources and the connection that are tried; the connection also acts on the further company;
 * the other company has nothing to do with either. The callers are members of the home company who do not belong to the
 * further one, then members of the further company who do not belong to the home one, the owner of the other company,
 * and a caller without a session. The last three are developers of the home company: the connection's creator and a
 * colleague, who are developers in both, and one who is only a reader in the further company.
 */
const roles = ['owner', 'developer', 'reader'] as const
const callers = [
  ...roles.map((role) => `home ${role}` as const),
  ...roles.map((role) => `further ${role}` as const),
  'other owner',
  'signed out',
  'creator',
  'colleague',
  'half colleague',
] as const
type Caller = (typeof callers)[number]

const { database, context, app } = await startTestService()
const { worker } = startTestWorker({ database, context })

let home: Company
let further: Company
let other: Company
const people = new Map<Caller, SeededMember>()
const browsers = new Map<Caller, ConsoleClient>()
const csrfTokens = new Map<Caller, string>()
let creator: SeededMember
let rapport: SeededApp

const seedPerson = async (...memberships: [Company, Role][]): Promise<SeededMember> => {
  const personalNumber = testPersonalNumber()
  let member: SeededMember | undefined
  for (const [{ companyId }, role] of memberships) {
    member = await seedMember(context, companyId, { role, personalNumber })
  }
  return member!
}

beforeAll(async () => {
  const [ofHome, ofFurther, ofOther] = [
    await seedCompany(context, { name: 'Hemma AB' }),
    await seedCompany(context, { name: 'Vidare AB' }),
    await seedCompany(context, { name: 'Någon annans AB' }),
  ]
  ;[home, further, other] = [ofHome.company, ofFurther.company, ofOther.company]
  people.set('home owner', ofHome.owner)
  people.set('further owner', ofFurther.owner)
  people.set('other owner', ofOther.owner)
  for (const role of ['developer', 'reader'] as const) {
    people.set(`home ${role}`, await seedPerson([home, role]))
    people.set(`further ${role}`, await seedPerson([further, role]))
  }
  creator = await seedPerson([home, 'developer'], [further, 'developer'])
  people.set('creator', creator)
  people.set('colleague', await seedPerson([home, 'developer'], [further, 'developer']))
  people.set('half colleague', await seedPerson([home, 'developer'], [further, 'reader']))
  rapport = await seedApp(context)
  for (const caller of callers) {
    const person = people.get(caller)
    const browser =
      person === undefined ? createConsoleClient(app) : await signInConsole(app, context, person)
    browsers.set(caller, browser)
    const { body } = await browser.get('/console/session')
    csrfTokens.set(caller, body.csrf_token ?? '')
  }
}, 60_000)

/** What a call is about, created for each, so that one call does not affect the next. */
interface Target {
  company: Company
  /** Values of the path's other parameters. */
  params?: Record<string, string>
  body?: unknown
  query?: string
  /** Puts back what a call that succeeds takes from the caller. */
  afterwards?: () => Promise<unknown>
  /** In place of the caller's own. */
  browser?: ConsoleClient
}
type MakeTarget = (caller: Caller) => Promise<Target>

const inHome =
  (body?: unknown): MakeTarget =>
  async () => ({ company: home, body })

const ofSource =
  (body?: unknown, seed: () => Promise<Source> = () => seedSource(context, home.companyId)): MakeTarget =>
  async () => ({ company: home, body, params: { source_id: (await seed()).sourceId } })

/** With a body of its own for each caller: no two sources have one name. */
const renewed =
  (make: () => MakeTarget): MakeTarget =>
  async (caller) =>
    make()(caller)

const report: MakeTarget = async () => {
  const { sourceId } = await seedSource(context, home.companyId)
  return { company: home, params: { source_id: sourceId, metric: 'revenue' } }
}

const tracedValue: MakeTarget = async () => {
  const { sourceId } = await seedSource(context, home.companyId)
  const rows = [{ at: '2026-01-14', amount: '1' }]
  await storeDelivery(database.pool, { companyId: home.companyId, sourceId }, rows)
  await worker.drain()
  const query = '?metric=revenue&period_start=2026-01-14'
  return { company: home, params: { source_id: sourceId }, query }
}

const delivery: MakeTarget = async () => {
  const source = await seedSource(context, home.companyId)
  const { artifactId } = await storeDelivery(
    database.pool,
    { companyId: home.companyId, sourceId: source.sourceId },
    [],
    { queued: false },
  )
  return { company: home, params: { artifact_id: artifactId } }
}

/** The creator's, of the home company, which acts on the further one; seen from one of the two. */
const seedFurtherConnection = (signed = true): Promise<SeededConnection> =>
  seedConnection(context, {
    company: home,
    owner: creator,
    furtherCompanyIds: [further.companyId],
    signed,
  })

const connectionFrom =
  (companyOf: () => Company, signed = true): MakeTarget =>
  async () => ({
    company: companyOf(),
    params: { connection_id: (await seedFurtherConnection(signed)).connectionId },
  })
const ownConnection = connectionFrom(() => home)
const connectionOfHome = connectionFrom(() => further)

const signingFrom =
  (companyOf: () => Company): MakeTarget =>
  async () => {
    const { connectionId } = await seedFurtherConnection(false)
    const origin = { ...pagelessOrigin, sessionHash: undefined }
    const order = await startSigningConnection(
      context,
      creator.memberId,
      home.companyId,
      connectionId,
      'en',
      origin,
    )
    await approveDemoOrder(context, order.presentation.openUrl, creator)
    return { company: companyOf(), params: { connection_id: connectionId, order_id: order.orderId } }
  }

const newConnection = (furtherCompanyIds: string[] = []) => ({
  name: 'Connector',
  source_id: null,
  permissions: ['metrics.read'],
  kind: 'production',
  credential_kind: 'static',
  further_company_ids: furtherCompanyIds,
})

const someMember =
  (body?: unknown): MakeTarget =>
  async () => ({
    company: home,
    body,
    params: { member_id: (await seedMember(context, home.companyId)).memberId },
  })

/** The caller's own membership of the home company; a caller without one tries the creator's. */
const oneself =
  (body?: unknown): MakeTarget =>
  async (caller) => {
    const person = people.get(caller) ?? creator
    const { memberId, personalNumber } =
      caller.startsWith('further') || caller === 'other owner' ? creator : person
    const role: Role = caller === 'home owner' ? 'owner' : caller === 'home reader' ? 'reader' : 'developer'
    return {
      company: home,
      body,
      params: { member_id: memberId },
      afterwards: async () => {
        await addMember(context, 'operator', home.companyId, { personalNumber, role }).catch(() =>
          changeRole(context, 'operator', home.companyId, memberId, role),
        )
      },
    }
  }

const makeLink = (): ReturnType<typeof createInvitation> =>
  createInvitation(context, people.get('home owner')!, home.companyId, { role: 'reader' })

/** A link to the home company, whose accepter is removed afterwards. */
const link: MakeTarget = async (caller) => {
  const [, token] = (await makeLink()).link.split('#')
  return {
    company: home,
    body: { token },
    afterwards: async () => {
      const memberId = people.get(caller)!.memberId
      if (!caller.startsWith('further') && caller !== 'other owner') return
      await removeMember(context, 'operator', home.companyId, memberId).catch(() => undefined)
    },
  }
}

const ownersNotice: MakeTarget = async () => {
  const { sourceId } = await seedWebhookSource(context, home.companyId)
  await rotateSigningSecret(context, 'operator', home.companyId, sourceId)
  const { rows } = await database.pool.query<{ id: string }>(
    `select event_id as id from audit_events where company_id = $1 and action = 'source_secret_rotated' order by 1 desc limit 1`,
    [home.companyId],
  )
  return { company: home, body: { through: rows[0]!.id } }
}

const declaration = { fields: testFields, event_time: 'at', metrics: [testMetric()], delivers: 'events' }

const consentQuery = (): string =>
  `?${new URLSearchParams({
    response_type: 'code',
    client_id: rapport.clientId,
    redirect_uri: rapport.redirectUri,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })}`

const consent =
  (body: () => object = () => ({})): MakeTarget =>
  async () => ({ company: home, body: { query: consentQuery(), ...body() } })

const consentOrder = async (body?: object): Promise<Target> => {
  const begun = await startSigningConsent(
    context,
    creator,
    consentQuery(),
    { permissions: ['metrics.read'], every: false, companyIds: [home.companyId], language: 'en' },
    { ...pagelessOrigin, sessionHash: undefined },
  )
  if (begun.state !== 'signing') throw new Error(`nothing is to be signed: ${begun.state}`)
  return {
    company: home,
    params: { order_id: begun.order.orderId },
    body,
  }
}

const appConnection: MakeTarget = async () => {
  const held = await seedAppConnection(context, { app: await seedApp(context), member: creator })
  return { company: home, params: { connection_id: held.connectionId } }
}

const ownSession: MakeTarget = async (caller) => {
  const person = people.get(caller)
  const browser = person === undefined ? createConsoleClient(app) : await signInConsole(app, context, person)
  return { company: home, browser }
}

/** Another session of the creator's. */
const makersSession: MakeTarget = async () => {
  const browser = await signInConsole(app, context, creator)
  const { body } = await browser.get('/console/sessions')
  const { session_id } = body.sessions.find((each: { current: boolean }) => each.current)
  return { company: home, params: { session_id } }
}

/** Someone new, whose sessions no other call needs. */
const strangersSession: MakeTarget = async (caller) => {
  const person = { personalNumber: testPersonalNumber(), name: 'Främling' }
  const browser =
    people.get(caller) === undefined ? createConsoleClient(app) : await signInConsole(app, context, person)
  return { company: home, browser }
}

interface Operation {
  /** Method and pattern, as the app's table of routes has them. */
  route: string
  /** What is tried with it. */
  about: string
  target: MakeTarget
  /**
   * Statuses in the order of `callers`: home owner, developer, reader; the same of further; other, no one; the three.
   */
  expected: string
}

const operation = (route: string, about: string, expected: string, target: MakeTarget): Operation => ({
  route,
  about,
  target,
  expected,
})

const company = '/console/companies/:company_id'
const source = `${company}/sources/:source_id`
const connection = `${company}/connections/:connection_id`

/** For every member of the home company; for its developers; for its owner. */
const anyMember = '200 200 200  404 404 404  404 401  200 200 200'
const developers = '200 200 403  404 404 404  404 401  200 200 200'
const developersDone = '204 204 403  404 404 404  404 401  204 204 204'
const owners = '200 403 403  404 404 404  404 401  403 403 403'
/** For each caller, about themselves. */
const anyone = '200 200 200  200 200 200  200 401  200 200 200'

// oxfmt-ignore
const table: Operation[] = [
  operation('GET /console/session', 'one’s own', anyone, inHome()),
  operation('POST /console/sign-out', 'one’s own', '204 204 204  204 204 204  204 401  204 204 204', ownSession),
  operation('GET /console/sessions', 'one’s own', anyone, inHome()),
  operation('POST /console/sessions/:session_id/sign-out', 'the creator’s', '404 404 404  404 404 404  404 401  204 404 404', makersSession),
  operation('POST /console/sessions/sign-out', 'of someone of their own', '204 204 204  204 204 204  204 401  204 204 204', strangersSession),
  operation('GET /console/signatures', 'one’s own', anyone, inHome()),
  operation('GET /console/signatures/:signature_id/evidence', 'the creator’s', '404 404 404  404 404 404  404 401  200 404 404',
    async () => ({ company: home, params: { signature_id: (await seedFurtherConnection()).connection.signatureId! } })),
  operation('GET /console/known-metrics', 'of everybody', anyone, inHome()),

  operation('GET /console/companies', 'one’s own', anyone, inHome()),
  operation('POST /console/demo-companies', 'one’s own', '201 201 201  201 201 201  201 401  201 201 201',
    async () => ({ company: home, body: { name: 'Eget AB' }, afterwards: () => database.pool.query('delete from rate_buckets') })),
  operation('POST /console/invitations/show', 'to the home company', anyone, link),
  operation('POST /console/invitations/accept', 'to the home company', '409 409 409  200 200 200  200 401  409 409 409', link),

  operation(`GET ${company}`, 'the home company', anyMember, inHome()),
  operation(`GET ${company}/audit`, 'of the home company', owners, inHome()),
  operation(`GET ${company}/apps`, 'of the home company', owners, inHome()),
  operation(`GET ${company}/invitations`, 'of the home company', owners, inHome()),
  operation(`POST ${company}/notices/dismiss`, 'of the home company', '204 403 403  404 404 404  404 401  403 403 403', ownersNotice),
  operation(`POST ${company}/invitations`, 'a new one', '201 403 403  404 404 404  404 401  403 403 403', inHome({ role: 'reader' })),
  operation(`POST ${company}/invitations/:invitation_id/withdraw`, 'of the home company', '204 403 403  404 404 404  404 401  403 403 403',
    async () => ({ company: home, params: { invitation_id: (await makeLink()).invitation.invitation_id } })),
  operation(`GET ${company}/members`, 'of the home company', owners, inHome()),
  operation(`GET ${company}/membership`, 'one’s own, of the home company', anyMember, inHome()),
  operation(`POST ${company}/members`, 'a new one', '201 403 403  404 404 404  404 401  403 403 403',
    async () => ({ company: home, body: { personal_number: testPersonalNumber(), role: 'developer' } })),
  operation(`PATCH ${company}/members/:member_id`, 'another one', owners, someMember({ role: 'reader' })),
  operation(`PATCH ${company}/members/:member_id`, 'oneself, to owner', owners, oneself({ role: 'owner' })),
  operation(`PATCH ${company}/members/:member_id`, 'the last owner', '409 403 403  404 404 404  404 401  403 403 403',
    async () => ({ company: home, body: { role: 'reader' }, params: { member_id: people.get('home owner')!.memberId } })),
  operation(`DELETE ${company}/members/:member_id`, 'another one', '204 403 403  404 404 404  404 401  403 403 403', someMember()),
  operation(`DELETE ${company}/members/:member_id`, 'oneself', '409 204 204  404 404 404  404 401  204 204 204', oneself()),

  operation(`GET ${company}/sources`, 'of the home company', anyMember, inHome()),
  operation(`POST ${company}/sources`, 'a new one', '201 201 403  404 404 404  404 401  201 201 201',
    renewed(() => inHome({ name: randomUUID(), system_kind: 'web shop', ...declaration }))),
  operation(`POST ${company}/sources`, 'a new one with a secret', '201 201 403  404 404 404  404 401  201 201 201',
    renewed(() => inHome({ name: randomUUID(), system_kind: 'web shop', channel: 'webhook', ...declaration }))),
  operation(`GET ${source}`, 'of the home company', developers, ofSource()),
  operation(`POST ${source}/rotate-signing-secret`, 'of the home company', developers,
    ofSource(undefined, () => seedWebhookSource(context, home.companyId))),
  operation(`PUT ${source}`, 'of the home company', developers,
    renewed(() => ofSource({ name: randomUUID(), system_kind: 'web shop', channel: 'push', format: null, ...declaration,
      expected_revision: 1 }))),
  operation(`PUT ${source}`, 'into a webhook source, with a secret', developers,
    renewed(() => ofSource({ name: randomUUID(), system_kind: 'web shop', channel: 'webhook', format: null, ...declaration,
      expected_revision: 1 }))),
  operation(`POST ${company}/sources/example`, 'nothing is stored of it', developers, inHome({ text: 'at,amount\n2026-01-01,1\n' })),
  operation(`POST ${company}/sources/preview`, 'nothing is stored of it', developers,
    inHome({ declaration, example: { text: 'at,amount\n2026-01-01,1\n' } })),
  operation(`POST ${source}/preview`, 'of the home company', developers, ofSource({ declaration })),
  operation(`POST ${source}/end-previous-signing-secret`, 'of the home company', developersDone,
    ofSource({}, () => seedWebhookSource(context, home.companyId))),
  operation(`POST ${source}/pause`, 'of the home company', developersDone, ofSource()),
  operation(`POST ${source}/resume`, 'of the home company', developersDone, ofSource()),
  operation(`POST ${source}/rebuilds`, 'of the home company', developersDone, ofSource()),
  operation(`GET ${source}/samples/trace`, 'of the home company', anyMember, tracedValue),
  operation(`GET ${company}/reports`, 'of the home company', anyMember, inHome()),
  operation(`GET ${source}/reports/:metric`, 'of the home company', anyMember, report),
  operation(`GET ${source}/reports/:metric/file.csv`, 'of the home company', anyMember, report),
  operation(`GET ${company}/deliveries`, 'of the home company', developers, inHome()),
  // Let in, it asks for the header that says that a stream is wanted.
  operation(`GET ${company}/deliveries/events`, 'of the home company', '400 400 403  404 404 404  404 401  400 400 400', inHome()),
  operation(`GET ${company}/last-deliveries`, 'of the home company', developers, inHome()),
  operation(`GET ${company}/deliveries/:artifact_id`, 'of the home company', developers, delivery),
  operation(`GET ${company}/deliveries/:artifact_id/rows`, 'of the home company', developers, delivery),
  operation(`GET ${company}/deliveries/:artifact_id/samples`, 'of the home company', developers, delivery),
  operation(`GET ${company}/refused-calls`, 'of the home company', developers, inHome()),

  operation(`GET ${company}/connections`, 'of the home company', developers, inHome()),
  operation(`GET ${company}/connections`, 'of the further company', '404 404 404  200 200 403  404 401  200 200 403',
    async () => ({ company: further })),
  operation(`POST ${company}/connections`, 'on the home company', '201 201 403  404 404 404  404 401  201 201 201', inHome(newConnection())),
  operation(`POST ${company}/connections`, 'on the further company too', '404 404 403  404 404 404  404 401  201 201 403',
    async () => ({ company: home, body: newConnection([further.companyId]) })),
  operation(`POST ${company}/connections`, 'on the other company too', '404 404 403  404 404 404  404 401  404 404 404',
    async () => ({ company: home, body: newConnection([other.companyId]) })),
  operation(`GET ${connection}`, 'from its own company', developers, ownConnection),
  operation(`GET ${connection}`, 'from the further company', '404 404 404  200 404 403  404 401  404 404 403', connectionOfHome),
  operation(`POST ${connection}/sign`, 'from its own company', '403 403 403  404 404 404  404 401  200 403 403', connectionFrom(() => home, false)),
  operation(`POST ${connection}/sign`, 'from the further company', '404 404 404  403 404 403  404 401  404 404 403', connectionFrom(() => further, false)),
  operation(`POST ${connection}/sign/:order_id/collect`, 'from its own company', '404 404 403  404 404 404  404 401  200 404 404', signingFrom(() => home)),
  operation(`POST ${connection}/sign/:order_id/collect`, 'from the further company', '404 404 404  404 404 403  404 401  404 404 403', signingFrom(() => further)),
  operation(`POST ${connection}/sign/:order_id/cancel`, 'from its own company', '404 404 403  404 404 404  404 401  204 404 404', signingFrom(() => home)),
  operation(`POST ${connection}/sign/:order_id/cancel`, 'from the further company', '404 404 404  404 404 403  404 401  404 404 403', signingFrom(() => further)),
  operation(`POST ${connection}/rotate`, 'from its own company', '403 403 403  404 404 404  404 401  200 200 403', ownConnection),
  operation(`POST ${connection}/rotate`, 'from the further company', '404 404 404  403 404 403  404 401  404 404 403', connectionOfHome),
  operation(`POST ${connection}/revoke`, 'from its own company', developers, ownConnection),
  operation(`POST ${connection}/revoke`, 'from the further company', '404 404 404  403 404 403  404 401  404 404 403', connectionOfHome),
  operation(`POST ${connection}/release`, 'from its own company', '409 403 403  404 404 404  404 401  403 403 403', ownConnection),
  operation(`POST ${connection}/release`, 'from the further company', '404 404 404  204 403 403  404 401  403 403 403', connectionOfHome),

  operation('POST /console/authorize', 'for oneself', anyone, consent()),
  operation('POST /console/authorize/sign', 'every company of one’s own', anyone,
    consent(() => ({ permissions: ['metrics.read'], companies: { every: true } }))),
  operation('POST /console/authorize/sign', 'the home company', '200 200 200  400 400 400  400 401  200 200 200',
    consent(() => ({ permissions: ['metrics.read'], companies: { every: false, company_ids: [home.companyId] } }))),
  operation('POST /console/authorize/sign', 'the home and the further company', '400 400 400  400 400 400  400 401  200 200 200',
    consent(() => ({ permissions: ['metrics.read'], companies: { every: false, company_ids: [home.companyId, further.companyId] } }))),
  operation('POST /console/authorize/sign/:order_id/collect', 'the creator’s', '404 404 404  404 404 404  404 401  200 404 404',
    () => consentOrder({ query: consentQuery() })),
  operation('POST /console/authorize/sign/:order_id/cancel', 'the creator’s', '404 404 404  404 404 404  404 401  204 404 404',
    () => consentOrder()),
  operation('POST /console/authorize/deny', 'for oneself', anyone, consent()),
  operation('GET /console/apps', 'one’s own', anyone, inHome()),
  operation('POST /console/apps/:connection_id/end', 'the creator’s', '404 404 404  404 404 404  404 401  200 404 404', appConnection),
  operation('GET /console/apps/:connection_id/calls', 'the creator’s', '404 404 404  404 404 404  404 401  200 404 404', appConnection),
]

const tables: string[] = []
beforeAll(async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    // A refused call counts against the rate; calls of apps and refused calls are recorded.
    `select relname as name from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace and relname not in ('rate_buckets', 'app_calls', 'refused_calls')
     order by relname`,
  )
  tables.push(...rows.map((row) => row.name))
})

/** Over everything that is stored. */
const digest = async (): Promise<string> => {
  // A sum needs no order: sorting the rows of every table, hundreds of times, took most of this file's time.
  const each = tables.map(
    (name) => `select '${name}' as name, sum(hashtextextended(t::text, 0))::text as sum from ${name} t`,
  )
  const { rows } = await database.pool.query<{ digest: string }>({
    name: 'digest',
    text: `select md5(string_agg(coalesce(sum, '-'), ';' order by name)) as digest from (${each.join(' union all ')}) as sums`,
  })
  return rows[0]!.digest
}

const anySecret = /n(?:sk|cs|at|rt|ac|ws)_[0-9A-Za-z]{20,}/

/** One call. No answer that refuses holds a secret. */
const attempt = async ({ route }: Operation, caller: Caller, target: Target): Promise<number> => {
  const [method = '', pattern = ''] = route.split(' ')
  const path = pattern
    .replace(':company_id', target.company.companyId)
    .replaceAll(/:([a-z_]+)/g, (_all, name: string) => target.params![name]!)
    .concat(target.query ?? '')
  const body = target.body ?? (method === 'POST' ? {} : undefined)
  const browser = target.browser ?? browsers.get(caller)!
  const csrfToken: string =
    target.browser === undefined
      ? csrfTokens.get(caller)!
      : ((await browser.get('/console/session')).body.csrf_token ?? '')
  const answer = await browser.send(method, path, body, { 'x-csrf-token': csrfToken })
  if (answer.status < 400) await target.afterwards?.()
  else expect(JSON.stringify(answer.body)).not.toMatch(anySecret)
  return answer.status
}

beforeEach(async () => {
  await database.pool.query('delete from rate_buckets')
  // A member's first look at a company is recorded, once.
  await database.pool.query('update memberships set opened = true')
})

describe('the pages’ operations, by role and company', () => {
  test('each operation that takes a session is in the table, and nothing else is', () => {
    const routes = app.routes.entries
      .filter(({ method, contract }) => method !== 'HEAD' && contract?.guard === 'session')
      .map(({ method, pattern }) => `${method} ${pattern}`)
    expect(routes.length).toBeGreaterThan(30)
    expect([...new Set(table.map(({ route }) => route))].toSorted()).toEqual(routes.toSorted())
  })

  test.each(table.map((each) => [`${each.route} (${each.about})`, each] as const))(
    '%s',
    async (_name, tried) => {
      const statuses = tried.expected.split(/ +/).map(Number)
      const wanted = Object.fromEntries(callers.map((caller, place) => [caller, statuses[place]]))
      const changesNothing = (caller: Caller): boolean =>
        wanted[caller]! >= 400 || tried.route.startsWith('GET ')
      const seen: Partial<Record<Caller, number>> = {}
      const targets = new Map<Caller, Target>()
      for (const caller of callers) targets.set(caller, await tried.target(caller))
      const before = await digest()
      for (const caller of callers.filter(changesNothing)) {
        seen[caller] = await attempt(tried, caller, targets.get(caller)!)
      }
      const after = await digest()
      for (const caller of callers.filter((each) => !changesNothing(each))) {
        seen[caller] = await attempt(tried, caller, targets.get(caller)!)
      }
      expect(seen).toEqual(wanted)
      expect(after, 'who was refused has changed something').toBe(before)
    },
  )

  /** What is tried on the home company's things, under another company, is 404 and changes nothing. */
  const expectNothingFound = async (some: typeof table, caller: Caller, of: Company): Promise<void> => {
    const targets: Target[] = []
    for (const tried of some) targets.push(await tried.target(caller))
    const before = await digest()
    for (const [index, tried] of some.entries()) {
      const status = await attempt(tried, caller, { ...targets[index]!, company: of })
      expect([tried.route, status]).toEqual([tried.route, 404])
    }
    expect(await digest(), 'who was refused has changed something').toBe(before)
  }

  // What owners do with connections that act on their company is in the table.
  const ofHomeAlone = table.filter(
    ({ route, about }) =>
      /:company_id.*:/.test(route) && !route.includes(':connection_id') && !about.startsWith('oneself'),
  )
  test.each([
    ['other', () => other],
    ['further', () => further],
  ] as const)('what is the home company’s is not found under the %s company', async (name, companyOf) => {
    await expectNothingFound(ofHomeAlone, `${name} owner`, companyOf())
  })

  test('the home company’s connection is not found under the other company', async () => {
    const ofConnections = table.filter(({ route }) => route.includes(`${company}/connections/:`))
    await expectNothingFound(ofConnections, 'other owner', other)
  })
})

/** A company with a source and a delivery. */
interface Place {
  company: Company
  source: Source
  artifactId: string
}

const seedPlace = async (of: Company): Promise<Place> => {
  const { companyId } = of
  const made = await seedSource(context, companyId)
  const stored = await storeDelivery(database.pool, { companyId, sourceId: made.sourceId }, [], {
    queued: false,
  })
  return { company: of, source: made, artifactId: stored.artifactId }
}

/** An access token of an app that the caller allows these companies, or every one. */
const appOf = async (caller: Caller, companyIds?: string[]): Promise<string> => {
  const held = await seedAppConnection(context, {
    app: await seedApp(context),
    member: people.get(caller)!,
    ...(companyIds === undefined ? {} : { companyIds }),
  })
  return (await seedAppToken(context, held)).accessToken
}

describe('the API’s operations, by connection and company', () => {
  let homePlace: Place
  let furtherPlace: Place
  beforeAll(async () => {
    homePlace = await seedPlace(home)
    furtherPlace = await seedPlace(further)
  })

  /** Company and source that a call names. */
  const asked = () =>
    [
      ['home', homePlace, homePlace],
      ['further', furtherPlace, furtherPlace],
      ['further’s under home', homePlace, furtherPlace],
      ['home’s under further', furtherPlace, homePlace],
    ] as const

  /** What calls, and which of the two companies it acts on. */
  const credentials: {
    name: string
    kind: 'connection' | 'app'
    actsOn: 'home' | 'further' | 'both'
    make: () => Promise<string>
  }[] = [
    {
      name: 'a connection of the home company',
      kind: 'connection',
      actsOn: 'home',
      make: async () => (await seedConnection(context, { company: home, owner: creator })).credential!,
    },
    {
      name: 'a connection of the further company',
      kind: 'connection',
      actsOn: 'further',
      make: async () => (await seedConnection(context, { company: further, owner: creator })).credential!,
    },
    {
      name: 'one that acts on the further company too',
      kind: 'connection',
      actsOn: 'both',
      make: async () => (await seedFurtherConnection()).credential!,
    },
    {
      name: 'one that the further company was taken off',
      kind: 'connection',
      actsOn: 'home',
      make: async () => {
        const made = await seedFurtherConnection()
        await releaseConnection(context, people.get('further owner')!, further.companyId, made.connectionId)
        return made.credential!
      },
    },
    {
      name: 'one whose creator lost the further company',
      kind: 'connection',
      actsOn: 'home',
      make: async () => {
        const owner = await seedPerson([home, 'developer'], [further, 'developer'])
        const { companyId } = further
        const made = await seedConnection(context, { company: home, owner, furtherCompanyIds: [companyId] })
        await changeRole(context, 'operator', companyId, owner.memberId, 'reader')
        return made.credential!
      },
    },
    {
      name: 'an app that a reader of the home company allows every one of theirs',
      kind: 'app',
      actsOn: 'home',
      make: () => appOf('home reader'),
    },
    {
      name: 'an app that a member of both allows the home company',
      kind: 'app',
      actsOn: 'home',
      make: () => appOf('colleague', [home.companyId]),
    },
    {
      name: 'an app that a member of both allows every one of theirs',
      kind: 'app',
      actsOn: 'both',
      make: () => appOf('colleague'),
    },
  ]

  /** Statuses for what is requested: home, further, further's under home, home's under further. */
  interface Expected {
    home: string
    further: string
    both: string
    /** Which caller lacks its permission, and gets 403 in any case. */
    lacking?: 'connection' | 'app'
  }
  const bySource = { home: '200 404 404 404', further: '404 200 404 404', both: '200 200 404 404' }
  /** The named source makes no difference to them. */
  const byCompany = { home: '200 404 200 404', further: '404 200 404 200', both: '200 200 200 200' }
  const expected: Record<string, Expected> = {
    'POST /v1/ingest': {
      home: '202 404 404 404',
      further: '404 202 404 404',
      both: '202 202 404 404',
      lacking: 'app',
    },
    'GET /v1/samples': bySource,
    // Let in, it asks for the metric.
    'GET /v1/samples/trace': { home: '400 404 404 404', further: '404 400 404 404', both: '400 400 404 404' },
    'GET /v1/deliveries/:artifact_id': bySource,
    'GET /v1/sources': byCompany,
    'GET /v1/companies': { ...byCompany, lacking: 'connection' },
  }

  test('each operation that takes a bearer is in the table, and nothing else is', () => {
    const routes = app.routes.entries
      .filter(({ method, contract }) => method !== 'HEAD' && contract?.guard === 'bearer')
      .map(({ method, pattern }) => `${method} ${pattern}`)
    expect(Object.keys(expected).toSorted()).toEqual(routes.toSorted())
  })

  test.each(Object.entries(expected))('%s', async (route, wanted) => {
    const [method = '', pattern = ''] = route.split(' ')
    const { contract } = app.routes.at(pattern).find((entry) => entry.method === method)!
    // A read refuses a parameter that it does not know.
    const namesSource = contract!.source !== 'none'
    const seen: Record<string, string> = {}
    const expectedOfAll: Record<string, string> = {}
    for (const { name, kind, actsOn, make } of credentials) {
      const bearer = await make()
      expectedOfAll[name] = kind === wanted.lacking ? '403 403 403 403' : wanted[actsOn]
      const ask = async (at: number): Promise<number> => {
        const [, { company: named }, { source: of, artifactId }] = asked()[at]!
        const answer = await app.inject({
          method: method as 'GET',
          url: `${pattern.replace(':artifact_id', artifactId)}?orgnr=${named.orgnr}${namesSource ? `&source_id=${of.sourceId}` : ''}`,
          headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
          ...(method === 'GET'
            ? {}
            : { payload: { idempotency_key: randomUUID(), shape_version: 1, payload: { amount: '1' } } }),
        })
        return answer.statusCode
      }
      const statuses: number[] = []
      const isRefused = expectedOfAll[name].split(' ').map((status) => Number(status) >= 400)
      const before = await digest()
      for (const [at, refused] of isRefused.entries()) if (refused) statuses[at] = await ask(at)
      expect(await digest(), `${name}: what was refused has changed something`).toBe(before)
      for (const [at, refused] of isRefused.entries()) if (!refused) statuses[at] = await ask(at)
      seen[name] = statuses.join(' ')
    }
    expect(seen).toEqual(expectedOfAll)
  })
})
