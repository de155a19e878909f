import { expect, test } from 'vitest'
import { signatureRate } from '../identity/signing.ts'
import { buildApp } from '../../app/app.ts'
import { createLog } from '../../platform/telemetry/log.ts'
import { signInConsole } from '../../../testing/in-process/console-client.ts'
import { seedScene } from '../../../testing/in-process/scenes/scene.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'

const { context } = await startTestService()

test('the log names the member of a refused call by id only, and only counts strangers', async () => {
  const lines: Record<string, unknown>[] = []
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) }
  await using stack = new AsyncDisposableStack()
  const app = await buildApp({ ...context, log: createLog({ level: 'info', destination }) })
  stack.defer(() => app.close())
  const { company, owner, reader, connection } = await seedScene(context, {
    members: ['reader'],
    connection: { signed: false },
  })
  const client = await signInConsole(app, context, owner)
  const lowClient = await signInConsole(app, context, reader)
  const home = `/console/companies/${company.companyId}`
  const { csrf_token: csrf } = (await client.get('/console/session')).body
  const sign = `${home}/connections/${connection.connectionId}/sign`
  await context.pool.query(
    `insert into rate_buckets (subject, full_at_us, granted, burst, interval_us) values ($1, $2, 1, $3, $4)`,
    [
      `signature ${owner.memberId}`,
      (context.clock.now() + signatureRate.burst * 2_000) * 1_000,
      signatureRate.burst,
      60_000_000 / signatureRate.perMinute,
    ],
  )
  lines.length = 0
  const elsewhere = { 'x-csrf-token': csrf, 'sec-fetch-site': 'cross-site' }
  const refusals = [
    [owner, 403, await client.send('POST', `${home}/sources`, {})],
    [owner, 403, await client.send('POST', `${home}/sources`, {}, elsewhere)],
    [owner, 415, await client.send('POST', `${home}/sources`, undefined, { 'x-csrf-token': csrf })],
    [owner, 400, await client.get(`${home}/members?limit=x`)],
    [owner, 404, await client.get('/console/companies/no-uuid')],
    [reader, 403, await lowClient.get(`${home}/members`)],
    [owner, 429, await client.post(sign, { language: 'en' })],
  ] as const
  expect(refusals.map(([, , { status }]) => status)).toEqual(refusals.map(([, status]) => status))
  expect(lines).toMatchObject(
    refusals.map(([member, status]) => ({ msg: 'answered', status, memberId: member.memberId })),
  )
  const said = JSON.stringify(lines)
  for (const { name, personalNumber } of [owner, reader]) {
    expect(said).not.toContain(name)
    expect(said).not.toContain(personalNumber.slice(2))
  }
  await app.inject({ url: home })
  expect(lines).toHaveLength(refusals.length)
})
