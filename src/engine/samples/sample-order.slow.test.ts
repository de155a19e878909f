import { beforeEach, expect, test } from 'vitest'
import {
  byLabelValues,
  startLabelledSources,
  type Labels,
} from '../../../testing/in-process/labelled-source.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'
import { answerBytesMax } from './read-samples.ts'

const service = await startTestService()
const openSource = startLabelledSources(service)
beforeEach(() => service.context.clock.set('2026-03-15T12:00:00Z'))

test('the samples beyond 8 MiB in that order are left out', async () => {
  const names = Array.from({ length: 16 }, (_, index) => `n${String(index).padStart(2, '0')}`)
  const source = await openSource(names)
  const long = '"'.repeat(199)
  const cells = Array.from({ length: 1_400 }, (_, index): Labels => {
    const first = `k${String(index >> 1).padStart(5, '0')}${index % 2 === 0 ? ' more' : ''}`
    return Object.fromEntries(names.map((name, place) => [name, place === 0 ? first : long]))
  })
  for (let from = 0; from < cells.length; from += 200) {
    await source.deliver('2026-03-01', cells.slice(from, from + 200))
  }
  const sorted = cells.toSorted(byLabelValues).map(({ n00 }) => n00)
  for (const answer of await source.readAll('?metric=revenue')) {
    expect(answer.truncated).toBe(true)
    const kept = answer.samples.map(({ labels }) => labels['n00'])
    expect(kept).toEqual(sorted.slice(0, kept.length))
    const bytes = Buffer.byteLength(JSON.stringify(answer))
    expect(bytes).toBeLessThanOrEqual(answerBytesMax)
    expect(bytes).toBeGreaterThan(answerBytesMax - 10_000)
  }
})
