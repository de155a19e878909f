import type { AppContext } from '../../src/app/app-context.ts'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import type { App } from '../../src/platform/http/contract.ts'
import { writeCallLines } from './call-lines.ts'

test('each call of a program is a line, up to a limit per minute; calls of pages are not', async () => {
  const lines: string[] = []
  await using app = fastify()
  writeCallLines(app as unknown as App, {} as Pick<AppContext, 'shards'>, (line) => lines.push(line))
  app.get('/v1/samples', () => 'samples')
  app.get('/console/session', () => 'session')
  await app.inject({ url: '/console/session' })
  await app.inject({ url: '/v1/samples?metric=secret' })
  expect(lines).toEqual(['200 GET /v1/samples'])
  for (let call = 0; call < 300; call++) await app.inject({ url: '/v1/samples' })
  // The minute may change on the way.
  expect(lines.length).toBeLessThanOrEqual(2 * 121)
  expect(lines).toContain('… further calls in this minute are not shown')
})
