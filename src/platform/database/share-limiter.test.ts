import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { OverloadedError } from './overloaded-error.ts'
import { callerWaitingMax, createShareLimiter } from './share-limiter.ts'

/** Reads that end when the test says so, in the order in which they began. */
const createReads = () => {
  const begun: { name: string; end: () => void }[] = []
  return {
    begun,
    names: () => begun.map(({ name }) => name),
    read: (name: string) => (): Promise<string> =>
      new Promise((resolve) => {
        begun.push({ name, end: () => resolve(name) })
      }),
  }
}

test('one company uses at most its share concurrently, and another company’s read begins meanwhile', async () => {
  const limit = createShareLimiter({ runningMax: 4, callerRunningMax: 2 })
  const { begun, names, read } = createReads()
  const all = ['a1', 'a2', 'a3', 'a4'].map((name) => limit('a', read(name)))
  expect(names()).toEqual(['a1', 'a2'])
  all.push(limit('b', read('b1')))
  expect(names()).toEqual(['a1', 'a2', 'b1'])
  begun[0]!.end()
  await nextTurn()
  expect(names()).toEqual(['a1', 'a2', 'b1', 'a3'])
  for (let ended = 1; ended < 5; ended++) {
    begun[ended]!.end()
    await nextTurn()
  }
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1'])
})

test('companies that wait take turns, with any number of reads of one of them', async () => {
  const limit = createShareLimiter({ runningMax: 1, callerRunningMax: 1 })
  const { begun, names, read } = createReads()
  const all = Array.from({ length: 20 }, (_, index) => limit('a', read(`a${index}`)))
  all.push(limit('b', read('b0')), limit('b', read('b1')), limit('c', read('c0')))
  for (let ended = 0; ended < 23; ended++) {
    begun[ended]!.end()
    await nextTurn()
  }
  await Promise.all(all)
  expect(names().slice(0, 7)).toEqual(['a0', 'a1', 'b0', 'c0', 'a2', 'b1', 'a3'])
})

test('a read that does not get its turn in time is turned away, and nothing of it is done', async () => {
  const limit = createShareLimiter({ runningMax: 1, callerRunningMax: 1, waitMsMax: 10 })
  const { begun, names, read } = createReads()
  const first = limit('a', read('a0'))
  await expect(limit('a', read('a1'))).rejects.toThrow(OverloadedError)
  await expect(limit('b', read('b0'))).rejects.toThrow(OverloadedError)
  begun[0]!.end()
  await first
  expect(names()).toEqual(['a0'])
  const later = limit('b', read('b1'))
  begun[1]!.end()
  expect(await later).toBe('b1')
})

test('the reads of one company that wait are bounded, those of another are not turned away for them', async () => {
  const limit = createShareLimiter({ runningMax: 1, callerRunningMax: 1 })
  const { begun, read } = createReads()
  const all = Array.from({ length: callerWaitingMax + 1 }, () => limit('a', read('a')))
  await expect(limit('a', read('a'))).rejects.toThrow(OverloadedError)
  all.push(limit('b', read('b')))
  for (let ended = 0; ended < all.length; ended++) {
    begun[ended]!.end()
    await nextTurn()
  }
  expect(new Set(await Promise.all(all))).toEqual(new Set(['a', 'b']))
})

test('a read that fails gives its turn on', async () => {
  const limit = createShareLimiter({ runningMax: 1, callerRunningMax: 1 })
  await expect(limit('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await limit('a', async () => 'read')).toBe('read')
})
