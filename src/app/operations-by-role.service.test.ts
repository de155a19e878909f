import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Company } from '../people/companies/company.ts'
import {
  createConsoleClient,
  signInConsole,
  type ConsoleClient,
} from '../../testing/in-process/console-client.ts'
import { seedWebhookSource, testPersonalNumber } from '../../testing/in-process/seed.ts'
import { startRoleScene, callers, type Caller } from '../../testing/in-process/scenes/role-scene.ts'
import {
  newConnection,
  prepareTargets,
  type Target,
  type CreateTarget,
} from '../../testing/in-process/role-targets.ts'

/** Who may do what: every operation that takes a session, by role and company, tried against the service. */
const scene = await startRoleScene()
const { database, context, app, home, further, other, people, seedFurtherConnection, digest } = scene
const {
  inHome,
  onSource,
  renewed,
  report,
  look,
  combinedReport,
  newView,
  savedView,
  tracedValue,
  newNote,
  creatorsNote,
  newTargets,
  newLabelNames,
  provenFigure,
  delivery,
  figureOfDelivery,
  comparedDeliveries,
  connectionFrom,
  ownConnection,
  connectionOfHome,
  signingFrom,
  createLink,
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
} = await prepareTargets(scene)

const browsers = new Map<Caller, ConsoleClient>()
const csrfTokens = new Map<Caller, string>()
for (const caller of callers) {
  const person = people.get(caller)
  const browser = person === undefined ? createConsoleClient(app) : await signInConsole(app, context, person)
  browsers.set(caller, browser)
  const { body } = await browser.get('/console/session')
  csrfTokens.set(caller, body.csrf_token ?? '')
}

interface Operation {
  /** Method and pattern, as in the app's routes. */
  route: string
  /** What is tried with it. */
  about: string
  target: CreateTarget
  /**
   * Statuses in the order of `callers`: home owner, developer, reader; the same of further; other, no one; the three.
   */
  expected: string
}

const operation = (route: string, about: string, expected: string, target: CreateTarget): Operation => ({
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
const ownersDone = '204 403 403  404 404 404  404 401  403 403 403'
/** For each caller, about themselves. */
const anyone = '200 200 200  200 200 200  200 401  200 200 200'

// oxfmt-ignore
const table: Operation[] = [
  operation('GET /console/session', 'one’s own', anyone, inHome()),
  operation('POST /console/sign-out', 'one’s own', '204 204 204  204 204 204  204 401  204 204 204', ownSession),
  operation('GET /console/sessions', 'one’s own', anyone, inHome()),
  operation('POST /console/sessions/:session_id/sign-out', 'the creator’s', '404 404 404  404 404 404  404 401  204 404 404', creatorsSession),
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
  operation(`PATCH ${company}`, 'the home company', owners, inHome({ fiscal_year_month: 5, expected_fiscal_year_month: 1 })),
  operation(`GET ${company}/audit`, 'of the home company', owners, inHome()),
  operation(`GET ${company}/audit.ndjson`, 'of the home company', owners, inHome()),
  operation(`GET ${company}/apps`, 'of the home company', owners, inHome()),
  operation(`GET ${company}/export`, 'of the home company', owners, inHome()),
  operation(`POST ${company}/export`, 'of the home company', ownersDone, inHome({})),
  operation(`GET ${company}/deletion`, 'of the home company', owners, inHome()),
  operation(`POST ${company}/deletion/sign`, 'of the home company, exported before', owners, inHome({})),
  operation(`POST ${company}/deletion/sign/:order_id/collect`, 'of an owner', owners, deletionOrder),
  operation(`POST ${company}/deletion/sign/:order_id/cancel`, 'of an owner', ownersDone, deletionOrder),
  operation(`POST ${company}/deletion/withdraw`, 'without one', '409 403 403  404 404 404  404 401  403 403 403', inHome({})),
  operation(`GET ${company}/invitations`, 'of the home company', owners, inHome()),
  operation(`POST ${company}/notices/dismiss`, 'of the home company', '204 403 403  404 404 404  404 401  403 403 403', ownersNotice),
  operation(`POST ${company}/invitations`, 'a new one', '201 403 403  404 404 404  404 401  403 403 403', inHome({ role: 'reader' })),
  operation(`POST ${company}/invitations/:invitation_id/withdraw`, 'of the home company', '204 403 403  404 404 404  404 401  403 403 403',
    async () => ({ company: home, params: { invitation_id: (await createLink()).invitation.invitation_id } })),
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
  operation(`GET ${source}`, 'of the home company', developers, onSource()),
  operation(`GET ${source}/days`, 'of the home company', developers, onSource()),
  operation(`POST ${source}/rotate-signing-secret`, 'of the home company', developers,
    onSource(undefined, () => seedWebhookSource(context, home.companyId))),
  operation(`PUT ${source}`, 'of the home company', developers,
    renewed(() => onSource({ name: randomUUID(), system_kind: 'web shop', channel: 'push', format: null, ...declaration,
      expected_revision: 1 }))),
  operation(`PUT ${source}`, 'into a webhook source, with a secret', developers,
    renewed(() => onSource({ name: randomUUID(), system_kind: 'web shop', channel: 'webhook', format: null, ...declaration,
      expected_revision: 1 }))),
  operation(`POST ${company}/sources/example`, 'nothing is stored of it', developers, inHome({ text: 'at,amount\n2026-01-01,1\n' })),
  operation(`POST ${company}/sources/preview`, 'nothing is stored of it', developers,
    inHome({ declaration, example: { text: 'at,amount\n2026-01-01,1\n' } })),
  operation(`POST ${source}/preview`, 'of the home company', developers, onSource({ declaration })),
  operation(`POST ${source}/end-previous-signing-secret`, 'of the home company', developersDone,
    onSource({}, () => seedWebhookSource(context, home.companyId))),
  operation(`POST ${source}/pause`, 'of the home company', developersDone, onSource()),
  operation(`POST ${source}/resume`, 'of the home company', developersDone, onSource()),
  operation(`POST ${source}/rebuilds`, 'of the home company', developersDone, onSource()),
  operation(`GET ${source}/samples/trace`, 'of the home company', anyMember, tracedValue),
  operation(`GET ${company}/reports`, 'of the home company', anyMember, inHome()),
  operation(`GET ${source}/reports/:metric`, 'of the home company', anyMember, report),
  operation(`GET ${source}/reports/:metric/file.csv`, 'of the home company', anyMember, report),
  operation(`GET ${source}/reports/:metric/annotations`, 'of the home company', anyMember, report),
  operation(`POST ${source}/reports/:metric/notes`, 'of the home company', '201 201 201  404 404 404  404 401  201 201 201', newNote),
  operation(`PUT ${source}/reports/:metric/notes/:note_id`, 'the creator’s', '200 403 403  404 404 404  404 401  200 403 403',
    creatorsNote({ expected_revision: 1, text: 'Returns' })),
  operation(`DELETE ${source}/reports/:metric/notes/:note_id`, 'the creator’s', '204 403 403  404 404 404  404 401  204 403 403', creatorsNote()),
  operation(`PUT ${source}/reports/:metric/targets`, 'of the home company', developers, newTargets),
  operation(`GET ${company}/label-names`, 'of the home company', anyMember, inHome()),
  operation(`PUT ${company}/label-names`, 'of the home company', developers, newLabelNames),
  operation(`PUT ${source}/reports/:metric/look`, 'of the home company', anyMember, look),
  operation(`GET ${company}/combined-report`, 'of the home company', anyMember, combinedReport),
  operation(`GET ${company}/views`, 'of the home company', anyMember, inHome()),
  operation(`POST ${company}/views`, 'one’s own', '201 201 201  404 404 404  404 401  201 201 201', inHome(newView('member'))),
  operation(`POST ${company}/views`, 'of the home company', '201 201 403  404 404 404  404 401  201 201 201', inHome(newView('company'))),
  operation(`PATCH ${company}/views/:view_id`, 'of the home company', developers, savedView('company', { expected_revision: 1, pinned: false })),
  operation(`PATCH ${company}/views/:view_id`, 'the home owner’s own', '200 404 404  404 404 404  404 401  404 404 404',
    savedView('member', { expected_revision: 1, pinned: false })),
  operation(`DELETE ${company}/views/:view_id`, 'of the home company', developersDone, savedView('company')),
  operation(`DELETE ${company}/views/:view_id`, 'the home owner’s own', '204 404 404  404 404 404  404 401  404 404 404', savedView('member')),
  operation(`GET ${source}/reports/:metric/file.xlsx`, 'of the home company', anyMember, report),
  operation(`GET ${company}/attention`, 'of the home company', anyMember, inHome()),
  operation(`POST ${company}/attention/marks`, 'an item that is gone', '404 404 404  404 404 404  404 401  404 404 404',
    inHome({ key: 'source_late x', version: '1', done: true })),
  operation(`GET ${company}/links`, 'of the home company', developers, inHome()),
  operation(`POST ${company}/links`, 'a new one', '201 201 403  404 404 404  404 401  201 201 201',
    inHome({ kind: 'feed', name: 'Feed', days: 30, language: 'en', report: null })),
  operation(`DELETE ${company}/links/:link_id`, 'one that is gone', '404 404 403  404 404 404  404 401  404 404 404',
    async () => ({ company: home, params: { link_id: randomUUID() } })),
  operation(`GET ${source}/reports/:metric/evidence`, 'of the home company', anyMember, provenFigure),
  operation(`GET ${source}/reports/:metric/evidence/file.json`, 'of the home company', anyMember, provenFigure),
  operation(`GET ${company}/deliveries`, 'of the home company', developers, inHome()),
  // An admitted call is refused for the missing header that requests a stream.
  operation(`GET ${company}/deliveries/events`, 'of the home company', '400 400 403  404 404 404  404 401  400 400 400', inHome()),
  operation(`GET ${company}/last-deliveries`, 'of the home company', developers, inHome()),
  operation(`GET ${company}/deliveries/:artifact_id`, 'of the home company', developers, delivery),
  operation(`GET ${company}/deliveries/:artifact_id/rows`, 'of the home company', developers, delivery),
  operation(`GET ${company}/deliveries/:artifact_id/refusals`, 'of the home company', developers, delivery),
  operation(`GET ${company}/deliveries/:artifact_id/samples`, 'of the home company', developers, delivery),
  operation(`GET ${company}/deliveries/:artifact_id/value-rows`, 'of the home company', developers, figureOfDelivery),
  operation(`GET ${company}/deliveries/:artifact_id/difference`, 'of the home company', developers, comparedDeliveries),
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
  operation(`POST ${company}/apps/:connection_id/end`, 'the creator’s', '204 403 403  404 404 404  404 401  403 403 403', appConnection),
  operation('GET /console/apps/:connection_id/calls', 'the creator’s', '404 404 404  404 404 404  404 401  200 404 404', appConnection),
]

const anySecret = /n(?:sk|cs|at|rt|ac|ws)_[0-9A-Za-z]{20,}/

/** Makes one call. No refusal contains a secret. */
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

/** Reads that the audit log records. */
const recordedReads = new Set([`GET ${company}/export`])

describe('operations of the pages, by role and company', () => {
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
        wanted[caller]! >= 400 || (tried.route.startsWith('GET ') && !recordedReads.has(tried.route))
      const seen: Partial<Record<Caller, number>> = {}
      const targets = new Map<Caller, Target>()
      // Callers who change nothing may share a target.
      const shared = tried.target.length === 0 ? await tried.target('signed out') : undefined
      for (const caller of callers) {
        targets.set(caller, shared && changesNothing(caller) ? shared : await tried.target(caller))
      }
      const before = await digest()
      for (const caller of callers.filter(changesNothing)) {
        seen[caller] = await attempt(tried, caller, targets.get(caller)!)
      }
      const after = await digest()
      for (const caller of callers.filter((each) => !changesNothing(each))) {
        seen[caller] = await attempt(tried, caller, targets.get(caller)!)
      }
      expect(seen).toEqual(wanted)
      expect(after, 'a refused call has changed something').toBe(before)
    },
  )

  /** Under another company, operations on the home company's things are 404 and change nothing. */
  const expectNothingFound = async (some: typeof table, caller: Caller, of: Company): Promise<void> => {
    const targets: Target[] = []
    for (const tried of some) targets.push(await tried.target(caller))
    const before = await digest()
    for (const [index, tried] of some.entries()) {
      const status = await attempt(tried, caller, { ...targets[index]!, company: of })
      expect([tried.route, status]).toEqual([tried.route, 404])
    }
    expect(await digest(), 'a refused call has changed something').toBe(before)
  }

  // What owners do with connections that act on their company is in the table.
  const ofHomeAlone = table.filter(
    ({ route, about }) =>
      /:company_id.*:/.test(route) && !route.includes(':connection_id') && !about.startsWith('oneself'),
  )
  test.each([
    ['other', () => other],
    ['further', () => further],
  ] as const)('what is the home company’s is not found under the %s company', async (name, getCompany) => {
    await expectNothingFound(ofHomeAlone, `${name} owner`, getCompany())
  })

  test('the home company’s connection is not found under the other company', async () => {
    const ofConnections = table.filter(({ route }) => route.includes(`${company}/connections/:`))
    await expectNothingFound(ofConnections, 'other owner', other)
  })
})
