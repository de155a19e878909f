import { beforeAll, beforeEach, expect, test } from 'vitest'
import { signInConsole, type ConsoleClient } from '../../../../testing/in-process/console-client.ts'
import {
  seedCompany,
  seedMember,
  seedWebhookSource,
  type SeededCompany,
  type SeededMember,
} from '../../../../testing/in-process/seed.ts'
import { testFields, testMetric } from '../../../../testing/in-process/source.ts'
import { strangeMasterKeys } from '../../../../testing/in-process/test-keys.ts'
import { startTestService } from '../../../../testing/in-process/test-service.ts'
import { deleteEndedSigningSecrets } from './expiry.ts'
import { rotateSigningSecret } from './rotate-signing-secret.ts'
import { unsealSigningSecret } from '../../../platform/keys/signing-secret.ts'
import { seedScene } from '../../../../testing/in-process/scenes/scene.ts'
import { saveSource } from '../../../../testing/process/save-source.ts'

const { database, context, app } = await startTestService()
let seeded: SeededCompany
let developer: SeededMember
let client: ConsoleClient
let sources: string
beforeAll(async () => {
  // Opens connections beforehand, so that concurrent calls are concurrent.
  await Promise.all(Array.from({ length: 8 }, () => database.pool.query('select pg_sleep(0.05)')))
})
beforeEach(async () => {
  ;({ developer, ...seeded } = await seedScene(context, { members: ['developer'] }))
  client = await signInConsole(app, context, developer)
  sources = `/console/companies/${seeded.company.companyId}/sources`
})

/** Lets time pass, and signs the developer in again. */
const advance = async (ms: number): Promise<void> => {
  context.clock.advance(ms)
  client = await signInConsole(app, context, developer)
}

const hourMs = 60 * 60_000
const newSource = {
  name: 'Shop',
  system_kind: 'web shop',
  channel: 'webhook',
  fields: testFields,
  event_time: 'at',
  metrics: [testMetric()],
  delivers: 'events',
}

const readRows = async (sourceId: string) => {
  const { rows } = await database.pool.query<{ sealed: Buffer; ends_at: Date | null }>(
    'select sealed, ends_at from webhook_secrets where source_id = $1 order by ends_at nulls last',
    [sourceId],
  )
  return rows
}

/** The secrets that open the source's address now, oldest first. */
const working = async (sourceId: string): Promise<string[]> =>
  (await readRows(sourceId))
    .filter((row) => row.ends_at === null || row.ends_at.getTime() > context.clock.now())
    .map((row) => unsealSigningSecret(context.keys.master, row.sealed, sourceId))

const rotate = async (sourceId: string) => {
  const { status, body } = await client.post(`${sources}/${sourceId}/rotate-signing-secret`)
  expect(status).toBe(200)
  return body
}
const show = async (sourceId: string) => (await client.get(`${sources}/${sourceId}`)).body.source

test('a webhook source is created with a secret that only that answer contains', async () => {
  const { status, body } = await client.post(sources, newSource)
  expect(status).toBe(201)
  expect(body.signing_secret).toMatch(/^nws_[0-9A-Za-z]{43}$/)
  const createdAt = new Date(context.clock.now()).toISOString()
  expect(body).toMatchObject({ signing_secret_created_at: createdAt, previous_signing_secret_ends_at: null })
  expect(await working(body.source_id)).toEqual([body.signing_secret])
  const rest = [
    await client.get(sources),
    await client.get(`${sources}/${body.source_id}`),
    await saveSource(client, `${sources}/${body.source_id}`, { name: 'Butik', channel: 'webhook' }),
  ]
  for (const answer of rest) expect(JSON.stringify(answer.body)).not.toContain('nws_')
  expect(await working(body.source_id)).toEqual([body.signing_secret])
  expect(await show(body.source_id)).toMatchObject({ signing_secret_created_at: createdAt })
})

test('a push source has no secret and none to rotate', async () => {
  const { body } = await client.post(sources, { ...newSource, channel: 'push' })
  expect(body).not.toHaveProperty('signing_secret')
  expect(body).toMatchObject({ signing_secret_created_at: null, previous_signing_secret_ends_at: null })
  expect(await client.post(`${sources}/${body.source_id}/rotate-signing-secret`)).toMatchObject({
    status: 409,
    body: { code: 'conflict' },
  })
  expect(await readRows(body.source_id)).toEqual([])
})

test('a rotated secret works for another 24 hours, and a second rotation ends it immediately', async () => {
  const { sourceId, signingSecret: first } = await seedWebhookSource(context, seeded.company.companyId)
  const { signing_secret: second, ...rotated } = await rotate(sourceId)
  const now = context.clock.now()
  expect(rotated).toMatchObject({
    signing_secret_created_at: new Date(now).toISOString(),
    previous_signing_secret_ends_at: new Date(now + 24 * hourMs).toISOString(),
  })
  expect(await show(sourceId)).toEqual(rotated)
  expect(await working(sourceId)).toEqual([first, second])

  await advance(23 * hourMs)
  const { signing_secret: third } = await rotate(sourceId)
  expect(await working(sourceId)).toEqual([second, third])

  await advance(24 * hourMs - 1)
  expect(await working(sourceId)).toEqual([second, third])
  await advance(1)
  expect(await working(sourceId)).toEqual([third])
  expect(await show(sourceId)).toMatchObject({ previous_signing_secret_ends_at: null })
})

test('concurrent rotations each get a secret, and the last two work', async () => {
  const { sourceId, signingSecret: first } = await seedWebhookSource(context, seeded.company.companyId)
  const secrets = (await Promise.all([1, 2, 3, 4].map(() => rotate(sourceId)))).map(
    (body) => body.signing_secret as string,
  )
  const left = await working(sourceId)
  expect(left).toHaveLength(2)
  expect(left).not.toContain(first)
  expect(secrets).toEqual(expect.arrayContaining(left))
  expect(await readRows(sourceId)).toHaveLength(2)
})

test('becoming a push source ends the secrets immediately; becoming a webhook source again gives a new one', async () => {
  const { sourceId, signingSecret: first } = await seedWebhookSource(context, seeded.company.companyId)
  await rotate(sourceId)
  const path = `${sources}/${sourceId}`
  const asPush = await saveSource(client, path, { channel: 'push' })
  expect(asPush.body.source).toMatchObject({
    signing_secret_created_at: null,
    previous_signing_secret_ends_at: null,
  })
  expect(asPush.body.source).not.toHaveProperty('signing_secret')
  expect(await readRows(sourceId)).toEqual([])

  const { body } = await saveSource(client, path, { channel: 'webhook' })
  const again = body.source
  expect(again.signing_secret).not.toBe(first)
  expect(again.previous_signing_secret_ends_at).toBeNull()
  expect(await working(sourceId)).toEqual([again.signing_secret])
})

test('secrets whose overlap is over are deleted, and no others', async () => {
  const { sourceId } = await seedWebhookSource(context, seeded.company.companyId)
  await rotate(sourceId)
  context.clock.advance(24 * hourMs - 1)
  await deleteEndedSigningSecrets(context, context.clock.now())
  expect(await readRows(sourceId)).toHaveLength(2)
  context.clock.advance(1)
  await deleteEndedSigningSecrets(context, context.clock.now())
  expect(await readRows(sourceId)).toMatchObject([{ ends_at: null }])
})

test('a service with another master key refuses a rotation with the reason', async () => {
  const { companyId } = seeded.company
  const { sourceId, signingSecret } = await seedWebhookSource(context, companyId)
  const strange = { ...context, keys: { ...context.keys, master: strangeMasterKeys } }
  await expect(rotateSigningSecret(strange, 'operator', companyId, sourceId)).rejects.toMatchObject({
    code: 'conflict',
    message: 'The current signing secret was sealed under another master key than the service has.',
  })
  expect(await working(sourceId)).toEqual([signingSecret])
  expect(await show(sourceId)).toMatchObject({ previous_signing_secret_ends_at: null })
})

test('a webhook source that is older than secrets gets one by a rotation', async () => {
  const { sourceId } = await seedWebhookSource(context, seeded.company.companyId)
  await database.pool.query('delete from webhook_secrets where source_id = $1', [sourceId])
  expect(await show(sourceId)).toMatchObject({ signing_secret_created_at: null })
  const { signing_secret: secret, previous_signing_secret_ends_at: previous } = await rotate(sourceId)
  expect(previous).toBeNull()
  expect(await working(sourceId)).toEqual([secret])
})

test('only owners and developers of the company rotate', async () => {
  const { companyId } = seeded.company
  const { sourceId, signingSecret } = await seedWebhookSource(context, companyId)
  const reader = await signInConsole(app, context, await seedMember(context, companyId, { role: 'reader' }))
  expect((await reader.post(`${sources}/${sourceId}/rotate-signing-secret`)).status).toBe(403)
  const other = await seedCompany(context)
  const stranger = await signInConsole(app, context, other.owner)
  for (const base of [sources, `/console/companies/${other.company.companyId}/sources`]) {
    expect((await stranger.post(`${base}/${sourceId}/rotate-signing-secret`)).status).toBe(404)
  }
  expect(await working(sourceId)).toEqual([signingSecret])
})
