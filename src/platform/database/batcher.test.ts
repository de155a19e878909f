import { setImmediate as nextTurn } from 'node:timers/promises'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createBatcher } from './batcher.ts'
import { OverloadedError } from './overloaded-error.ts'

/** Batches that wait until the test lets them go. */
const createGate = () => {
  const batches: number[][] = []
  const letGo: (() => void)[] = []
  const run = (items: number[]): Promise<string[]> => {
    batches.push(items)
    return new Promise((resolve) => letGo.push(() => resolve(items.map(String))))
  }
  return { batches, letGo, run }
}

const away = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
const wrongData = Object.assign(new Error('invalid input'), { code: '22P02' })

test('Calls of one turn go together, and each gets its own result', async () => {
  const batches: number[][] = []
  const batcher = createBatcher<number, string>({
    run: async (items) => {
      batches.push(items)
      return items.map(String)
    },
    itemsMax: 10,
  })
  expect(await Promise.all([1, 2, 3].map(batcher.submit))).toEqual(['1', '2', '3'])
  expect(batches).toEqual([[1, 2, 3]])
})

test('While two batches are under way, calls gather for the next one', async () => {
  const { batches, letGo, run } = createGate()
  const batcher = createBatcher({ run, itemsMax: 10 })
  const results: Promise<string>[] = []
  for (const item of [1, 2, 3, 4, 5]) {
    results.push(batcher.submit(item))
    await nextTurn()
    await nextTurn()
  }
  expect(batches).toEqual([[1], [2]])
  expect(batcher.waiting).toBe(3)
  letGo[1]!()
  expect(await results[1]).toBe('2')
  await nextTurn()
  await nextTurn()
  expect(batches).toEqual([[1], [2], [3, 4, 5]])
  letGo[0]!()
  letGo[2]!()
  expect(await Promise.all(results)).toEqual(['1', '2', '3', '4', '5'])
})

test('A batch is bounded in items and in bytes, and a large item goes alone', async () => {
  const batches: number[][] = []
  const batcher = createBatcher<number, number>({
    run: async (items) => {
      batches.push(items)
      return items
    },
    itemsMax: 3,
    bytesMax: 100,
    getSize: (item) => item,
    concurrencyMax: 1,
  })
  await Promise.all([1, 1, 1, 1, 500, 60, 40, 1].map(batcher.submit))
  expect(batches).toEqual([[1, 1, 1], [1], [500], [60, 40], [1]])
})

test('An item at fault fails alone', async () => {
  const batcher = createBatcher<number, number>({
    run: async (items) => {
      if (items.includes(13)) throw wrongData
      return items
    },
    itemsMax: 100,
  })
  const settled = await Promise.allSettled([11, 12, 13, 14, 15].map(batcher.submit))
  expect(settled.map((outcome) => outcome.status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
  ])
})

test.for([away, Object.assign(new Error('disk full'), { code: '53100' })])(
  'When the database is unavailable a batch fails whole, without another try',
  async (fault) => {
    let runs = 0
    const batcher = createBatcher<number, number>({
      run: async () => {
        runs++
        throw fault
      },
      itemsMax: 100,
    })
    const settled = await Promise.allSettled([1, 2, 3].map(batcher.submit))
    expect(settled).toEqual([1, 2, 3].map(() => ({ status: 'rejected', reason: fault })))
    expect(runs).toBe(1)
  },
)

test('Items beyond those that may wait are rejected immediately', async () => {
  const { letGo, run } = createGate()
  const batcher = createBatcher({ run, itemsMax: 1, concurrencyMax: 1, queueMax: 2 })
  const taken = [batcher.submit(1), batcher.submit(2), batcher.submit(3)]
  await expect(batcher.submit(4)).rejects.toThrow(OverloadedError)
  for (let batch = 0; batch < 3; batch++) {
    await nextTurn()
    letGo[batch]!()
    await nextTurn()
  }
  expect(await Promise.all(taken)).toEqual(['1', '2', '3'])
})

test('A full batch starts immediately, and the rest gathers', async () => {
  const { batches, run } = createGate()
  const batcher = createBatcher({ run, itemsMax: 2 })
  // They never settle here; their rejections come while another test may be running.
  for (const item of [1, 2, 3]) void batcher.submit(item).catch(() => {})
  expect(batches).toEqual([[1, 2]])
  await nextTurn()
  await nextTurn()
  expect(batches).toEqual([[1, 2], [3]])
})

test('The results of a batch are delivered in order, some in each turn, while the next one is under way', async () => {
  const { batches, letGo, run } = createGate()
  const batcher = createBatcher({ run, itemsMax: 100, concurrencyMax: 1 })
  const given: string[] = []
  const items = Array.from({ length: 150 }, (_, item) => item)
  const settled = items.map((item) => batcher.submit(item).then((result) => given.push(result)))
  letGo[0]!()
  await Promise.race(settled)
  const first = given.length
  expect(first).toBeGreaterThan(0)
  expect(first).toBeLessThan(100)
  await nextTurn()
  await nextTurn()
  expect(batches.map((batch) => batch.length)).toEqual([100, 50])
  expect(given.length).toBeGreaterThan(first)
  letGo[1]!()
  await Promise.all(settled)
  expect(given.filter((result) => Number(result) < 100)).toEqual(items.slice(0, 100).map(String))
  expect(given.length).toBe(150)
})

test('Every run is reported, with its size', async () => {
  const told: object[] = []
  const batcher = createBatcher<number, number>({
    run: async (items) => items,
    itemsMax: 2,
    bytesMax: 100,
    getSize: () => 7,
    onBatch: ({ items, bytes, failed }) => told.push({ items, bytes, failed }),
  })
  await Promise.all([1, 2, 3].map(batcher.submit))
  expect(told).toEqual([
    { items: 2, bytes: 14, failed: false },
    { items: 1, bytes: 7, failed: false },
  ])
})

test('Any items at any time, any of them at fault: each settles once, with its own outcome', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ bytes: fc.nat(50), bad: fc.boolean(), pause: fc.boolean() }), { maxLength: 60 }),
      fc.integer({ min: 1, max: 8 }),
      fc.integer({ min: 1, max: 3 }),
      async (plan, itemsMax, concurrencyMax) => {
        let running = 0
        const stored: number[] = []
        const batcher = createBatcher<number, number>({
          run: async (items) => {
            expect(++running).toBeLessThanOrEqual(concurrencyMax)
            expect(items.length).toBeLessThanOrEqual(itemsMax)
            const bytes = items.reduce((sum, item) => sum + plan[item]!.bytes, 0)
            if (items.length > 1) expect(bytes).toBeLessThanOrEqual(60)
            await nextTurn()
            running--
            if (items.some((item) => plan[item]!.bad)) throw wrongData
            stored.push(...items)
            return items
          },
          itemsMax,
          concurrencyMax,
          bytesMax: 60,
          getSize: (item) => plan[item]!.bytes,
        })
        const outcomes: Promise<PromiseSettledResult<number>[]>[] = []
        for (const [item, { pause }] of plan.entries()) {
          outcomes.push(Promise.allSettled([batcher.submit(item)]))
          if (pause) await nextTurn()
        }
        const settled = (await Promise.all(outcomes)).flat()
        expect(settled.map((one) => one.status === 'fulfilled' && one.value)).toEqual(
          plan.map(({ bad }, item) => !bad && item),
        )
        expect(stored.toSorted((a, b) => a - b)).toEqual([...plan.keys()].filter((item) => !plan[item]!.bad))
      },
    ),
    { numRuns: 60 },
  ))

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await nextTurn()
}

const outcome = (result: Promise<string>): Promise<string> =>
  result.then(
    () => 'done',
    (error: unknown) => (error as Error).name,
  )

describe('An item that has no result in time', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  test('is rejected while it waits and while its batch is under way, and no later one with it', async () => {
    const { letGo, run, batches } = createGate()
    const batcher = createBatcher({ run, itemsMax: 1, concurrencyMax: 1, itemMsMax: 1_000 })
    const underWay = outcome(batcher.submit(1))
    const waiting = outcome(batcher.submit(2))
    await turns()
    vi.advanceTimersByTime(500)
    const later = outcome(batcher.submit(3))
    await turns()
    vi.advanceTimersByTime(1_000)
    expect(await Promise.all([underWay, waiting])).toEqual(['DeadlineError', 'DeadlineError'])
    expect(batcher.waiting).toBe(1)

    letGo[0]!()
    await turns()
    letGo[1]!()
    expect(await later).toBe('done')
    // An item that was given up while it waited is never run.
    expect(batches).toEqual([[1], [3]])
  })

  test('is waited for once it is under way, if sending it again would not be safe', async () => {
    const { letGo, run } = createGate()
    const limits = { itemsMax: 1, concurrencyMax: 1, itemMsMax: 1_000 }
    const batcher = createBatcher({ run, ...limits, waitsOut: true })
    const underWay = outcome(batcher.submit(1))
    const waiting = outcome(batcher.submit(2))
    await turns()
    for (let passed = 0; passed < 10; passed++) vi.advanceTimersByTime(500)
    expect(await waiting).toBe('DeadlineError')
    letGo[0]!()
    expect(await underWay).toBe('done')
  })

  test('is not rejected before its time', async () => {
    const { letGo, run } = createGate()
    const batcher = createBatcher({ run, itemsMax: 1, itemMsMax: 1_000 })
    const result = outcome(batcher.submit(1))
    await turns()
    vi.advanceTimersByTime(1_000)
    letGo[0]!()
    expect(await result).toBe('done')
  })

  test('costs no timer while nothing waits', async () => {
    const batcher = createBatcher<number, number>({ run: async (items) => items, itemsMax: 10 })
    await batcher.submit(1)
    await turns()
    vi.runOnlyPendingTimers()
    expect(vi.getTimerCount()).toBe(0)
  })
})
