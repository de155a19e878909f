import type { Replies } from './api-stub.ts'
import { exampleCard, exampleReport, exampleReportList } from './example-reports.ts'
import {
  exampleApp,
  exampleConnection,
  exampleDelivery,
  exampleDeliveryInFull,
  exampleSignature,
  exampleSource,
} from './examples.ts'

/** A company with one source, connection and delivery, for tests of several pages. */
export const companyReplies: Replies = {
  'GET /console/known-metrics': () => ({ metrics: [{ key: 'revenue', name: 'Revenue', unit: 'SEK' }] }),
  'GET /console/companies/{company_id}/sources': () => ({
    sources: [
      exampleSource(),
      exampleSource({
        source_id: '01900000-0000-7000-8000-0000000000a2',
        name: 'Mobile app',
        state: 'paused',
        paused_at: '2026-11-09T09:00:00Z',
      }),
    ],
    next_cursor: null,
  }),
  'GET /console/companies/{company_id}/connections': () => ({
    connections: [exampleConnection()],
    next_cursor: null,
  }),
  'GET /console/companies/{company_id}/connections/{connection_id}': () => exampleConnection(),
  'GET /console/companies/{company_id}/last-deliveries': () => ({
    deliveries: [exampleDelivery()],
    next_cursor: null,
  }),
  'GET /console/companies/{company_id}/deliveries': () => ({
    deliveries: [exampleDelivery()],
    count: { deliveries: 1, more: false },
    searched_to: null,
    next_cursor: null,
  }),
  'GET /console/companies/{company_id}/refused-calls': () => ({
    refused_calls: [],
    count: 0,
    next_cursor: null,
  }),
  'GET /console/companies/{company_id}/deliveries/{artifact_id}': () => exampleDeliveryInFull(),
  'GET /console/companies/{company_id}/deliveries/{artifact_id}/rows': () => ({
    fields: [{ name: 'amount', type: 'number', personal: false }],
    rows: [],
    refusals_known_to: null,
    broken: null,
    next_cursor: null,
  }),
  'GET /console/companies/{company_id}/deliveries/{artifact_id}/refusals': () => ({ fields: [], groups: [] }),
  'GET /console/companies/{company_id}/deliveries/{artifact_id}/samples': () => ({
    samples: [],
    count: 0,
    next_cursor: null,
  }),
  'GET /console/companies/{company_id}/sources/{source_id}': () => ({
    source: exampleSource(),
    versions: [
      {
        shape_version: 3,
        fields: [{ name: 'amount', type: 'number', personal: false }],
        event_time: 'booked_at',
        metrics: [],
        delivers: 'statements',
        saved_by: { member_id: 'member-1', name: 'Olivia Ägare' },
        saved_at: '2026-01-02T08:00:00Z',
      },
    ],
    next_cursor: null,
    activity: {
      last_delivery: null,
      freshness: { last_received_at: null, usual_seconds: null, late: false },
      rebuild: null,
    },
    stored: { deliveries: 12, content_bytes: 240_000, more: false },
    signing_secrets: [],
  }),
  // Preloaded when the card is pointed at.
  'PUT /console/companies/{company_id}/sources/{source_id}/reports/{metric}/look': () => ({
    looked_at: null,
    changed: [],
  }),
  'GET /console/companies/{company_id}/sources/{source_id}/reports/{metric}': () => exampleReport(),
  'GET /console/companies/{company_id}/reports': () =>
    exampleReportList([
      exampleCard({
        latest: {
          period_start: '2026-10-01',
          value: '12345678901234567890123456789012345678.90',
          restated: null,
        },
      }),
    ]),
  'GET /console/companies/{company_id}/members': () => ({
    members: [
      {
        member_id: 'member-1',
        name: 'Olivia Ägare',
        label: null,
        role: 'owner',
        added_by: null,
        added_at: '2026-01-02T08:00:00Z',
        last_sign_in_at: '2026-11-20T08:00:00Z',
        signed_connections: 1,
      },
    ],
    next_cursor: null,
  }),
  'GET /console/companies/{company_id}/invitations': () => ({ invitations: [], next_cursor: null }),
  'GET /console/signatures/{signature_id}/evidence': () => ({
    ...exampleSignature(),
    evidence: 'the proof',
  }),
  'GET /console/signatures': () => ({ signatures: [exampleSignature()], next_cursor: null }),
  'GET /console/apps': () => ({ apps: [exampleApp()], next_cursor: null }),
}
