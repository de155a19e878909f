import { beforeEach, expect } from 'vitest'
import type { App } from '../../../src/platform/http/contract.ts'
import { startTestService } from '../test-service.ts'

export const second = 1_000
export const hour = 3_600 * second
export const day = 24 * hour

/** The metadata of an app that is registered. */
export const good = { client_name: 'Ledger Insight', redirect_uris: ['https://app.example.com/callback'] }

type Answer = Awaited<ReturnType<App['inject']>>

export const expectRefused = (answer: Answer, status: number, error: string): void => {
  expect(answer.json()).toEqual({ error, error_description: expect.stringMatching(/^[A-Za-z].*\.$/) })
  expect(answer.statusCode).toBe(status)
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(answer.headers['access-control-allow-origin']).toBe('*')
}
export const expectTooMany = (answer: Answer, retryAfterSeconds: number): void => {
  expectRefused(answer, 429, 'temporarily_unavailable')
  expect(answer.headers['retry-after']).toBe(String(retryAfterSeconds))
  expect(answer.headers['ratelimit-remaining']).toBe('0')
}
export const getStatuses = async (calls: Promise<Answer>[]): Promise<number[]> =>
  (await Promise.all(calls)).map(({ statusCode }) => statusCode).toSorted()
export const times = (count: number, call: (index: number) => Promise<Answer>): Promise<Answer>[] =>
  Array.from({ length: count }, (_, index) => call(index))

/** A service for registrations from any address, with full buckets for each test. To be called while the file is read, at its top. */
export const startRegistrationScene = async () => {
  const { database, context, app } = await startTestService({
    environment: { NUMERA_TRUST_PROXY: '127.0.0.1' },
  })
  // The registrations of the test before are older than an hour.
  beforeEach(() => context.clock.advance(2 * hour))
  const register = (
    fields: object | string = good,
    address = '192.0.2.1',
    headers: Record<string, string> = {},
  ) =>
    app.inject({
      method: 'POST',
      url: '/oauth/register',
      payload: typeof fields === 'string' ? fields : JSON.stringify(fields),
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address, ...headers },
    })
  const countApps = async (): Promise<number> =>
    (await database.pool.query<{ apps: number }>('select count(*)::integer as apps from apps')).rows[0]!.apps

  return { database, context, app, register, countApps }
}
