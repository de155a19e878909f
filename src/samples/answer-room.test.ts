import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { OverloadedError } from '../database/overloaded-error.ts'
import { countedAnswerBytes, createAnswerRoom } from './answer-room.ts'

const response = () => Object.assign(new EventEmitter(), { destroyed: false, destroy: () => {} })
const raw = (sent: ReturnType<typeof response>): ServerResponse => sent as unknown as ServerResponse
const answer = (bytes = 100_000): Buffer => Buffer.alloc(bytes)

test('answers that clients take slowly have a ceiling for each company and one for all', () => {
  const hold = createAnswerRoom({ bytesMax: 300_000, companyBytesMax: 200_000 })
  const first = response()
  hold(raw(first), 'a', answer())
  hold(raw(response()), 'a', answer())
  expect(() => hold(raw(response()), 'a', answer())).toThrow(OverloadedError)
  hold(raw(response()), 'b', answer())
  expect(() => hold(raw(response()), 'b', answer())).toThrow(OverloadedError)
  first.emit('finish')
  first.emit('close')
  hold(raw(response()), 'b', answer())
  expect(() => hold(raw(response()), 'a', answer())).toThrow(OverloadedError)
})

test('one answer that many take counts once, until the last has it', () => {
  const hold = createAnswerRoom({ bytesMax: 150_000 })
  const same = answer()
  const takers = Array.from({ length: 50 }, response)
  for (const taker of takers) hold(raw(taker), 'a', same)
  for (const taker of takers.slice(1)) taker.emit('close')
  expect(() => hold(raw(response()), 'a', answer())).toThrow(OverloadedError)
  takers[0]!.emit('close')
  hold(raw(response()), 'a', answer())
})

test('small answers and those whose client is gone take no room', () => {
  const hold = createAnswerRoom({ bytesMax: 1 })
  hold(raw(response()), 'a', answer(countedAnswerBytes - 1))
  hold(raw({ ...response(), destroyed: true }), 'a', answer())
  hold(raw(response()), 'a', answer())
  expect(() => hold(raw(response()), 'a', answer())).toThrow(OverloadedError)
})

test('a client that does not take its answer in time is cut off', async () => {
  const hold = createAnswerRoom({ sendMsMax: 5 })
  const slow = response()
  let cut = false
  hold(raw(Object.assign(slow, { destroy: () => (cut = true) })), 'a', answer())
  await sleep(50)
  expect(cut).toBe(true)
})
