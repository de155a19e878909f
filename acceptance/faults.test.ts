import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, delivery, errorOf } from '../testing/process/call.ts'
import { type FaultScene, startFaultScene } from '../testing/faults/fault-scene.ts'
import { waitUntilRead } from '../testing/process/numera-api.ts'
import { openRaw, statusesOf } from '../testing/process/raw-connection.ts'
import { startService } from '../testing/process/start-service.ts'

// Unforeseen faults of a deployment: an exception in the service.

const row = { at: '2026-01-15T12:00:00+01:00', amount: '1' }

let scene: FaultScene
beforeAll(async () => {
  scene = await startFaultScene()
})
afterAll(async () => {
  await scene?.[Symbol.asyncDispose]()
})

describe('An unforeseen exception', () => {
  for (const kind of ['exception', 'rejection'] as const) {
    test(`(${kind}) is logged, what is under way gets 500, and the service restarts with its database left running`, async () => {
      const { service, connection, push, isReady, untilReady, postmaster } = scene
      const key = `before-${kind}`
      const before = await push(key)
      expect(before.status).toBe(202)
      const { pid } = service.process()
      const database = await postmaster()

      // Under way at that moment: a push, a token request, and the call that makes the fault.
      const body = JSON.stringify(delivery(row))
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
    })
  }

  test('can be asked for only where the clock can be moved', async () => {
    await using other = await startService({ words: ['serve', '--no-worker'] })
    const answer = await call(`${other.url}/test/fault`, { method: 'POST', body: { kind: 'exception' } })
    expect(errorOf(answer)).toEqual({ status: 404, code: 'not_found' })
  })
})
