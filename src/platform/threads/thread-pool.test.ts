import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, expect, test } from 'vitest'
import { OverloadedError } from '../database/overloaded-error.ts'
import { createThreadPool } from './thread-pool.ts'

const folder = await mkdtemp(join(tmpdir(), 'numera-threads-'))
afterAll(() => rm(folder, { recursive: true }))
const module = pathToFileURL(join(folder, 'thread.mjs'))
await writeFile(
  module,
  `export const size = (bytes) => bytes.length
  export const spin = () => { for (;;); }
  export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
  export const grow = () => { const all = []; for (;;) all.push(new Array(1e5).fill({})) }`,
)
interface Module {
  [name: string]: (task: never) => unknown
  size: (bytes: Uint8Array) => number
  spin: (task: null) => void
  sleep: (ms: number) => void
  grow: (task: null) => void
}

let opened = new AsyncDisposableStack()
const open = (options: Partial<Parameters<typeof createThreadPool>[1]> = {}) =>
  opened.adopt(createThreadPool<Module>(module, { threadsMax: 1, ...options }), (pool) => pool.close())
afterEach(async () => {
  await opened.disposeAsync()
  opened = new AsyncDisposableStack()
})

test('bytes that are moved to a thread are gone afterwards, others are copied', async () => {
  const pool = open()
  const [copied, moved] = [new Uint8Array(3), new Uint8Array(3)]
  expect(await pool.run('size', copied)).toBe(3)
  expect(await pool.run('size', moved, [moved])).toBe(3)
  expect([copied.length, moved.length]).toEqual([3, 0])
})

test('a task that takes too long is given up, and the next one gets a new thread', async () => {
  const pool = open({ msMax: 1_500 })
  await expect(pool.run('spin', null)).rejects.toThrow(OverloadedError)
  expect(await pool.run('size', new Uint8Array(2))).toBe(2)
})

test('a task that needs too much memory fails alone', async () => {
  const pool = open({ resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 32 } })
  await expect(pool.run('grow', null)).rejects.toMatchObject({ code: 'ERR_WORKER_OUT_OF_MEMORY' })
  expect(await pool.run('size', new Uint8Array(2))).toBe(2)
})

test('more tasks than may wait are refused', async () => {
  const pool = open({ waitingMax: 2 })
  await pool.run('sleep', 0)
  const running = [0, 1, 2].map(() => pool.run('sleep', 50))
  expect(pool.waiting).toBe(2)
  await expect(pool.run('sleep', 0)).rejects.toThrow(OverloadedError)
  await Promise.all(running)
})

test('companies take turns, one piece of work of each at a time', async () => {
  const pool = open({ threadsMax: 2, companyWaitingMax: 2 })
  const order: string[] = []
  const work = (company: string) =>
    pool.inTurn(company, async () => {
      order.push(company)
      await pool.run('sleep', 5)
    })
  const busy = [0, 1, 2].map(() => work('busy'))
  await expect(work('busy')).rejects.toThrow(OverloadedError)
  await Promise.all([...busy, work('other')])
  expect(order).toEqual(['busy', 'other', 'busy', 'busy'])
})
