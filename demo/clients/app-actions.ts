import { hash } from 'node:crypto'
import { callDemo, completeOrder, openDemoBrowser } from './demo-browser.ts'
import { demoOwner } from '../data/demo-companies.ts'
import type { DemoAction, DemoInProgress } from './demo-scene.ts'

interface DemoApp {
  name: string
  /** Of a domain that is reserved for examples (RFC 2606). */
  redirectUri: string
  permissions: ('company.read' | 'metrics.read')[]
  companies: 'every' | 'ekeby'
}

interface Tokens {
  access_token: string
  refresh_token: string
}

interface Access {
  clientId: string
  connectionId: string
  refreshToken: string
}

const forecast: DemoApp = {
  name: 'Likviditetsprognos',
  redirectUri: 'https://likviditet.example/back',
  permissions: ['company.read', 'metrics.read'],
  companies: 'ekeby',
}
const salesBoard: DemoApp = {
  name: 'Säljtavlan',
  redirectUri: 'https://saljtavlan.example/back',
  permissions: ['metrics.read'],
  companies: 'ekeby',
}
const closing: DemoApp = {
  name: 'Bokslutskollen',
  redirectUri: 'https://bokslutskollen.example/back',
  permissions: ['company.read', 'metrics.read'],
  companies: 'every',
}

/** The active app has called for this many days. */
const callingDays = 30

async function requestTokens(url: string, parameters: Record<string, string>): Promise<Tokens> {
  return callDemo<Tokens>(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams(parameters) })
}

/** OAuth end to end: the app registers, the owner signs a consent, and the app exchanges its code. */
async function allow(demo: DemoInProgress, app: DemoApp): Promise<Access> {
  const { url, companies } = demo
  const { client_id: clientId } = await callDemo<{ client_id: string }>(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: app.name, redirect_uris: [app.redirectUri] }),
  })
  // Reproducible, as all of the demo's data. A real app generates a random one for each authorization.
  const verifier = hash('sha256', `${demo.seed} ${app.name}`, 'hex')
  const query = `?${new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: app.redirectUri,
    scope: app.permissions.join(' '),
    code_challenge: hash('sha256', verifier, 'base64url'),
    code_challenge_method: 'S256',
  })}`
  const owner = await openDemoBrowser(url, demoOwner)
  const choice = {
    permissions: app.permissions,
    companies:
      app.companies === 'every'
        ? { every: true }
        : { every: false, company_ids: [companies[app.companies].companyId] },
  }
  const { location } = await completeOrder<{ location: string }>(
    url,
    owner,
    '/console/authorize/sign',
    { query, ...choice },
    { query },
  )
  const { refresh_token: refreshToken } = await requestTokens(url, {
    grant_type: 'authorization_code',
    client_id: clientId,
    code: new URL(location).searchParams.get('code')!,
    redirect_uri: app.redirectUri,
    code_verifier: verifier,
  })
  const { apps } = await owner.send<{ apps: { connection_id: string; client_id: string }[] }>(
    'GET',
    '/console/apps',
  )
  const { connection_id: connectionId } = apps.find((each) => each.client_id === clientId)!
  return { clientId, connectionId, refreshToken }
}

/** An app's morning: a new token, what companies there are, and yesterday's sales. */
async function read(demo: DemoInProgress, access: Access, app: DemoApp): Promise<void> {
  const { url, companies, sources, clock } = demo
  const tokens = await requestTokens(url, {
    grant_type: 'refresh_token',
    client_id: access.clientId,
    refresh_token: access.refreshToken,
  })
  access.refreshToken = tokens.refresh_token
  const authorization = `Bearer ${tokens.access_token}`
  const day = Temporal.Instant.fromEpochMilliseconds(clock.now())
    .toZonedDateTimeISO(companies.ekeby.timeZone)
    .toPlainDate()
  const toSamplesUrl = (source: keyof typeof sources, orgnr: string): string =>
    `/v1/samples?orgnr=${orgnr}&source_id=${sources[source].sourceId}&from=${day.subtract({ days: 7 })}`
  const { ekeby, norrsken } = companies
  const paths = [
    ...(app.permissions.includes('company.read') ? ['/v1/companies'] : []),
    toSamplesUrl('shop', ekeby.orgnr),
    ...(app.companies === 'every' ? [toSamplesUrl('registers', norrsken.orgnr)] : []),
  ]
  for (const path of paths) await callDemo(`${url}${path}`, { headers: { authorization } })
  // On Mondays it pushes, which apps may not: refused calls are recorded, too.
  if (day.dayOfWeek === 1) {
    await fetch(`${url}/v1/ingest`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: '{}',
    }).then((answer) => answer.arrayBuffer())
  }
}

/** Days ago, in descending order, both included. */
function days(from: number, to: number): number[] {
  return Array.from({ length: from - to + 1 }, (_, index) => from - index)
}

/** Three apps that the owner has allowed: one active with a month of calls, one ended by the owner, one expired. */
export function appActions(): DemoAction[] {
  const allowed = new Map<DemoApp, Access>()
  const allowing = (app: DemoApp, daysAgo: number, at: string): DemoAction => ({
    daysAgo,
    at,
    run: async (demo) => void allowed.set(app, await allow(demo, app)),
  })
  const reading = (app: DemoApp, daysAgo: number, at: string): DemoAction => ({
    daysAgo,
    at,
    run: (demo) => read(demo, allowed.get(app)!, app),
  })

  return [
    allowing(forecast, 120, '10:00'),
    ...days(119, 110).map((daysAgo) => reading(forecast, daysAgo, '06:10')),
    allowing(salesBoard, 45, '15:00'),
    ...days(44, 25).map((daysAgo) => reading(salesBoard, daysAgo, '06:20')),
    {
      daysAgo: 24,
      at: '09:05',
      run: async (demo) => {
        const owner = await openDemoBrowser(demo.url, demoOwner)
        const { connectionId } = allowed.get(salesBoard)!
        await owner.send('POST', `/console/apps/${connectionId}/end`, {})
      },
    },
    allowing(closing, callingDays, '11:30'),
    ...days(callingDays - 1, 1).map((daysAgo) => reading(closing, daysAgo, '06:30')),
  ]
}
