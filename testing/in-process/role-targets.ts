import { randomUUID } from 'node:crypto'
import { saveView } from '../../src/console/views/saved-views.ts'
import { pagelessOrigin } from '../../src/people/identity/identity-provider.ts'
import { addMember } from '../../src/console/memberships/add-member.ts'
import { changeRole } from '../../src/console/memberships/change-role.ts'
import { createInvitation } from '../../src/console/memberships/create-invitation.ts'
import { removeMember } from '../../src/console/memberships/remove-member.ts'
import { type Company } from '../../src/people/companies/company.ts'
import { type Role } from '../../src/people/access/role.ts'
import { addNote } from '../../src/company/notes/write-notes.ts'
import { startSigningDeletion } from '../../src/company/deletions/sign-deletion.ts'
import { startSigningConnection } from '../../src/company/connections/sign-connection.ts'
import { startSigningConsent } from '../../src/oauth/consent/sign-consent.ts'
import { rotateSigningSecret } from '../../src/company/sources/signing-secrets/rotate-signing-secret.ts'
import { type Source } from '../../src/company/sources/source.ts'
import { createConsoleClient, signInConsole, type ConsoleClient } from './console-client.ts'
import {
  approveDemoOrder,
  seedApp,
  seedAppConnection,
  seedMember,
  seedSource,
  seedWebhookSource,
  testPersonalNumber,
} from './seed.ts'
import { testFields, testMetric } from './source.ts'
import { storeDelivery } from './store-delivery.ts'
import { startTestWorker } from './test-worker.ts'
import { type RoleScene, type Caller } from './scenes/role-scene.ts'

/** The subject of a call. */
export interface Target {
  company: Company
  /** Values of the path's other parameters. */
  params?: Record<string, string>
  body?: unknown
  query?: string
  /** Restores what a successful call takes from the caller. */
  afterwards?: () => Promise<unknown>
  /** Used instead of the caller's browser. */
  browser?: ConsoleClient
}
/** A function with a parameter creates a target for each caller; one without may be shared by callers who change nothing. */
export type CreateTarget = (caller: Caller) => Promise<Target>

/** The body that creates a connection. */
export const newConnection = (furtherCompanyIds: string[] = []) => ({
  name: 'Connector',
  source_id: null,
  permissions: ['metrics.read'],
  kind: 'production',
  credential_kind: 'static',
  further_company_ids: furtherCompanyIds,
})

const newView = (of: 'member' | 'company') => ({
  for: of,
  name: 'Revenue',
  search: 'line=01900000-0000-7000-8000-000000000001.revenue',
  pinned: true,
})

/** Creates the subjects of the pages' operations. */
export const prepareTargets = async ({
  database,
  context,
  app,
  home,
  further,
  creator,
  people,
  seedFurtherConnection,
}: RoleScene) => {
  const { worker } = startTestWorker({ database, context })
  const rapport = await seedApp(context)
  const inHome =
    (body?: unknown): CreateTarget =>
    async () => ({ company: home, body })

  const onSource =
    (body?: unknown, seed: () => Promise<Source> = () => seedSource(context, home.companyId)): CreateTarget =>
    async () => ({ company: home, body, params: { source_id: (await seed()).sourceId } })

  /** With a body for each caller, since source names are unique. */
  const renewed =
    (create: () => CreateTarget): CreateTarget =>
    async (caller) =>
      create()(caller)

  const report: CreateTarget = async () => {
    const { sourceId } = await seedSource(context, home.companyId)
    return { company: home, params: { source_id: sourceId, metric: 'revenue' } }
  }
  const look: CreateTarget = async (caller) => ({ ...(await report(caller)), body: {} })

  const note = { grain: 'day', period_start: '2026-01-14', text: 'Late' } as const
  const newNote: CreateTarget = async (caller) => ({ ...(await report(caller)), body: note })
  const newTargets: CreateTarget = async (caller) => ({
    ...(await report(caller)),
    body: { expected_revision: 0, months: [{ month: '2026-01', value: '1' }] },
  })
  // A label of its own for each caller, since a save changes its revision.
  const newLabelNames: CreateTarget = async () => ({
    company: home,
    body: { label: randomUUID(), expected_revision: 0, names: [{ value: 'SE', name: 'Sweden' }] },
  })
  const creatorsNote =
    (body?: unknown): CreateTarget =>
    async (caller) => {
      const target = await report(caller)
      const { source_id: sourceId = '', metric = '' } = target.params!
      const of = { companyId: home.companyId, sourceId, metric }
      const added = await addNote(context, creator, of, {
        ...note,
        periodStart: note.period_start,
        labels: {},
      })
      return { ...target, body, params: { ...target.params, note_id: added.note_id } }
    }

  const combinedReport: CreateTarget = async () => {
    const { sourceId } = await seedSource(context, home.companyId)
    return { company: home, query: `?line=${sourceId}.revenue` }
  }

  /** The home owner's own, or the company's. */
  const savedView =
    (of: 'member' | 'company', body?: unknown): CreateTarget =>
    async () => {
      const actor = { memberId: people.get('home owner')!.memberId, companyId: home.companyId }
      const { view_id } = await saveView(context, actor, { ...newView(of), sourceId: null, metric: null })
      return { company: home, body, params: { view_id } }
    }

  const tracedValue: CreateTarget = async () => {
    const { sourceId } = await seedSource(context, home.companyId)
    const rows = [{ at: '2026-01-14', amount: '1' }]
    await storeDelivery(database.pool, { companyId: home.companyId, sourceId }, rows)
    await worker.drain()
    const query = '?metric=revenue&period_start=2026-01-14'
    return { company: home, params: { source_id: sourceId }, query }
  }

  const provenFigure: CreateTarget = async (caller) => {
    const { params, ...target } = await tracedValue(caller)
    return { ...target, params: { ...params, metric: 'revenue' }, query: '?period_start=2026-01-14' }
  }

  const delivery: CreateTarget = async () => {
    const source = await seedSource(context, home.companyId)
    const { artifactId } = await storeDelivery(
      database.pool,
      { companyId: home.companyId, sourceId: source.sourceId },
      [],
      { queued: false },
    )
    return { company: home, params: { artifact_id: artifactId } }
  }

  const figureOfDelivery: CreateTarget = async (caller) => {
    const target = await delivery(caller)
    return { ...target, query: '?metric=revenue&period_start=2026-01-14' }
  }

  const comparedDeliveries: CreateTarget = async () => {
    const { sourceId } = await seedSource(context, home.companyId)
    const store = () =>
      storeDelivery(database.pool, { companyId: home.companyId, sourceId }, [], { queued: false })
    const [one, other] = [await store(), await store()]
    const query = `?metric=revenue&period_start=2026-01-14&with=${other.artifactId}`
    return { company: home, params: { artifact_id: one.artifactId }, query }
  }

  const connectionFrom =
    (getCompany: () => Company, signed = true): CreateTarget =>
    async () => ({
      company: getCompany(),
      params: { connection_id: (await seedFurtherConnection(signed)).connectionId },
    })
  const ownConnection = connectionFrom(() => home)
  const connectionOfHome = connectionFrom(() => further)

  const signingFrom =
    (getCompany: () => Company): CreateTarget =>
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
      return { company: getCompany(), params: { connection_id: connectionId, order_id: order.orderId } }
    }

  const someMember =
    (body?: unknown): CreateTarget =>
    async () => ({
      company: home,
      body,
      params: { member_id: (await seedMember(context, home.companyId)).memberId },
    })

  /** The caller's own membership of the home company; a caller without one tries the creator's. */
  const oneself =
    (body?: unknown): CreateTarget =>
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

  const createLink = (): ReturnType<typeof createInvitation> =>
    createInvitation(context, people.get('home owner')!, home.companyId, { role: 'reader' })

  /** A link to the home company, whose accepter is removed afterwards. */
  const link: CreateTarget = async (caller) => {
    const [, token] = (await createLink()).link.split('#')
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

  const ownersNotice: CreateTarget = async () => {
    const { sourceId } = await seedWebhookSource(context, home.companyId)
    await rotateSigningSecret(context, 'operator', home.companyId, sourceId)
    const { rows } = await database.pool.query<{ id: string }>(
      `select event_id as id from audit_events where company_id = $1 and action = 'source_secret_rotated' order by 1 desc limit 1`,
      [home.companyId],
    )
    return { company: home, body: { through: rows[0]!.id } }
  }

  /** Of the home company, which was exported before; not answered. */
  const deletionOrder: CreateTarget = async () => {
    const { memberId } = people.get('home owner')!
    const origin = { ...pagelessOrigin, sessionHash: undefined }
    const order = await startSigningDeletion(context, memberId, home.companyId, 'en', origin)
    return { company: home, params: { order_id: order.orderId } }
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
    (body: () => object = () => ({})): CreateTarget =>
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

  const appConnection: CreateTarget = async () => {
    const allowed = await seedAppConnection(context, { app: await seedApp(context), member: creator })
    return { company: home, params: { connection_id: allowed.connectionId } }
  }

  const ownSession: CreateTarget = async (caller) => {
    const person = people.get(caller)
    const browser =
      person === undefined ? createConsoleClient(app) : await signInConsole(app, context, person)
    return { company: home, browser }
  }

  /** A further session of the creator. */
  const creatorsSession: CreateTarget = async () => {
    const browser = await signInConsole(app, context, creator)
    const { body } = await browser.get('/console/sessions')
    const { session_id } = body.sessions.find((each: { current: boolean }) => each.current)
    return { company: home, params: { session_id } }
  }

  /** A new person, whose sessions no other call needs. */
  const strangersSession: CreateTarget = async (caller) => {
    const person = { personalNumber: testPersonalNumber(), name: 'Främling' }
    const browser =
      people.get(caller) === undefined ? createConsoleClient(app) : await signInConsole(app, context, person)
    return { company: home, browser }
  }

  return {
    createLink,
    inHome,
    onSource,
    renewed,
    report,
    newNote,
    creatorsNote,
    newTargets,
    newLabelNames,
    look,
    combinedReport,
    newView,
    savedView,
    tracedValue,
    provenFigure,
    delivery,
    figureOfDelivery,
    comparedDeliveries,
    connectionFrom,
    ownConnection,
    connectionOfHome,
    signingFrom,
    someMember,
    oneself,
    link,
    ownersNotice,
    deletionOrder,
    declaration,
    consentQuery,
    consent,
    consentOrder,
    appConnection,
    ownSession,
    creatorsSession,
    strangersSession,
  }
}
