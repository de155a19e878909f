import { expect, test } from 'vitest'
import { restartPauseMsMax, getRestartPause } from './restart-after-fault.ts'

test('the first fault leads to an immediate restart, the next ones to pauses that grow to a minute', () => {
  expect([0, 1, 2, 3, 4].map(getRestartPause)).toEqual([0, 0, 1_000, 2_000, 4_000])
  expect([8, 100, 1_000_000].map(getRestartPause)).toEqual([
    restartPauseMsMax,
    restartPauseMsMax,
    restartPauseMsMax,
  ])
})
