import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLog } from './log.ts'
import { answerLinesPerMinuteMax, createAnswerLog, type AnswerLog } from './answer-log.ts'

let lines: Record<string, unknown>[]
let answers: AnswerLog
beforeEach(() => {
  vi.useFakeTimers()
  lines = []
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) }
  answers = createAnswerLog({ log: createLog({ level: 'info', destination }) })
})
afterEach(() => {
  answers[Symbol.dispose]()
  vi.useRealTimers()
})

test('a bounded number of lines of one kind is written in a minute, and the rest is counted', () => {
  for (let index = 0; index < 1_000; index++)
    answers.write('unavailable', { index }, 'a request could not be taken')
  answers.write('fault', {}, 'a request failed')
  expect(lines).toHaveLength(answerLinesPerMinuteMax + 1)
  expect(lines.at(-1)).toMatchObject({ level: 'error', msg: 'a request failed' })
  vi.advanceTimersByTime(60_000)
  expect(lines.at(-1)).toMatchObject({ unwritten: { unavailable: 1_000 - answerLinesPerMinuteMax } })
  answers.write('unavailable', {}, 'a request could not be taken')
  expect(lines.at(-1)).toMatchObject({ level: 'warn' })
})

test('refusals are logged in one line a minute, and without any there is no line', () => {
  for (let index = 0; index < 1_000; index++) answers.count('unauthenticated')
  expect(lines).toEqual([])
  vi.advanceTimersByTime(60_000)
  expect(lines).toMatchObject([{ level: 'info', refused: { unauthenticated: 1_000 }, unwritten: {} }])
  vi.advanceTimersByTime(600_000)
  expect(lines).toHaveLength(1)
})
