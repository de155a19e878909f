import { expect, test } from 'vitest'
import { call, delivery, errorOf } from '../testing/process/call.ts'
import type { FaultScene } from '../testing/faults/fault-scene.ts'
import { waitUntilRead } from '../testing/process/numera-api.ts'
import { openRaw, statusesOf } from '../testing/process/raw-connection.ts'

const row = { at: '2026-01-15T12:00:00+01:00', amount: '1' }

/** An exception in the service that nothing catches, thrown or as the rejection of a promise. */
export const testUnforeseen = (kind: 'exception' | 'rejection', scene: () => FaultScene): void => {
  test(`An unforeseen ${kind} is logged, calls in progress get 500, and the service restarts without its database`, async () => {
    const { service, connection, push, isReady, untilReady, postmaster } = scene()
    const key = `before-${kind}`
    const before = await push(key)
    expect(before.status).toBe(202)
    const { pid } = service.process()
    const database = await postmaster()

    // In progress at that moment: a push, a token request, and the call that causes the fault.
    const body = JSON.stringify(delivery(row))
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
  })
}
