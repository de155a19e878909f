import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { WorkerSignal, smallIndex, type WorkerGroup } from './worker-signal.ts'
import { runWorker } from './run-worker.ts'

const nothing = { deliveries: 0, rowsRead: 0, rowsRefused: 0, cellsAdded: 0, isFull: false }
const log = { error: () => {} }

/**
 * Rounds of an idle worker within a fifth of a second, the first 20 of which each meet a wake of this group; in more
 * time where there are not `enough` by then.
 */
const countRounds = async (index: number, woken: WorkerGroup, enough = 1): Promise<number> => {
  const signal = WorkerSignal.forWorkers(2)
  let rounds = 0
  const running = runWorker({
    worker: {
      round: async () => {
        await sleep(1)
        if (rounds++ < 20) signal.wakeOne(woken)
        return nothing
      },
    },
    log,
    pollIntervalMs: 60_000,
    onIdle: (isIdle) => signal.setIdle(index, isIdle),
    news: () => signal.news(index),
  })
  await sleep(200)
  await expect
    .poll(() => rounds)
    .toBeGreaterThanOrEqual(enough)
    .finally(() => running.stop())
  return rounds
}

test('while small deliveries arrive, an idle worker of large ones waits', async () => {
  expect(await countRounds(smallIndex + 1, 'small')).toBe(1)
})

test('a worker that was woken in the middle of a round starts another', async () => {
  expect(await countRounds(smallIndex, 'small', 2)).toBeGreaterThan(1)
  expect(await countRounds(smallIndex + 1, 'others', 2)).toBeGreaterThan(1)
})

test('a wake reaches one worker that waits, of its group', () => {
  const signal = WorkerSignal.forWorkers(3)
  for (const index of [0, 2]) signal.setIdle(index, true)
  expect(signal.wakeOne('others')).toBe(2)
  expect(signal.wakeOne('others')).toBe(-1)
  expect(signal.wakeOne('small')).toBe(0)
  expect(signal.wakeOne('small')).toBe(-1)
})

test('what is new in a shard is counted for it, and what is new anywhere for every shard', () => {
  const signal = WorkerSignal.forWorkers(2)
  signal.addNews(3)
  expect([signal.newsOf(3), signal.newsOf(4)]).toEqual([1, 0])
  signal.addNews()
  expect([signal.newsOf(3), signal.newsOf(4)]).toEqual([2, 1])
})
