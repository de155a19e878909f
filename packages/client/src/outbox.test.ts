import { mkdtemp, open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fault, type Received, startScriptedService, stored } from '../testing/scripted-service.ts'
import { CredentialRefused, InvalidKey, InvalidRow, KeyReused, PermissionDenied } from './index.ts'
import { OutboxFile } from './outbox-file.ts'
import { Outbox, OutboxDamaged, OutboxFull, OutboxInUse, OutboxLocked, OutboxVersion } from './outbox.ts'

let folder: string
let path: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'numera-outbox-'))
  path = join(folder, 'orders.outbox')
})
afterEach(() => rm(folder, { recursive: true }))

const row = (amount: bigint) => ({ at: '2026-11-22T09:30:00+01:00', amount })
const [first, second] = ['1', '2'].map((digit) => `0190a2b4-0000-7000-8000-00000000000${digit}`) as [
  string,
  string,
]
const named = (key: string, sourceId?: string) => ({ key, shapeVersion: 1, ...(sourceId && { sourceId }) })
const key = ({ body }: Received): string => JSON.parse(body).idempotency_key
const sourceOf = ({ path }: Received): string => path.split('source_id=')[1] ?? ''
const reopen = (bytes?: number) => new Outbox(path, bytes === undefined ? {} : { bytesMax: bytes })

test('what was put is sent by a later process, in sequence within a source', async () => {
  await using service = await startScriptedService(stored)
  const putting = new Outbox(path)
  await Promise.all(
    Array.from({ length: 50 }, (_, n) => {
      const rows = n % 3 === 0 ? Array.from({ length: 40 }, () => row(BigInt(n))) : row(BigInt(n))
      return putting.put(rows, named(`order:${n}`, n % 2 === 0 ? first : second))
    }),
  )
  await putting.close()

  await using outbox = new Outbox(path, { numera: service.client(), clock: service.clock })
  expect(outbox.status()).toMatchObject({ pending: 50, failed: 0 })
  await outbox.run(undefined, { untilEmpty: true })
  for (const [source, rest] of [
    [first, 0],
    [second, 1],
  ] as const) {
    expect(service.received.filter((call) => sourceOf(call) === source).map(key)).toEqual(
      Array.from({ length: 25 }, (_, n) => `order:${2 * n + rest}`),
    )
  }
  expect(outbox.status()).toEqual({ pending: 0, failed: 0, bytes: 0, paused: [] })
})

test('what is put while it runs is sent, and the signal ends it', async () => {
  await using service = await startScriptedService(stored)
  await using outbox = new Outbox(path, { numera: service.client(), clock: service.clock })
  const stop = new AbortController()
  const run = outbox.run(stop.signal)
  await outbox.put(row(1n), named('order:1'))
  await expect.poll(() => service.received.length).toBe(1)
  await expect.poll(() => outbox.status().pending).toBe(0)
  await using other = new Outbox(path)
  await other.put(row(2n), named('order:2'))
  await expect.poll(() => outbox.status().pending, { timeout: 5000 }).toBe(0)
  stop.abort()
  await run
  expect(service.received.map(key)).toEqual(['order:1', 'order:2'])
})

test('the same key with the same rows is one delivery, with other rows it is refused; sources have keys of their own', async () => {
  await using service = await startScriptedService(stored)
  await using outbox = new Outbox(path, { numera: service.client(), clock: service.clock })
  const refusal = expect(
    Promise.all([
      outbox.put(row(1n), named('order:1')),
      outbox.put(row(1n), named('order:1')),
      outbox.put(row(1n), named('order:1', first)),
      outbox.put(row(2n), named('order:1')),
    ]),
  ).rejects
  await refusal.toBeInstanceOf(KeyReused)
  await outbox.run(undefined, { untilEmpty: true })
  expect(service.received.map((call) => [key(call), sourceOf(call)])).toEqual(
    expect.arrayContaining([
      ['order:1', ''],
      ['order:1', first],
    ]),
  )
  expect(service.received).toHaveLength(2)
})

test('puts of the same moment share one commit, to one source as well', async () => {
  await using outbox = new Outbox(path)
  const logBytes = async () => (await stat(`${path}-wal`)).size
  await outbox.put(row(0n), named('order:0'))
  const before = await logBytes()
  await Promise.all(Array.from({ length: 100 }, (_, n) => outbox.put(row(1n), named(`order:${n + 1}`))))
  expect((await logBytes()) - before).toBeLessThan(100 * 4096)
})

test('rows and keys that cannot be sent are refused by `put`, and nothing is stored', async () => {
  await using outbox = new Outbox(path)
  await expect(outbox.put({ amount: 0.1 + 0.2 }, named('order:1'))).rejects.toThrow(InvalidRow)
  await expect(outbox.put(row(1n), named(crypto.randomUUID()))).rejects.toThrow(InvalidKey)
  expect(outbox.status().pending).toBe(0)
})

test('a refusal that is final is kept with its error and stops nothing else; it is sent again or discarded', async () => {
  await using service = await startScriptedService(({ body }) =>
    /order:[13]"/.test(body) ? fault(403, 'permission_denied') : stored,
  )
  await using outbox = new Outbox(path, { numera: service.client(), clock: service.clock })
  for (const n of [1, 2, 3]) await outbox.put(row(BigInt(n)), named(`order:${n}`))
  await outbox.run(undefined, { untilEmpty: true })
  expect(service.received.map(key)).toEqual(['order:1', 'order:2', 'order:3'])
  const failed = outbox.failed()
  expect(failed.map((one) => one.key)).toEqual(['order:1', 'order:3'])
  expect(failed[0]!.error).toBeInstanceOf(PermissionDenied)
  expect(failed[0]!.error).toMatchObject({ status: 403, requestId: 'r-1', attempts: 1 })
  expect(failed[0]!.failedAt).toEqual(new Date(service.clock.now()))

  expect(await outbox.discard('order:3')).toBe(true)
  expect(await outbox.discard('order:2')).toBe(false)
  expect(await outbox.retry('order:1', { sourceId: first })).toBe(false)
  expect(await outbox.retry('order:1')).toBe(true)
  service.replies = [stored]
  await outbox.run(undefined, { untilEmpty: true })
  expect(service.received.slice(3).map(key)).toEqual(['order:1'])
  expect(outbox.status()).toEqual({ pending: 0, failed: 0, bytes: 0, paused: [] })
})

test('a paused source keeps its rows until `resume`, and the others are sent', async () => {
  let isPaused = true
  const service = await startScriptedService((call) =>
    isPaused && sourceOf(call) === first ? fault(409, 'source_paused') : stored,
  )
  await using _ = service
  await using outbox = new Outbox(path, { numera: service.client(), clock: service.clock })
  for (const n of [1, 2]) {
    await outbox.put(row(1n), named(`order:${n}`, first))
    await outbox.put(row(1n), named(`order:${n}`, second))
  }
  const stop = new AbortController()
  const run = outbox.run(stop.signal)
  await expect.poll(() => outbox.status()).toMatchObject({ pending: 2, failed: 0, paused: [first] })
  isPaused = false
  outbox.resume(first)
  await expect.poll(() => outbox.status()).toMatchObject({ pending: 0, paused: [] })
  stop.abort()
  await run
  expect(service.received.filter((call) => sourceOf(call) === first).map(key)).toEqual([
    'order:1',
    'order:1',
    'order:2',
  ])
})

test('a refused credential ends `run` with that error, and everything is kept', async () => {
  await using service = await startScriptedService(fault(401, 'unauthenticated'))
  const credential = 'nsk_secret'
  const numera = service.client({}, { credential })
  await using outbox = new Outbox(path, { numera, clock: service.clock })
  await outbox.put(row(1n), named('order:1'))
  await expect(outbox.run()).rejects.toThrow(CredentialRefused)
  expect(outbox.status()).toMatchObject({ pending: 1, failed: 0 })
  for (const name of await readdir(folder)) {
    expect((await readFile(join(folder, name), 'latin1')).includes(credential)).toBe(false)
  }
})

test('without a network for months, or an answer that came, it sends the same bytes again', async () => {
  let calls = 0
  const months = 120 * 24 * 3_600_000
  await using service = await startScriptedService(() => {
    if (++calls > 300) return stored
    service.clock.advance(months / 300)
    return calls % 3 === 0 ? fault(429, 'rate_limited', { 'retry-after': '7200' }) : 'cut'
  })
  await using outbox = new Outbox(path, { numera: service.client(), clock: service.clock })
  await outbox.put([row(1n), row(2n)], named('order:1'))
  await outbox.run(undefined, { untilEmpty: true })
  expect(new Set(service.received.map(({ body }) => body)).size).toBe(1)
  expect(outbox.status()).toMatchObject({ pending: 0, failed: 0 })
})

describe('it never drops', () => {
  test('at the bound `put` throws, and there is space again for what was sent', async () => {
    await using service = await startScriptedService(stored)
    await using outbox = new Outbox(path, { numera: service.client(), clock: service.clock, bytesMax: 300 })
    await outbox.put(row(1n), named('order:1'))
    await outbox.put(row(2n), named('order:2'))
    await expect(outbox.put(row(3n), named('order:3'))).rejects.toThrow(OutboxFull)
    await outbox.put(row(2n), named('order:2'))
    await outbox.run(undefined, { untilEmpty: true })
    await outbox.put(row(3n), named('order:3'))
    expect(service.received.map(key)).toEqual(['order:1', 'order:2'])
  })

  // SQLite's own limit of pages gives the same error as a disk without space.
  test('on a full disk `put` throws, and what was put before is kept', async () => {
    const file = new OutboxFile(path)
    file.database.exec('pragma max_page_count = 60')
    const body = new Uint8Array(10_000)
    const kept: string[] = []
    const put = (name: string) => file.write(() => file.add({ sourceId: '', orgnr: '' }, name, body, 1e9))
    for (let n = 0; n < 40; n++) {
      const name = `order:${n}`
      const end = await put(name).then(
        () => kept.push(name),
        (error: unknown) => error,
      )
      if (typeof end !== 'number') expect(end).toBeInstanceOf(OutboxFull)
    }
    expect(kept.length).toBeGreaterThan(5)
    expect(kept.length).toBeLessThan(30)
    file.database.exec('pragma max_page_count = 10000')
    await put('order:40')
    await file.close()
    await using outbox = reopen()
    expect(outbox.status().pending).toBe(kept.length + 1)
  })
})

const prepare = async () => {
  const outbox = new Outbox(path)
  const text = 'x'.repeat(3000)
  await Promise.all(
    Array.from({ length: 200 }, (_, n) => outbox.put([row(BigInt(n)), { text }], named(`${n}`))),
  )
  await outbox.close()
}
const change = (sql: string): void => {
  const database = new DatabaseSync(path)
  database.exec(sql)
  database.close()
}
const overwrite = async (at: number, bytes: Buffer) => {
  const handle = await open(path, 'r+')
  await handle.write(bytes, 0, bytes.length, at)
  await handle.close()
}

describe('a file that cannot be used is said, and stays as it is', () => {
  test.each<[string, new (...args: never[]) => Error, () => Promise<unknown> | void]>([
    ['another version', OutboxVersion, () => change('pragma user_version = 2')],
    ['another program’s database', OutboxVersion, () => change('pragma application_id = 7')],
    ['no database', OutboxDamaged, () => writeFile(path, 'orders'.repeat(1000))],
    ['empty', OutboxDamaged, () => truncate(path, 0)],
    ['truncated to its first bytes', OutboxDamaged, () => truncate(path, 60)],
    ['truncated within a page', OutboxDamaged, () => truncate(path, 100_000)],
    ['truncated by a page', OutboxDamaged, async () => truncate(path, (await stat(path)).size - 4096)],
    ['overwritten in places', OutboxDamaged, () => overwrite(24_576, Buffer.alloc(20_000, 255))],
    [
      'missing beside its log',
      OutboxDamaged,
      async () => {
        await rm(path)
        await writeFile(`${path}-wal`, 'log')
      },
    ],
  ])('%s', async (_, ErrorClass, damage) => {
    await prepare()
    await damage()
    const before = await readFile(path).catch(() => undefined)
    expect(() => new Outbox(path)).toThrow(ErrorClass)
    expect(await readFile(path).catch(() => undefined)).toEqual(before)
  })

  test('rows that changed on the disk are not sent', async () => {
    await prepare()
    const text = await readFile(path)
    await overwrite(text.lastIndexOf('xxxxx'), Buffer.from('Q'))
    await using service = await startScriptedService(stored)
    await using outbox = new Outbox(path, { numera: service.client(), clock: service.clock })
    await expect(outbox.run()).rejects.toThrow(OutboxDamaged)
    for (const { body } of service.received) expect(body).not.toContain('Q')
  })

  test('one that another process keeps locked', async () => {
    const outbox = reopen()
    const database = new DatabaseSync(path)
    database.exec('begin immediate')
    const file = new OutboxFile(path)
    file.database.exec('pragma busy_timeout = 50')
    await expect(file.write(() => undefined)).rejects.toThrow(OutboxLocked)
    database.close()
    await outbox.put(row(1n), named('order:1'))
    await file.close()
    await outbox.close()
  })
})

test('one process sends from a file, and another follows it', async () => {
  await using service = await startScriptedService(stored)
  const options = { numera: service.client(), clock: service.clock }
  const stop = new AbortController()
  await using outbox = new Outbox(path, options)
  const run = outbox.run(stop.signal)
  await using other = new Outbox(path, options)
  await expect(other.run()).rejects.toThrow(OutboxInUse)
  const following = other.run(undefined, { standby: true, untilEmpty: true })
  stop.abort()
  await run
  await other.put(row(1n), named('order:1'))
  await following
  expect(service.received).toHaveLength(1)
})

test('only its owner can read the files', async () => {
  await using service = await startScriptedService(stored)
  await using outbox = new Outbox(path, { numera: service.client(), clock: service.clock })
  const run = outbox.run()
  await outbox.put(row(1n), named('order:1'))
  await expect.poll(() => outbox.status().pending).toBe(0)
  const names = await readdir(folder)
  expect(names.toSorted()).toEqual(['', '-shm', '-wal', '.sender'].map((end) => `orders.outbox${end}`))
  for (const name of names) expect((await stat(join(folder, name))).mode & 0o777, name).toBe(0o600)
  await outbox.close()
  await run
})
