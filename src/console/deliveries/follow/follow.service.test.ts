import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { startPushScene, toFault } from '../../../../testing/in-process/scenes/push-scene.ts'
import { seedCompany, seedConnection, seedSource } from '../../../../testing/in-process/seed.ts'
import { storeDelivery } from '../../../../testing/in-process/store-delivery.ts'
import { startTestWorker } from '../../../../testing/in-process/test-worker.ts'

const scene = await startPushScene()
const { database, context, app, push } = scene
const { worker } = startTestWorker(scene)
const url = await app.listen({ port: 0, host: '127.0.0.1' })

interface Answer {
  deliveries: { artifact_id: string; state: string; rows_accepted: number | null }[]
  cursor: string
  more: boolean
}

const follow = (
  query: Record<string, string | number>,
  bearer = scene.connection.credential!,
  signal?: AbortSignal,
) =>
  fetch(`${url}/v1/deliveries?${new URLSearchParams(query as Record<string, string>)}`, {
    headers: { authorization: `Bearer ${bearer}` },
    ...(signal === undefined ? {} : { signal }),
  })
const list = async (query: Record<string, string | number> = {}): Promise<Answer> => {
  const answer = await follow(query)
  expect(answer.status).toBe(200)
  return (await answer.json()) as Answer
}
const pushed = async (key: string, options: Parameters<typeof push>[2] = {}): Promise<string> =>
  (await push(key, '[{"at":"2026-01-05","amount":"1"},{"at":"x"}]', options)).json().artifact_id
const states = ({ deliveries }: Answer) => deliveries.map(({ artifact_id, state }) => [artifact_id, state])
const getRefusal = async (query: Record<string, string>) => {
  const answer = await follow(query)
  const body = (await answer.json()) as { code: string; field?: string }
  return toFault({ statusCode: answer.status, json: () => body })
}
const source = () => ({ companyId: scene.seeded.company.companyId, sourceId: scene.source.sourceId })

test('Deliveries are listed in the order of receipt, and once more with their outcome', async () => {
  const ids = [await pushed('a'), await pushed('b'), await pushed('c')]
  const first = await list({ limit: 2 })
  expect(states(first)).toEqual([
    [ids[0], 'queued'],
    [ids[1], 'queued'],
  ])
  expect(first.more).toBe(true)
  const second = await list({ after: first.cursor })
  expect(states(second)).toEqual([[ids[2], 'queued']])
  expect(second.more).toBe(false)
  expect(await list({ after: second.cursor })).toMatchObject({ deliveries: [], more: false })
  await worker.drain()
  const outcomes = await list({ after: second.cursor })
  expect(states(outcomes)).toEqual(ids.map((id) => [id, 'parsed']))
  expect(outcomes.deliveries[0]).toMatchObject({
    source_id: scene.source.sourceId,
    rows_accepted: 1,
    rows_refused: 1,
  })
  expect((await list({ after: outcomes.cursor })).deliveries).toEqual([])
})

test('With a state only such deliveries are listed, each when it gets there', async () => {
  const id = await pushed('a')
  const none = await list({ state: 'parsed' })
  expect(none.deliveries).toEqual([])
  await worker.drain()
  expect(states(await list({ after: none.cursor, state: 'parsed' }))).toEqual([[id, 'parsed']])
  expect((await list({ after: none.cursor, state: 'unreadable' })).deliveries).toEqual([])
})

test('From now on: outcomes of what is queued, and what is received afterwards', async () => {
  await pushed('parsed')
  await worker.drain()
  const queued = await pushed('queued')
  const now = await list({ after: 'now' })
  expect(now.deliveries).toEqual([])
  const next = await pushed('next')
  await worker.drain()
  expect(states(await list({ after: now.cursor }))).toEqual([
    [queued, 'parsed'],
    [next, 'parsed'],
  ])
})

test('A delivery that commits after later ones were listed is listed all the same', async () => {
  const late = await database.pool.connect()
  await late.query('begin')
  const { artifactId } = await storeDelivery(late as never, source(), [{ at: '2026-01-05' }])
  const later = await pushed('later')
  const before = await list()
  expect(states(before)).toEqual([[later, 'queued']])
  const waiting = list({ after: before.cursor, wait: 10 })
  await sleep(100)
  await late.query('commit')
  late.release()
  expect(states(await waiting)).toEqual([
    [artifactId, 'queued'],
    [later, 'queued'],
  ])
})

test('While a hundred of those listed are queued no further one is, and none is left out', async () => {
  const ids: string[] = []
  for (let index = 0; index < 130; index++) ids.push(await pushed(`k${index}`))
  const first = await list({ limit: 200 })
  expect(first.deliveries).toHaveLength(100)
  expect(first.more).toBe(false)
  expect((await list({ after: first.cursor, limit: 200 })).deliveries).toEqual([])
  await worker.drain()
  const second = await list({ after: first.cursor, limit: 200 })
  expect(states(second)).toEqual(ids.map((id) => [id, 'parsed']))
})

test('Test deliveries are listed for a sandbox connection alone', async () => {
  const { credential } = await seedConnection(context, {
    ...scene.seeded,
    source: scene.source,
    kind: 'sandbox',
  })
  const id = await pushed('test', { bearer: credential! })
  expect((await list()).deliveries).toEqual([])
  const answer = await follow({}, credential!)
  expect(states((await answer.json()) as Answer)).toEqual([[id, 'queued']])
})

test('Bad parameters are 400 with their names, and a source of another company is 404', async () => {
  const bad = {
    after: ['', 'x', '1_0_1_'],
    wait: ['', '-1', '21', '1.5', 'x'],
    limit: ['0', '201', 'x'],
    state: ['', 'new'],
  }
  for (const [field, values] of Object.entries(bad)) {
    for (const value of values) {
      expect([value, await getRefusal({ [field]: value })]).toEqual([
        value,
        { status: 400, code: 'invalid_argument', field },
      ])
    }
  }
  expect(await getRefusal({ cursor: '1_0_' })).toMatchObject({ status: 400, field: 'cursor' })
  const other = await seedSource(context, (await seedCompany(context)).company.companyId, {})
  expect(await getRefusal({ source_id: other.sourceId })).toMatchObject({ status: 404, code: 'not_found' })
})

describe('A call that waits', () => {
  test('hears of a new delivery, and then of its outcome', async () => {
    const { cursor } = await list({ after: 'now' })
    const waiting = list({ after: cursor, wait: 15 })
    await sleep(200)
    const id = await pushed('a')
    const received = await waiting
    expect(states(received)).toEqual([[id, 'queued']])
    const outcome = list({ after: received.cursor, wait: 15 })
    await sleep(200)
    await worker.drain()
    expect(states(await outcome)).toEqual([[id, 'parsed']])
  })

  test('gets an empty answer when its time is over', async () => {
    const { cursor } = await list({ after: 'now' })
    const startedMs = performance.now()
    expect((await list({ after: cursor, wait: 1 })).deliveries).toEqual([])
    expect(performance.now() - startedMs).toBeGreaterThan(990)
  })

  test('gets 401 once its credential is revoked, and nothing of what came meanwhile', async () => {
    const { cursor } = await list({ after: 'now' })
    const waiting = follow({ after: cursor, wait: 15 })
    await sleep(200)
    const { connectionId } = scene.connection
    await pushed('a')
    await database.pool.query('update connections set revoked_at = now() where connection_id = $1', [
      connectionId,
    ])
    expect((await waiting).status).toBe(401)
  })

  test('is one of twenty for a connection; those of clients that have disconnected do not count', async () => {
    const { cursor } = await list({ after: 'now' })
    const gone = new AbortController()
    const calls = Array.from({ length: 21 }, () =>
      follow({ after: cursor, wait: 20 }, undefined, gone.signal),
    )
    const refused = await Promise.race(calls)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('1')
    gone.abort()
    await Promise.allSettled(calls)
    const statusOfNext = async () => (await follow({ after: cursor, wait: 1 })).status
    await expect.poll(statusOfNext, { timeout: 10_000 }).toBe(200)
  })
})

test('Calls that wait end when the process stops', async () => {
  const { otherApp } = scene
  const otherUrl = await otherApp.listen({ port: 0, host: '127.0.0.1' })
  const waiting = fetch(`${otherUrl}/v1/deliveries?after=now&wait=20`, {
    headers: { authorization: `Bearer ${scene.connection.credential}` },
  })
  await sleep(1_000)
  const startedMs = performance.now()
  await otherApp.close()
  expect((await waiting).status).toBe(200)
  expect(performance.now() - startedMs).toBeLessThan(3_000)
})
