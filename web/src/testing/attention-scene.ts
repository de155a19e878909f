import type { Attention, AttentionItem } from '../company/attention.ts'
import type { Replies } from './api-stub.ts'
import { exampleCompany, exampleSession } from './examples.ts'

export const ekeby = exampleCompany()
export const page = `/companies/${ekeby.company_id}/attention`

export function exampleItem(changes: Partial<AttentionItem> = {}): AttentionItem {
  return {
    key: 'source_late source-1',
    version: '1',
    kind: 'source_late',
    since: '2026-11-13T05:00:00Z',
    source: { source_id: 'source-1', name: 'Web shop' },
    connection: null,
    metric: null,
    period_start: null,
    artifact_id: null,
    count: null,
    ends_at: null,
    limit: null,
    done: null,
    ...changes,
  }
}

export const exampleItems: AttentionItem[] = [
  exampleItem({
    key: 'limit_near cells',
    kind: 'limit_near',
    source: null,
    since: null,
    limit: 'cells',
    count: 93,
  }),
  exampleItem(),
  exampleItem({
    key: 'period_corrected',
    kind: 'period_corrected',
    metric: 'revenue',
    period_start: '2026-09-01',
    source: { source_id: 'source-2', name: 'Ledger' },
  }),
  exampleItem({ key: 'rows_refused', kind: 'rows_refused', artifact_id: 'artifact-1', count: 1204 }),
  exampleItem({
    key: 'connection_ends',
    kind: 'connection_ends',
    source: null,
    connection: { connection_id: 'connection-1', name: 'Nightly export' },
    since: null,
    ends_at: '2026-12-02T10:00:00Z',
  }),
  exampleItem({
    key: 'paused',
    kind: 'paused_refusing',
    source: { source_id: 'source-3', name: 'Returns' },
    count: 12,
    done: { member_id: 'member-2', name: 'Johan Berg', at: '2026-11-14T09:30:00Z' },
  }),
]

export const exampleLink = {
  link_id: 'link-1',
  kind: 'sheet' as const,
  name: 'Budget 2026',
  report: { source_id: 'source-1', metric: 'revenue', range: '12m' as const },
  created_by: { member_id: 'member-2', name: 'Johan Berg' },
  created_at: '2026-10-01T08:00:00Z',
  expires_at: '2027-01-15T08:00:00Z',
  used_on: '2026-11-14',
}

export const replies: Replies = {
  'GET /console/session': () => exampleSession({ companies: [ekeby] }),
  'GET /console/companies/{company_id}/attention': (): Attention => ({ items: exampleItems, more: false }),
  'GET /console/companies/{company_id}/links': () => ({ links: [exampleLink] }),
}
