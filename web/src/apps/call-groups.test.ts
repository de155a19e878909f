import { expect, test } from 'vitest'
import { type Call, groupCalls } from './call-groups.ts'

const ekeby = { company_id: 'company-1', orgnr: '559999-0016', name: 'Ekeby Handel AB' }

function call(called_at: string, given: Partial<Call> = {}): Call {
  return {
    call_id: called_at,
    company: ekeby,
    method: 'GET',
    path: '/v1/samples',
    status: 200,
    code: null,
    called_at,
    ...given,
  }
}

const toDay = (instant: string): string => instant.slice(0, 10)

test('Consecutive calls of one kind are one line with their number', () => {
  const groups = groupCalls(
    [call('2026-11-20T09:03:00Z'), call('2026-11-20T09:02:00Z'), call('2026-11-20T09:01:00Z')],
    toDay,
  )
  expect(groups).toMatchObject([
    { doing: 'samples', count: 3, newest: '2026-11-20T09:03:00Z', oldest: '2026-11-20T09:01:00Z' },
  ])
})

test('Another day, company, call or outcome is a line of its own', () => {
  const groups = groupCalls(
    [
      call('2026-11-20T09:05:00Z'),
      call('2026-11-20T09:04:00Z', { status: 403, code: 'permission_denied' }),
      call('2026-11-20T09:03:00Z', { company: { ...ekeby, company_id: 'company-2' } }),
      call('2026-11-20T09:02:00Z', { company: null }),
      call('2026-11-20T09:01:00Z', { path: '/v1/sources' }),
      call('2026-11-19T09:01:00Z', { path: '/v1/sources' }),
    ],
    toDay,
  )
  expect(groups.map(({ count }) => count)).toEqual([1, 1, 1, 1, 1, 1])
  expect(groups.map(({ refusal }) => refusal)).toEqual([undefined, 'rights', ...Array<undefined>(4)])
})

test.each([
  ['/v1/companies', 'companies'],
  ['/v1/samples/trace', 'trace'],
  ['/v1/deliveries/:artifact_id', 'delivery'],
  ['/v1/what-comes', 'other'],
])('A call of %s is named by what it does', (path, doing) => {
  expect(groupCalls([call('2026-11-20T09:00:00Z', { path })], toDay)).toMatchObject([{ doing }])
})

test.each([
  [401, 'rights'],
  [404, 'gone'],
  [429, 'busy'],
  [400, 'wrong'],
  [503, 'failed'],
])('A response of %d is shown as the reason for the refusal', (status, refusal) => {
  expect(groupCalls([call('2026-11-20T09:00:00Z', { status })], toDay)).toMatchObject([{ refusal }])
})
