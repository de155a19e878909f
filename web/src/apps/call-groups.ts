import type { ApiResponse } from '../api/call-api.ts'

export type Call = ApiResponse<'GET /console/apps/{connection_id}/calls'>['calls'][number]

/** What a call does; for `other`, the call itself is shown. */
type Doing = 'companies' | 'sources' | 'samples' | 'trace' | 'delivery' | 'other'

const doings: Record<string, Doing> = {
  'GET /v1/companies': 'companies',
  'GET /v1/sources': 'sources',
  'GET /v1/sources/:source_id': 'sources',
  'GET /v1/samples': 'samples',
  'GET /v1/samples/trace': 'trace',
  'GET /v1/deliveries/:artifact_id': 'delivery',
}

/** Why a call was not served. */
type Refusal = 'rights' | 'gone' | 'busy' | 'wrong' | 'failed'

function toRefusal(status: number): Refusal | undefined {
  if (status < 400) return undefined
  if (status >= 500) return 'failed'
  if (status === 401 || status === 403) return 'rights'
  return status === 404 ? 'gone' : status === 429 ? 'busy' : 'wrong'
}

/** Consecutive calls of one kind, about one company and with one outcome. */
export interface CallGroup {
  key: string
  doing: Doing
  /** Method and path. */
  call: string
  refusal: Refusal | undefined
  company: Call['company']
  count: number
  newest: string
  oldest: string
}

/**
 * Combines calls that a person would mention once. A group stays within a day.
 *
 * @param calls newest first
 * @param toDay the day of an instant, for the reader
 */
export function groupCalls(calls: readonly Call[], toDay: (instant: string) => string): CallGroup[] {
  const groups: CallGroup[] = []
  for (const { call_id: key, method, path, status, company, called_at } of calls) {
    const call = `${method} ${path}`
    const refusal = toRefusal(status)
    const last = groups.at(-1)
    if (
      last?.call === call &&
      last.refusal === refusal &&
      last.company?.company_id === company?.company_id &&
      toDay(last.oldest) === toDay(called_at)
    ) {
      last.count++
      last.oldest = called_at
    } else {
      const doing = doings[call] ?? 'other'
      groups.push({ key, doing, call, refusal, company, count: 1, newest: called_at, oldest: called_at })
    }
  }
  return groups
}
