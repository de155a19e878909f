import { afterEach, expect, test, vi } from 'vitest'
import { ApiError } from './api-error.ts'
import { callApi, renewFromApi } from './call-api.ts'

afterEach(() => vi.unstubAllGlobals())

const answerWith = (answer: Response | Error) => {
  const calls: [string, RequestInit][] = []
  // After a call without a response, a HEAD request checks whether the service can be reached (`reachability.ts`): it can.
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    if (init.method === 'HEAD') return Promise.resolve(new Response())
    calls.push([url, init])
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
  })
  return calls
}

const fault = (call: Promise<unknown>): Promise<ApiError> =>
  call.then(
    () => expect.fail(),
    (error) => error,
  )

test('A call fills in path and query, and sends its body as JSON with the CSRF token', async () => {
  const calls = answerWith(Response.json({ apps: [], next_cursor: null }))
  expect(await callApi('GET /console/apps', { query: { cursor: 'a b' } })).toEqual({
    apps: [],
    next_cursor: null,
  })
  expect(calls[0]).toEqual(['/console/apps?cursor=a+b', { method: 'GET', headers: {} }])

  const order = { path: { order_id: '../x' }, body: {} }
  const cancelled = answerWith(new Response(null, { status: 204 }))
  expect(await callApi('POST /console/authorize/sign/{order_id}/cancel', order, 'token')).toBeUndefined()
  expect(cancelled[0]).toEqual([
    '/console/authorize/sign/..%2Fx/cancel',
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-csrf-token': 'token' },
      body: '{}',
    },
  ])
})

test('An error response is thrown with its status, its code and the time to wait', async () => {
  answerWith(
    Response.json(
      { code: 'rate_limited', message: 'Wait.' },
      { status: 429, headers: { 'retry-after': '7' } },
    ),
  )
  expect(await fault(callApi('GET /console/session', {}))).toMatchObject({
    status: 429,
    code: 'rate_limited',
    message: 'Wait.',
    retryAfterS: 7,
  })
  answerWith(new Response('<h1>Bad gateway</h1>', { status: 502 }))
  expect(await fault(callApi('GET /console/session', {}))).toMatchObject({ status: 502, code: undefined })
})

test('An error names the wrong field and has its details', async () => {
  const details = { source: { revision: 4 } }
  answerWith(
    Response.json(
      { code: 'conflict', message: 'Saved.', field: 'expected_revision', details },
      { status: 409 },
    ),
  )
  expect(await fault(callApi('GET /console/session', {}))).toMatchObject({
    field: 'expected_revision',
    details,
  })
})

test('A missing response is an error of status 0', async () => {
  answerWith(new TypeError('fetch failed'))
  const error = await fault(callApi('GET /console/session', {}))
  expect(error).toBeInstanceOf(ApiError)
  expect(error.status).toBe(0)
})

test('A truncated response counts as missing', async () => {
  answerWith(new Response('{"member_id":"m'))
  expect(await fault(callApi('GET /console/session', {}))).toMatchObject({ name: 'ApiError', status: 0 })
  answerWith(new Response('{"reports":['))
  const renewed = renewFromApi(
    'GET /console/companies/{company_id}/reports',
    { path: { company_id: 'c' }, query: {} },
    undefined,
  )
  expect(await fault(renewed)).toMatchObject({ name: 'ApiError', status: 0 })
})
