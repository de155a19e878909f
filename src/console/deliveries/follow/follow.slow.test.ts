import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startPushScene } from '../../../../testing/in-process/scenes/push-scene.ts'
import { seedConnection } from '../../../../testing/in-process/seed.ts'

const scene = await startPushScene()
const { database, context, app, push } = scene
const url = await app.listen({ port: 0, host: '127.0.0.1' })

/** Costs less than `fetch` where there are hundreds. */
const getText = (query: string, bearer: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${bearer}` }
    get(`${url}/v1/deliveries?${query}`, { agent: false, headers }, (answer) => {
      let text = ''
      answer.on('data', (part: Buffer) => (text += part.toString()))
      answer.on('end', () => resolve(text))
    }).on('error', reject)
  })

test('500 calls that wait hold no connection of the database, and hear within two seconds', async () => {
  const credentials: string[] = []
  for (let index = 0; index < 25; index++) {
    const { credential } = await seedConnection(context, { ...scene.seeded, source: scene.source })
    credentials.push(credential!)
  }
  const { cursor } = JSON.parse(await getText('after=now', credentials[0]!)) as { cursor: string }
  let answered = 0
  const waiting = Array.from({ length: 500 }, async (_, index) => {
    const text = await getText(`after=${cursor}&wait=20`, credentials[index % 25]!)
    answered++
    return { text, atMs: performance.now() }
  })
  await sleep(4_000)
  expect(answered).toBe(0)
  // But for a look a second, none does anything.
  const busy = `select count(*)::int4 as busy from pg_stat_activity where datname = current_database()
    and pid <> pg_backend_pid() and backend_type = 'client backend' and state <> 'idle'`
  await expect.poll(async () => (await database.pool.query(busy)).rows[0].busy).toBe(0)
  const receipt = await push('a', '[]')
  const committedMs = performance.now()
  const heard = await Promise.all(waiting)
  const deliveries = [expect.objectContaining({ artifact_id: receipt.json().artifact_id, state: 'queued' })]
  for (const { text } of heard) expect(JSON.parse(text)).toMatchObject({ deliveries, more: false })
  expect(Math.max(...heard.map(({ atMs }) => atMs)) - committedMs).toBeLessThan(2_000)
})
