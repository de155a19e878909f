import { expect, test } from 'vitest'
import { startPushScene, toPushBody } from '../../../../testing/in-process/scenes/push-scene.ts'

const { push, pushBytes } = await startPushScene()

test('Small pushes are answered while large ones are parsed', async () => {
  const large = Array.from({ length: 4 }, (_, index) =>
    pushBytes(toPushBody(`large-${index}`, `{"customer":"${'x'.repeat(8_000_000)}"}`)),
  )
  let largeDone = 0
  for (const answer of large) void answer.then(() => largeDone++)
  const slowest = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const startedMs = performance.now()
      expect((await push(`small-${index}`, '{}')).statusCode).toBe(202)
      return performance.now() - startedMs
    }),
  )
  expect(largeDone).toBeLessThan(4)
  expect(Math.max(...slowest)).toBeLessThan(1_000)
  expect((await Promise.all(large)).map(({ statusCode }) => statusCode)).toEqual([202, 202, 202, 202])
})
