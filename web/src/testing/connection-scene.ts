import type { Replies } from './api-stub.ts'
import {
  exampleCompany,
  exampleConnection,
  exampleDelivery,
  exampleOrder,
  exampleRefusedCall,
  exampleSession,
  exampleSource,
} from './examples.ts'

export const ekeby = exampleCompany()
export const norrsken = exampleCompany({
  company_id: '01900000-0000-7000-8000-000000000002',
  orgnr: '559999-0024',
  name: 'Norrsken Kaffe AB',
  role: 'developer',
})
export const at = (path: string): string => `/companies/${ekeby.company_id}${path}`
export const id = (last: number): string => `01900000-0000-7000-8000-0000000000c${last}`

export const made = exampleConnection({
  connection_id: id(2),
  name: 'Marketplace weekly',
  state: 'unsigned',
  signature_id: null,
  signed_at: null,
  signed_with: null,
  expires_at: null,
  expires_in_days: null,
  last_used_at: null,
  credentials: [],
})
const signed = exampleConnection({ connection_id: id(2), name: 'Marketplace weekly' })
export const expiring = exampleConnection({
  connection_id: id(3),
  name: 'Ledger before',
  expires_at: '2026-12-14T09:00:00Z',
  expires_in_days: 24,
  expires_soon: true,
})
export const foreign = exampleConnection({
  connection_id: id(4),
  name: 'Group report',
  company: norrsken,
  source: null,
  further_companies: [ekeby],
  created_by: { member_id: 'member-2', name: 'Nils Norr', is_member: true },
})
const all = [exampleConnection(), made, expiring, foreign]

export const replies: Replies = {
  'GET /console/session': () => exampleSession({ companies: [ekeby, norrsken] }),
  'GET /console/companies/{company_id}/sources': () => ({
    sources: [exampleSource(), exampleSource({ source_id: 's-hook', name: 'Hook', channel: 'webhook' })],
    next_cursor: null,
  }),
  'GET /console/companies/{company_id}/connections': () => ({ connections: all, next_cursor: null }),
  'GET /console/companies/{company_id}/connections/{connection_id}': ({ path }) =>
    all.find(({ connection_id }) => connection_id === path[1])!,
  'GET /console/companies/{company_id}/deliveries': () => ({
    deliveries: [
      exampleDelivery(),
      exampleDelivery({ artifact_id: id(8), connection: null, key: 'another' }),
    ],
    count: null,
    searched_to: null,
    next_cursor: null,
  }),
  'GET /console/companies/{company_id}/refused-calls': () => ({
    refused_calls: [exampleRefusedCall()],
    count: 1,
    next_cursor: null,
  }),
  'POST /console/companies/{company_id}/connections': () => ({ connection: made }),
  'POST /console/companies/{company_id}/connections/{connection_id}/sign': () =>
    exampleOrder({ visible_text: 'I sign this service connection of Numera.' }),
  'POST /console/companies/{company_id}/connections/{connection_id}/sign/{order_id}/collect': () => ({
    state: 'pending',
  }),
}

export const complete = () => ({ state: 'complete' as const, secret: 'ncs_1234', connection: signed })
