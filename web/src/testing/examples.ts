import type { ApiResponse } from '../api/call-api.ts'

type Session = ApiResponse<'GET /console/session'>
type App = ApiResponse<'GET /console/apps'>['apps'][number]
type Call = ApiResponse<'GET /console/apps/{connection_id}/calls'>['calls'][number]
type Order = ApiResponse<'POST /console/sign-in'>
type ConsentQuestion = Extract<ApiResponse<'POST /console/authorize'>, { state: 'consent' }>

export function exampleSession(given: Partial<Session> = {}): Session {
  return {
    member_id: 'member-1',
    name: 'Olivia Ägare',
    expires_at: '2026-11-20T22:00:00Z',
    csrf_token: 'csrf-1',
    identity: { provider: 'demo', demo: true, signs: true },
    companies: [],
    ...given,
  }
}

export function exampleOrder(given: Partial<Order> = {}): Order {
  return {
    order_id: 'order-1',
    expires_at: '2026-11-20T10:05:00Z',
    demo: true,
    presentation: { open_url: 'https://identity.example/order-1' },
    ...given,
  }
}

export function exampleApp(given: Partial<App> = {}): App {
  return {
    connection_id: 'connection-1',
    client_id: 'app-1',
    client_name: 'Ledger Insight',
    redirect_host: 'ledger.example',
    state: 'active',
    permissions: ['company.read', 'metrics.read'],
    companies: {
      every: false,
      chosen: [{ company_id: 'company-1', orgnr: '559999-0016', name: 'Ekeby Handel AB' }],
    },
    resources: [],
    consented_at: '2026-11-01T09:00:00Z',
    expires_at: '2027-01-30T09:00:00Z',
    ended_at: null,
    ended_by: null,
    last_called_at: null,
    ...given,
  }
}

export function exampleCall(given: Partial<Call> = {}): Call {
  return {
    call_id: 'call-1',
    company: { company_id: 'company-1', orgnr: '559999-0016', name: 'Ekeby Handel AB' },
    method: 'GET',
    path: '/v1/samples',
    status: 200,
    code: null,
    called_at: '2026-11-20T09:30:00Z',
    ...given,
  }
}

function company(name: string, suggested = false, held = false) {
  return { company_id: name, orgnr: '559999-0016', name, suggested, held }
}

/** Asks to read two companies' numbers, of which it suggests the second. */
export function exampleConsent(given: Partial<ConsentQuestion> = {}): ConsentQuestion {
  return {
    state: 'consent',
    app: {
      client_id: 'app-1',
      client_name: 'Ledger Insight',
      redirect_host: 'ledger.example',
      redirect_uri: 'https://ledger.example/callback',
    },
    permissions: [
      { permission: 'company.read', held: false },
      { permission: 'metrics.read', held: false },
    ],
    companies: { choices: [company('Ekeby'), company('Norrsken', true)], every_held: false },
    resources: [],
    ends_at: '2027-02-18T10:00:00Z',
    adds: false,
    ...given,
  }
}
