import { expect, test } from 'vitest'
import { shareNextRun } from './share-next-run.ts'

test('Calls during a run share the next one, also after a failure, and keys do not wait for each other', async () => {
  const runs: { key: string; end: PromiseWithResolvers<void> }[] = []
  const call = shareNextRun((key) => {
    const end = Promise.withResolvers<void>()
    runs.push({ key, end })
    return end.promise
  })
  const first = call('a')
  const during = [call('a'), call('a')]
  const other = call('b')
  expect(runs.map(({ key }) => key)).toEqual(['a', 'b'])
  runs[0]!.end.reject(new Error('full'))
  await expect(first).rejects.toThrow('full')
  await expect.poll(() => runs.length).toBe(3)
  const later = call('a')
  runs[2]!.end.resolve()
  await Promise.all(during)
  await expect.poll(() => runs.length).toBe(4)
  for (const { end } of runs) end.resolve()
  await Promise.all([later, other])
})
