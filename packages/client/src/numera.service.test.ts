import { expect, test } from 'vitest'
import { Decimal, keyFor, Numera, sendWebhook } from 'numera-client'
import { seedConnection, seedWebhookSource } from '../../../testing/in-process/seed.ts'
import { seedScene } from '../../../testing/in-process/scenes/scene.ts'
import { testMetric } from '../../../testing/in-process/source.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'
import { startTestWorker } from '../../../testing/in-process/test-worker.ts'

const { database, context, app } = await startTestService()
const { worker } = startTestWorker({ database, context })
const baseUrl = await app.listen({ port: 0, host: '127.0.0.1' })

const openShop = async (
  credentialKind: 'static' | 'client',
  delivers: 'events' | 'statements' = 'events',
) => {
  const source = { metrics: [testMetric({ group_by: ['country'] })], delivers }
  const { company, owner, connection, ...scene } = await seedScene(context, {
    source,
    connection: { credentialKind },
  })
  const { clientId, secret, credential } = connection
  const identity = credential ? { credential } : { clientId: clientId!, clientSecret: secret! }
  return { company, owner, source: scene.source, numera: new Numera({ baseUrl, ...identity }) }
}

test.each(['static', 'client'] as const)(
  'what is pushed is read back exactly, over a connection with a %s credential',
  async (kind) => {
    const { numera, source } = await openShop(kind)
    const amounts = ['99999999999999999999.999999999999999999', '-0.000000000000000001', '249.50']
    const rows = amounts.map((amount, at) => ({
      at: new Date('2026-01-10T12:00:00Z'),
      amount: Decimal.from(amount),
      country: `country ${at}`,
      till: 3n,
    }))
    const options = { key: keyFor('order', 1001), shapeVersion: 1 }
    const receipt = await numera.push(rows, options)
    expect(receipt).toMatchObject({
      status: 'queued',
      droppedKeys: ['till'],
      delivers: 'events',
      replayed: false,
    })
    expect(await numera.push(rows, options)).toEqual({ ...receipt, replayed: true })
    await worker.drain()

    const report = await numera.delivery(receipt.artifactId).parsed()
    expect(report).toMatchObject({ rowsAccepted: 3, rowsRefused: 0, sourceId: source.sourceId })
    const read = () => Array.fromAsync(numera.samples({ metric: 'revenue', from: '2023-01-01' }))
    const samples = await read()
    expect(samples.map(({ value }) => value.toString())).toEqual([amounts[0], amounts[1], '249.5'])
    expect(await read()).toEqual(samples)

    const { metric, periodStart, labels } = samples[0]!
    const trace = await numera.trace({ metric, periodStart, labels })
    expect(trace.value?.equals(amounts[0]!)).toBe(true)
    expect(trace.deliveries.map(({ artifactId, value }) => [artifactId, `${value}`])).toEqual([
      [receipt.artifactId, amounts[0]],
    ])
    expect(await Array.fromAsync(numera.sources())).toMatchObject([
      { sourceId: source.sourceId, delivers: 'events' },
    ])
    expect(await numera.check(rows, options)).toMatchObject({ outcome: 'replayed', rowsAccepted: 3 })
    expect(
      await numera.check(new TextEncoder().encode('at,amount\n2026-01-10,x\n'), { shapeVersion: 1 }),
    ).toMatchObject({ outcome: 'accepted', rowsRefused: 1, refusals: [{ row: 1, field: 'amount' }] })
    expect(await numera.deliveries()).toMatchObject({
      deliveries: [{ artifactId: receipt.artifactId, state: 'parsed' }],
      more: false,
    })
    expect(await numera.source(source.sourceId)).toMatchObject({ shapeVersion: 1, eventTime: 'at' })
  },
)

test('a file in parts is stored once, however often it is sent, and adds up', async () => {
  const { numera } = await openShop('static')
  const line = `2026-01-10,0.1,SE,${'x'.repeat(2000)}\n`
  const count = 9000
  const file = new Blob([`at,amount,country,customer\n${line.repeat(count)}`])
  const send = () => Array.fromAsync(numera.pushFile(file, { key: 'history' }))
  const parts = await send()
  expect(parts.map(({ key }) => key.replace(/[0-9a-f]{12}$/, '…'))).toEqual([
    'history#1/…',
    'history#2/…',
    'history#3/…',
  ])
  expect((await send()).map(({ artifactId, replayed }) => ({ artifactId, replayed }))).toEqual(
    parts.map(({ artifactId }) => ({ artifactId, replayed: true })),
  )
  await worker.drain()
  const [sample] = await Array.fromAsync(numera.samples())
  expect(sample!.value.equals(Decimal.from('0.1').multiply(count))).toBe(true)
})

test('a large file is refused with one attempt, for a key that was used and for a paused source', async () => {
  const { numera, source } = await openShop('static')
  const send = (line: string, key: string) =>
    Array.fromAsync(numera.pushFile(new Blob([`at,amount,country\n${line.repeat(300_000)}`]), { key }))
  await send('2026-01-10,0.1,SE\n', 'january')
  await expect(send('2026-01-10,0.2,SE\n', 'january')).rejects.toMatchObject({
    name: 'KeyReused',
    attempts: 1,
  })
  await database.pool.query('update sources set paused_at = now() where source_id = $1', [source.sourceId])
  await expect(send('2026-02-10,0.1,SE\n', 'february')).rejects.toMatchObject({
    name: 'SourcePaused',
    attempts: 1,
  })
})

test('statements are not cut, because the service says what the source delivers', async () => {
  const { numera } = await openShop('static', 'statements')
  const file = new Blob([`at,amount,country\n${'2026-01-10,0.1,SE\n'.repeat(500_000)}`])
  await expect(Array.fromAsync(numera.pushFile(file, { key: 'january' }))).rejects.toThrow(/statements/)
})

test('a webhook is signed as the service verifies it', async () => {
  const { company, owner } = await openShop('static')
  const source = await seedWebhookSource(context, company.companyId)
  const receipt = await sendWebhook({
    url: `${baseUrl}/v1/webhooks/${source.sourceId}`,
    secret: source.signingSecret,
    deliveryId: keyFor('order', 1001),
    body: '{"order":"1001","at":"2026-01-10","amount":"5","country":"Åland"}',
    clock: {
      now: () => context.clock.now(),
      sleep: () => Promise.reject(new Error('no wait')),
      random: () => 0,
    },
  })
  expect(receipt.droppedKeys).toEqual(['order'])
  await worker.drain()
  const { credential } = await seedConnection(context, { company, owner, source })
  const reader = new Numera({ baseUrl, credential: credential! })
  expect(await reader.delivery(receipt.artifactId).parsed()).toMatchObject({ rowsAccepted: 1 })
})
