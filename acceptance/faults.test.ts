import { once } from 'node:events'
import { readdir, readFile, readlink, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, delivery, errorOf, ingest } from './call.ts'
import { waitUntilRead } from './numera-api.ts'
import { openRaw, statusesOf } from './raw-connection.ts'
import { type Service, startService } from './service.ts'
import { type Connection, openShop, type Shop } from './shop.ts'

// What a deployment meets that nobody foresaw: an exception of ours, a database that stands still.

const at = '2026-01-15T12:00:00+01:00'

let service: Service
let shop: Shop
let connection: Connection
beforeAll(async () => {
  service = await startService({
    environment: { NUMERA_RATE_PER_MINUTE: '100000', NUMERA_RATE_BURST: '100000' },
  })
  shop = await openShop(service)
  connection = await shop.connect({ source_id: await shop.makeSource() })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

const push = (key: string) =>
  ingest(service.url, connection.credential, delivery({ at, amount: '1' }, { idempotency_key: key }))

const isReady = async (): Promise<boolean> => {
  const answer = await call(`${service.url}/health/ready`).catch(() => undefined)
  return answer?.status === 200
}

const untilReady = async (wanted: boolean): Promise<void> => {
  for (let tries = 0; (await isReady()) !== wanted; tries++) {
    if (tries > 400) throw new Error('waited in vain')
    await sleep(50)
  }
}

const postmaster = async (): Promise<number> =>
  Number((await readFile(join(service.dataFolder, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0])

/** Every process of the database: each works in its folder. */
const databaseProcesses = async (): Promise<number[]> => {
  const cluster = await realpath(join(service.dataFolder, 'postgres'))
  const found: number[] = []
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    if ((await readlink(`/proc/${entry}/cwd`).catch(() => '')) === cluster) found.push(Number(entry))
  }
  return found
}

const send = async (signal: NodeJS.Signals): Promise<void> => {
  for (const pid of await databaseProcesses()) process.kill(pid, signal)
}

// What stops, kills or looks for the database's processes is left out where DATABASE_URL names a server of somebody else's:
// it is not this test's to stop, and the service does not keep it running.

describe('An exception that nobody foresaw', () => {
  for (const kind of ['exception', 'rejection'] as const) {
    test(`(${kind}) is logged, what is under way gets 500, and the service starts anew beside its database`, async (context) => {
      if (!service.isDatabaseOwn) context.skip()
      const key = `before-${kind}`
      const before = await push(key)
      expect(before.status).toBe(202)
      const { pid } = service.process()
      const database = await postmaster()

      // Under way at that moment: a push, a token request, and the call that makes the fault.
      const body = JSON.stringify(delivery({ at, amount: '1' }))
      const pushing = await openRaw(service.url)
      pushing.send(
        `POST /v1/ingest HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${connection.credential}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
      )
      await pushing.untilAnswers(1)
      const asking = await openRaw(service.url)
      asking.send(
        'POST /oauth/token HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\n' +
          'Content-Length: 9\r\n\r\ngrant',
      )
      // A call behind it on the same machine has been answered: those two have arrived.
      expect(await isReady()).toBe(true)
      const fault = await call(`${service.url}/test/fault`, { method: 'POST', body: { kind } })
      expect(errorOf(fault)).toEqual({ status: 500, code: 'internal' })
      const [pushed, asked] = await Promise.all([pushing.untilClosed(), asking.untilClosed()])
      expect(statusesOf(pushed).at(-1)).toBe(500)
      expect(pushed).toContain('"code":"internal"')
      expect(statusesOf(asked)).toEqual([500])
      expect(asked).toContain('"error":"server_error"')
      expect(asked).toMatch(/\r\nX-Request-Id: \S+\r\n/)

      await untilReady(true)
      expect(service.process().exitCode).toBe(null)
      expect(service.process().pid).toBe(pid)
      expect(await postmaster()).toBe(database)
      const log = service.output()
      expect(log).toContain('a fault that a test asked for')
      expect(log).toContain(fault.headers.get('x-request-id'))
      expect(log).toContain(`taking over the database that this process had started (process ${database})`)

      const again = await push(key)
      expect(again.status).toBe(202)
      expect(again.headers.get('idempotent-replayed')).toBe('true')
      expect(again.body.artifact_id).toBe(before.body.artifact_id)
      const after = await push(`after-${kind}`)
      expect(after.status).toBe(202)
      await waitUntilRead(service.url, connection.credential, after.body.artifact_id)
    })
  }

  test('can be asked for only where the clock can be moved', async () => {
    await using other = await startService({ words: ['serve', '--no-worker'] })
    const answer = await call(`${other.url}/test/fault`, { method: 'POST', body: { kind: 'exception' } })
    expect(errorOf(answer)).toEqual({ status: 404, code: 'not_found' })
  })

  test('leaves a database that is started anew when it dies, and that ends with the service', async (context) => {
    if (!service.isDatabaseOwn) context.skip()
    const adopted = await postmaster()
    process.kill(adopted, 'SIGKILL')
    for (let tries = 0; (await postmaster().catch(() => adopted)) === adopted; tries++) {
      if (tries > 400) throw new Error('waited in vain')
      await sleep(50)
    }
    await untilReady(true)
    expect((await push('after-its-death')).status).toBe(202)
    expect(await service.stop()).toBe(0)
    expect(await databaseProcesses()).toEqual([])
    await service.start()
    expect((await push('after-its-death')).headers.get('idempotent-replayed')).toBe('true')
  })
})

describe('A database that stands still', () => {
  test('is 503 with Retry-After within ten seconds, not ready, and goes on where it stood', async (context) => {
    if (!service.isDatabaseOwn) context.skip()
    expect((await push('warm')).status).toBe(202)
    await send('SIGSTOP')
    try {
      const startedMs = performance.now()
      const answers = await Promise.all([
        ...Array.from({ length: 20 }, (_, index) => push(`frozen-${index}`)),
        call(`${service.url}/v1/samples`, { credential: connection.credential }),
      ])
      // Ten seconds, and something for a machine that does other things.
      expect(performance.now() - startedMs).toBeLessThan(15_000)
      for (const answer of answers) {
        expect(errorOf(answer)).toEqual({ status: 503, code: 'internal' })
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
      }
      await untilReady(false)
    } finally {
      await send('SIGCONT')
    }
    await untilReady(true)
    const again = await Promise.all(Array.from({ length: 20 }, (_, index) => push(`frozen-${index}`)))
    expect(again.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 202))
    expect(new Set(again.map(({ body }) => body.artifact_id)).size).toBe(20)
    const third = await Promise.all(Array.from({ length: 20 }, (_, index) => push(`frozen-${index}`)))
    expect(third.map(({ body }) => body.artifact_id)).toEqual(again.map(({ body }) => body.artifact_id))
  })

  test('does not keep the service from stopping, and what was answered with 202 is there afterwards', async (context) => {
    if (!service.isDatabaseOwn) context.skip()
    const before = await push('before-the-stop')
    expect(before.status).toBe(202)
    await send('SIGSTOP')
    const frozen = await databaseProcesses()
    try {
      const answers = [push('under-way'), push('under-way-too')]
      await sleep(200)
      const child = service.process()
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      const startedMs = performance.now()
      await ended
      expect(performance.now() - startedMs).toBeLessThan(32_000)
      for (const answer of await Promise.all(answers)) expect(answer.status).toBe(503)
    } finally {
      for (const pid of frozen) {
        try {
          process.kill(pid, 'SIGCONT')
        } catch {
          // Gone with the service.
        }
      }
    }
    await service.start()
    const again = await push('before-the-stop')
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.body.artifact_id).toBe(before.body.artifact_id)
  }, 90_000)
})
