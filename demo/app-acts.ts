import { hash } from 'node:crypto'
import type { AppPermission } from '../src/people/access/app-permissions.ts'
import { callDemo, completeOrder, openDemoBrowser } from './demo-browser.ts'
import type { DemoAct, DemoInMaking } from './demo-scene.ts'

interface DemoApp {
  name: string
  /** Registered, and nobody's: the domain is reserved for examples (RFC 2606). */
  redirectUri: string
  permissions: AppPermission[]
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

/** For a year of days: the month of calls that the active app has made. */
const callingDays = 30

async function requestTokens(url: string, parameters: Record<string, string>): Promise<Tokens> {
  return callDemo<Tokens>(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams(parameters) })
}

/** OAuth end to end: the app registers, the owner consents on the page and signs, the app exchanges its code. */
async function allow(demo: DemoInMaking, app: DemoApp): Promise<Access> {
  const { url, companies } = demo
  const { client_id: clientId } = await callDemo<{ client_id: string }>(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: app.name, redirect_uris: [app.redirectUri] }),
  })
  // Made up from the app alone, like all else here. A real app makes a random one for each authorization.
  const verifier = hash('sha256', `${demo.seed} ${app.name}`, 'hex')
  const query = `?${new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: app.redirectUri,
    scope: app.permissions.join(' '),
    code_challenge: hash('sha256', verifier, 'base64url'),
    code_challenge_method: 'S256',
  })}`
  const owner = await openDemoBrowser(url, demo.owner)
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
async function read(demo: DemoInMaking, access: Access, app: DemoApp): Promise<void> {
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
  // On Mondays it asks for an address that an app may not read: refused calls are on record too.
  if (day.dayOfWeek === 1) {
    await fetch(`${url}/v1/ingest`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: '{}',
    }).then((answer) => answer.arrayBuffer())
  }
}

/** From so many days ago to so many, both included. */
function days(from: number, to: number): number[] {
  return Array.from({ length: from - to + 1 }, (_, index) => from - index)
}

/** Three apps that the owner has allowed: one active, with a month of calls, one that they ended, one expired. */
export function appActs(): DemoAct[] {
  const held = new Map<DemoApp, Access>()
  const allowing = (app: DemoApp, daysAgo: number, at: string): DemoAct => ({
    daysAgo,
    at,
    run: async (demo) => void held.set(app, await allow(demo, app)),
  })
  const reading = (app: DemoApp, daysAgo: number, at: string): DemoAct => ({
    daysAgo,
    at,
    run: (demo) => read(demo, held.get(app)!, app),
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
        const owner = await openDemoBrowser(demo.url, demo.owner)
        const { connectionId } = held.get(salesBoard)!
        await owner.send('POST', `/console/apps/${connectionId}/end`, {})
      },
    },
    allowing(closing, callingDays, '11:30'),
    ...days(callingDays - 1, 1).map((daysAgo) => reading(closing, daysAgo, '06:30')),
  ]
}
