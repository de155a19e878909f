import type { ApiResponse } from '../api/call-api.ts'

type Session = ApiResponse<'GET /console/session'>
type Source = ApiResponse<'GET /console/companies/{company_id}/sources'>['sources'][number]
type Connection = ApiResponse<'GET /console/companies/{company_id}/connections'>['connections'][number]
type Delivery = ApiResponse<'GET /console/companies/{company_id}/last-deliveries'>['deliveries'][number]
type DeliveryInFull = ApiResponse<'GET /console/companies/{company_id}/deliveries/{artifact_id}'>
type RefusedCall = ApiResponse<'GET /console/companies/{company_id}/refused-calls'>['refused_calls'][number]
type Signature = ApiResponse<'GET /console/signatures'>['signatures'][number]
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
    notices: [],
    ...given,
  }
}

export function exampleCompany(
  given: Partial<Session['companies'][number]> = {},
): Session['companies'][number] {
  return {
    company_id: '01900000-0000-7000-8000-000000000001',
    orgnr: '559999-0016',
    name: 'Ekeby Handel AB',
    time_zone: 'Europe/Stockholm',
    fiscal_year_month: 1,
    role: 'owner',
    deletes_after: null,
    ...given,
  }
}

export function exampleSource(given: Partial<Source> = {}): Source {
  return {
    source_id: '01900000-0000-7000-8000-0000000000a1',
    name: 'Ledger',
    system_kind: 'Bookkeeping',
    channel: 'push',
    format: 'sie',
    shape_version: 3,
    revision: 4,
    delivers: 'statements',
    state: 'active',
    paused_at: null,
    paused_by: null,
    pause_reason: null,
    created_at: '2026-01-02T08:00:00Z',
    signing_secret_created_at: null,
    previous_signing_secret_ends_at: null,
    activity: null,
    ...given,
  }
}

export function exampleConnection(given: Partial<Connection> = {}): Connection {
  return {
    connection_id: '01900000-0000-7000-8000-0000000000c1',
    company: {
      company_id: '01900000-0000-7000-8000-000000000001',
      orgnr: '559999-0016',
      name: 'Ekeby Handel AB',
    },
    name: 'Ledger nightly',
    state: 'signed',
    kind: 'production',
    credential_kind: 'client',
    permissions: ['sources.ingest'],
    source: { source_id: '01900000-0000-7000-8000-0000000000a1', name: 'Ledger' },
    further_companies: [],
    client_id: 'ncl_1',
    created_by: { member_id: 'member-1', name: 'Olivia Ägare', is_member: true },
    created_at: '2026-09-02T08:00:00Z',
    signature_id: 'signature-1',
    signed_at: '2026-09-02T08:05:00Z',
    signed_with: 'demo',
    expires_at: '2027-09-02T08:05:00Z',
    expires_in_days: 286,
    expires_soon: false,
    revoked_at: null,
    revoked_by: null,
    last_used_at: '2026-11-20T09:03:00Z',
    credentials: [{ last_four: 'x7Qa', created_at: '2026-09-02T08:05:00Z', ends_at: null }],
    previous_credential_ends_at: null,
    ...given,
  }
}

export function exampleDelivery(given: Partial<Delivery> = {}): Delivery {
  return {
    artifact_id: '01900000-0000-7000-8000-0000000000d1',
    source_id: '01900000-0000-7000-8000-0000000000a1',
    sandbox: false,
    received_at: '2026-11-20T09:03:00Z',
    shape_version: 3,
    delivers: 'statements',
    channel: 'push',
    format: 'json',
    key: 'order-batch-20931',
    connection: { connection_id: '01900000-0000-7000-8000-0000000000c1', name: 'Ledger nightly' },
    content_bytes: 18_400,
    state: 'parsed',
    reason: null,
    rows_accepted: 46,
    rows_refused: 2,
    rows_date_alone: 3,
    missing_values: [],
    rows_far_ahead: 0,
    ...given,
  }
}

export function exampleDeliveryInFull(given: Partial<DeliveryInFull> = {}): DeliveryInFull {
  return {
    ...exampleDelivery(),
    sha256: '9c41f7d1a3b25e6094c8f1b7d2e3a4556677889900aabbccddeeff00112202ae',
    dropped_keys: ['coupon', 'utm_source'],
    parsed_at: '2026-11-20T09:03:01Z',
    refusals: [
      {
        row: 4,
        field: 'unit_price',
        code: 'number_malformed',
        reason: 'The value is not a number such as 1249.50, without comma, separators or unit.',
      },
      {
        row: 7,
        field: 'ordered_at',
        code: 'timestamp_no_offset',
        reason: 'The time has no offset: add Z, or one such as +01:00.',
      },
    ],
    far_ahead: [],
    older_artifact_id: '01900000-0000-7000-8000-0000000000d0',
    newer_artifact_id: null,
    ...given,
  }
}

export function exampleRefusedCall(given: Partial<RefusedCall> = {}): RefusedCall {
  return {
    call_id: '01900000-0000-7000-8000-0000000000e1',
    channel: 'push',
    source_id: '01900000-0000-7000-8000-0000000000a1',
    connection: { connection_id: '01900000-0000-7000-8000-0000000000c1', name: 'Ledger nightly' },
    signed: true,
    method: 'POST',
    path: '/v1/ingest',
    status: 409,
    code: 'key_reused',
    field: 'idempotency_key',
    calls: 1,
    called_at: '2026-11-20T08:00:00Z',
    ...given,
  }
}

export function exampleSignature(given: Partial<Signature> = {}): Signature {
  return {
    signature_id: 'signature-1',
    member: { member_id: 'member-1', name: 'Olivia Ägare' },
    company_id: '01900000-0000-7000-8000-000000000001',
    company_name: 'Ekeby Handel AB',
    subject: 'connection:01900000-0000-7000-8000-0000000000c1',
    visible_text: 'I sign the connection Ledger nightly.',
    record: '{"connection":"Ledger nightly"}',
    record_sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    provider: 'demo',
    signed_at: '2026-09-02T08:05:00Z',
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
    member_id: 'member-1',
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

function company(name: string, suggested = false, granted = false) {
  return { company_id: name, orgnr: '559999-0016', name, suggested, granted }
}

/** Requests two companies' numbers, and suggests the second. */
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
      { permission: 'company.read', granted: false },
      { permission: 'metrics.read', granted: false },
    ],
    companies: { choices: [company('Ekeby'), company('Norrsken', true)], every_granted: false },
    resources: [],
    ends_at: '2027-02-18T10:00:00Z',
    adds: false,
    ...given,
  }
}
