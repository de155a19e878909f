import type { ApiResponse } from '../api/call-api.ts'

export type Call = ApiResponse<'GET /console/apps/{connection_id}/calls'>['calls'][number]

/** What an app did, in words; `other`: the call itself must do. */
export type Doing = 'companies' | 'sources' | 'samples' | 'trace' | 'delivery' | 'other'

const doings: Record<string, Doing> = {
  'GET /v1/companies': 'companies',
  'GET /v1/sources': 'sources',
  'GET /v1/samples': 'samples',
  'GET /v1/samples/trace': 'trace',
  'GET /v1/deliveries/:artifact_id': 'delivery',
}

/** Why a call was not served. */
export type Refusal = 'rights' | 'gone' | 'busy' | 'wrong' | 'failed'

function refusalOf(status: number): Refusal | undefined {
  if (status < 400) return undefined
  if (status >= 500) return 'failed'
  if (status === 401 || status === 403) return 'rights'
  return status === 404 ? 'gone' : status === 429 ? 'busy' : 'wrong'
}

/** Calls that followed each other, of one kind, about one company and with one outcome. */
export interface CallGroup {
  /** Of its newest call. */
  key: string
  doing: Doing
  /** Method and path, as the service counts them. */
  call: string
  refusal: Refusal | undefined
  company: Call['company']
  count: number
  newest: string
  oldest: string
}

/**
 * Puts calls together that a person would name once. Groups stay within a day, so that each has its date.
 *
 * @param calls newest first
 * @param dayOf the day of an instant, for the reader
 */
export function groupCalls(calls: readonly Call[], dayOf: (instant: string) => string): CallGroup[] {
  const groups: CallGroup[] = []
  for (const { call_id, method, path, status, company, called_at } of calls) {
    const call = `${method} ${path}`
    const refusal = refusalOf(status)
    const last = groups.at(-1)
    if (
      last !== undefined &&
      last.call === call &&
      last.refusal === refusal &&
      last.company?.company_id === company?.company_id &&
      dayOf(last.oldest) === dayOf(called_at)
    ) {
      last.count++
      last.oldest = called_at
      continue
    }
    const doing = doings[call] ?? 'other'
    groups.push({
      key: call_id,
      doing,
      call,
      refusal,
      company,
      count: 1,
      newest: called_at,
      oldest: called_at,
    })
  }
  return groups
}
