import { expect, test } from 'vitest'
import { createReadiness, type ReadinessCheck } from './readiness.ts'

test('a check that fails, rejects or does not answer in time is not ready, and is logged by name when that changes', async () => {
  const lines: unknown[] = []
  const log = {
    warn: (line: unknown) => void lines.push(line),
    info: (line: unknown) => void lines.push(line),
  }
  const state: Record<string, ReadinessCheck['isReady']> = {
    sound: () => true,
    wrong: () => false,
    broken: () => Promise.reject(new Error('broken')),
    silent: () => new Promise(() => {}),
  }
  const checks = Object.keys(state).map((name) => ({ name, isReady: () => state[name]!() }))
  const isReady = createReadiness(checks, log as never, 0, 100)
  expect(await isReady()).toBe(false)
  expect(await isReady()).toBe(false)
  expect(lines).toEqual([{ failing: ['wrong', 'broken', 'silent'] }])
  for (const name of Object.keys(state)) state[name] = () => true
  expect(await isReady()).toBe(true)
  expect(await isReady()).toBe(true)
  expect(lines.slice(1)).toEqual(['ready again'])
})

test('concurrent requests share the checks, whose outcome is valid for a moment', async () => {
  let checks = 0
  const check = { name: 'counted', isReady: async () => ++checks > 0 }
  const log = { warn: () => {}, info: () => {} }
  const isReady = createReadiness([check], log as never, 60_000)
  expect(await Promise.all([isReady(), isReady(), isReady()])).toEqual([true, true, true])
  expect(await isReady()).toBe(true)
  expect(checks).toBe(1)
})
