import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, delivery, errorOf } from '../testing/process/call.ts'
import { type FaultScene, startFaultScene } from '../testing/faults/fault-scene.ts'
import { waitUntilRead } from '../testing/process/numera-api.ts'
import { openRaw, type RawConnection, statusesOf } from '../testing/process/raw-connection.ts'
import { startService } from '../testing/process/start-service.ts'

// Unforeseen faults of a deployment: an exception in the service, a database that dies or freezes.

let scene: FaultScene
beforeAll(async () => {
  scene = await startFaultScene()
})
afterAll(async () => {
  await scene?.[Symbol.asyncDispose]()
})

const send = async (signal: NodeJS.Signals): Promise<void> => {
  // During the first round the postmaster may start one more; stopped, it starts none.
  for (let times = 0; times < 2; times++) {
    for (const pid of await scene.databaseProcesses()) {
      try {
        process.kill(pid, signal)
      } catch (error) {
        // One that was listed may have ended by itself.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
      }
    }
  }
}

/** Sends the head of a push, for whose body the service then waits. */
const begin = async (key: string): Promise<{ raw: RawConnection; body: string }> => {
  const { service, connection } = scene
  const body = JSON.stringify(delivery([{ at: '2026-01-15', amount: '1' }], { idempotency_key: key }))
  const raw = await openRaw(service.url)
  raw.send(
    `POST /v1/ingest HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${connection.credential}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
  )
  expect(statusesOf(await raw.untilAnswers(1))).toEqual([100])
  return { raw, body }
}

/** That nothing catches: thrown, or of a promise. */
test.each(['exception', 'rejection'])(
  'An unforeseen %s is logged, calls in progress get 500, and the service restarts without its database',
  async (kind) => {
    const { service, connection, push, isReady, untilReady, postmaster } = scene
    const key = `before-${kind}`
    const before = await push(key)
    expect(before.status).toBe(202)
    const { pid } = service.process()
    const database = await postmaster()

    // In progress at that moment: a push, a token request, and the call that causes the fault.
    const body = JSON.stringify(delivery({ at: '2026-01-15T12:00:00+01:00', amount: '1' }))
    const pushing = await openRaw(service.url)
    pushing.send(
      `POST /v1/ingest HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${connection.credential}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
    )
    await pushing.untilAnswers(1)
    const requesting = await openRaw(service.url)
    requesting.send(
      'POST /oauth/token HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\n' +
        'Content-Length: 9\r\n\r\ngrant',
    )
    // A later call has been answered, so both have arrived.
    expect(await isReady()).toBe(true)
    const fault = await call(`${service.url}/test/fault`, { method: 'POST', body: { kind } })
    expect(errorOf(fault)).toEqual({ status: 500, code: 'internal' })
    const [pushed, requested] = await Promise.all([pushing.untilClosed(), requesting.untilClosed()])
    expect(statusesOf(pushed).at(-1)).toBe(500)
    expect(pushed).toContain('"code":"internal"')
    expect(statusesOf(requested)).toEqual([500])
    expect(requested).toContain('"error":"server_error"')
    expect(requested).toMatch(/\r\nX-Request-Id: \S+\r\n/)

    await untilReady(true)
    expect(service.process().exitCode).toBe(null)
    expect(service.process().pid).toBe(pid)
    expect(await postmaster()).toBe(database)
    const log = service.output()
    expect(log).toContain('a fault that a test requested')
    expect(log).toContain(fault.headers.get('x-request-id'))
    expect(log).toContain(`taking over the database that this process had started (process ${database})`)

    const again = await push(key)
    expect(again.status).toBe(202)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.body.artifact_id).toBe(before.body.artifact_id)
    const after = await push(`after-${kind}`)
    expect(after.status).toBe(202)
    await waitUntilRead(service.url, connection.credential, after.body.artifact_id)
  },
)

test('Faults can be requested only where the clock can be moved', async () => {
  await using other = await startService({ words: ['serve', '--no-worker'] })
  const answer = await call(`${other.url}/test/fault`, { method: 'POST', body: { kind: 'exception' } })
  expect(errorOf(answer)).toEqual({ status: 404, code: 'not_found' })
})

describe('After an unforeseen exception the database', () => {
  test('is restarted when it dies, and ends with the service', async () => {
    const { service, push, untilReady, postmaster, databaseProcesses } = scene
    await call(`${service.url}/test/fault`, { method: 'POST', body: { kind: 'exception' } })
    await untilReady(true)
    const adopted = await postmaster()
    expect(service.output()).toContain(
      `taking over the database that this process had started (process ${adopted})`,
    )
    process.kill(adopted, 'SIGKILL')
    for (let tries = 0; (await postmaster().catch(() => adopted)) === adopted; tries++) {
      if (tries > 400) throw new Error('waited in vain')
      await sleep(50)
    }
    // Readiness is cached for half a second.
    await sleep(500)
    await untilReady(true)
    expect((await push('after-its-death')).status).toBe(202)
    expect(await service.stop()).toBe(0)
    expect(await databaseProcesses()).toEqual([])
    await service.start()
    expect((await push('after-its-death')).headers.get('idempotent-replayed')).toBe('true')
  })
})

describe('A frozen database', () => {
  test('means 503 with Retry-After within ten seconds until it continues, and loses nothing', async () => {
    const { service, push, untilReady, connection } = scene
    expect((await push('warm')).status).toBe(202)
    await send('SIGSTOP')
    try {
      const startedMs = performance.now()
      const answers = await Promise.all([
        ...Array.from({ length: 20 }, (_, index) => push(`frozen-${index}`)),
        call(`${service.url}/v1/samples`, { credential: connection.credential }),
      ])
      // Ten seconds, and a margin for a busy machine.
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

  test('lets the service stop, and every delivery with a 202 is there afterwards', async () => {
    const { service, push, databaseProcesses } = scene
    const before = await push('before-the-stop')
    expect(before.status).toBe(202)
    const underWay = await Promise.all(['under-way', 'under-way-too'].map(begin))
    await send('SIGSTOP')
    const frozen = await databaseProcesses()
    try {
      for (const { raw, body } of underWay) raw.send(body)
      const child = service.process()
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      const startedMs = performance.now()
      await ended
      expect(performance.now() - startedMs).toBeLessThan(32_000)
      for (const { raw } of underWay) expect(statusesOf(await raw.untilClosed())).toEqual([100, 503])
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
  })
})
