import type { ApiResponse } from '../api/call-api.ts'
import { exampleCompany } from './examples.ts'
import { ledgerId } from './example-reports.ts'

type Evidence =
  ApiResponse<'GET /console/companies/{company_id}/sources/{source_id}/reports/{metric}/evidence'>
type Delivery = Evidence['content']['deliveries'][number]

const [first, second] = [
  'b04e77a1-0000-7000-8000-00000000c91d',
  'd27a09c4-0000-7000-8000-00000000e013',
] as const
const asOf = '2026-11-20T10:00:00.000Z'

function delivery(given: Partial<Delivery>): Delivery {
  return {
    artifact_id: first,
    received_at: '2026-10-01T04:58:00.000Z',
    channel: 'push',
    format: 'csv',
    sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    connection_id: '01900000-0000-7000-8000-0000000000c1',
    signature: {
      signature_id: '01900000-0000-7000-8000-0000000000d1',
      signed_at: '2026-02-03T09:12:00.000Z',
      signed_with: 'bankid',
      record_sha256: '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752',
    },
    covers: { from: '2026-09-01', to: '2026-09-30' },
    rows: 538,
    value: '604477.75',
    counts: null,
    step: null,
    running: null,
    added: null,
    event_at: null,
    superseded: true,
    superseded_by: [second],
    ...given,
  }
}

/** September of the ledger in Sweden, restated once. */
export function exampleEvidence(given: { content?: object; details?: object } = {}): Evidence {
  const company = exampleCompany()
  const fields: NonNullable<Evidence['details']['deliveries'][number]['rows']>['fields'] = [
    { name: 'booked', type: 'timestamp', personal: false },
    { name: 'amount', type: 'number', personal: false },
    { name: 'customer', type: 'text', personal: true },
  ]
  const listed = Array.from({ length: 100 }, (_row, index) => ({
    row: index + 1,
    line: index + 2,
    values: [{ text: '2026-09-14' }, { text: `${index + 1}.50` }, { masked: true as const }],
    cells: null,
    gave: `${index + 1}.5`,
  }))
  const rows = { fields, listed, sha256: '0'.repeat(64), more: true, adds: true }
  const named = { connection_name: 'Ledger, production', signed_by: 'Per Norrsken', rows }
  return {
    format: 'numera.evidence/1',
    code: '7K3QX-9M2DA-HT5WB-0ZC8R-VNE41',
    details_code: 'A1B2C-3D4E5-F6G7H-8J9KM-NPQRS',
    content: {
      company: { company_id: company.company_id, orgnr: company.orgnr, time_zone: company.time_zone },
      source_id: ledgerId,
      declaration: {
        delivers: 'statements',
        event_time: 'booked',
        metric: {
          metric: 'revenue',
          aggregation: 'sum',
          field: 'amount',
          filters: [],
          group_by: ['country'],
          period: 'day',
        },
      },
      period: { grain: 'month', start: '2026-09-01', end: '2026-09-30' },
      labels: { country: ['Sweden'] },
      except: {},
      as_of: asOf,
      value: '620394.5',
      unit: 'SEK',
      combines: 'sum',
      complete: true,
      unparsed: 0,
      deliveries: [
        delivery({}),
        delivery({
          artifact_id: second,
          received_at: '2026-10-20T12:31:00.000Z',
          rows: 551,
          value: '620394.5',
          counts: '620394.5',
          step: '15916.75',
          superseded: false,
          superseded_by: [],
        }),
      ],
      ...given.content,
    },
    details: {
      company_name: company.name,
      source_name: 'Ledger',
      metric_name: 'Revenue',
      shape_version: 3,
      saved_at: '2026-02-01T08:00:00.000Z',
      rebuilding: false,
      link: `https://numera.example/companies/${company.company_id}/reports/${ledgerId}/revenue/evidence?trace=2026-09-01&grain=month&label.country=.Sweden&as_of=${encodeURIComponent(asOf)}`,
      deliveries_visible: true,
      deliveries: [
        { artifact_id: first, ...named },
        { artifact_id: second, ...named },
      ],
      ...given.details,
    },
  }
}
