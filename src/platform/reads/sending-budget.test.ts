import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { OverloadedError } from '../database/overloaded-error.ts'
import { countedAnswerBytes, createSendingBudget } from './sending-budget.ts'

const response = () => Object.assign(new EventEmitter(), { destroyed: false, destroy: () => {} })
const raw = (sent: ReturnType<typeof response>): ServerResponse => sent as unknown as ServerResponse
const answer = (bytes = 100_000): Buffer => Buffer.alloc(bytes)

test('unsent answers have a ceiling for each company and one for all', () => {
  const reserve = createSendingBudget({ bytesMax: 300_000, companyBytesMax: 200_000 })
  const first = response()
  reserve(raw(first), 'a', answer())
  reserve(raw(response()), 'a', answer())
  expect(() => reserve(raw(response()), 'a', answer())).toThrow(OverloadedError)
  reserve(raw(response()), 'b', answer())
  expect(() => reserve(raw(response()), 'b', answer())).toThrow(OverloadedError)
  first.emit('finish')
  first.emit('close')
  reserve(raw(response()), 'b', answer())
  expect(() => reserve(raw(response()), 'a', answer())).toThrow(OverloadedError)
})

test('an answer sent to many clients counts once, until the last has received it', () => {
  const reserve = createSendingBudget({ bytesMax: 150_000 })
  const same = answer()
  const clients = Array.from({ length: 50 }, response)
  for (const client of clients) reserve(raw(client), 'a', same)
  for (const client of clients.slice(1)) client.emit('close')
  expect(() => reserve(raw(response()), 'a', answer())).toThrow(OverloadedError)
  clients[0]!.emit('close')
  reserve(raw(response()), 'a', answer())
})

test('small answers, and those of disconnected clients, are not counted', () => {
  const reserve = createSendingBudget({ bytesMax: 1 })
  reserve(raw(response()), 'a', answer(countedAnswerBytes - 1))
  reserve(raw({ ...response(), destroyed: true }), 'a', answer())
  reserve(raw(response()), 'a', answer())
  expect(() => reserve(raw(response()), 'a', answer())).toThrow(OverloadedError)
})

test('a client that does not receive its answer in time is disconnected', async () => {
  const reserve = createSendingBudget({ sendMsMax: 5 })
  const slow = response()
  let isCut = false
  reserve(raw(Object.assign(slow, { destroy: () => (isCut = true) })), 'a', answer())
  await sleep(50)
  expect(isCut).toBe(true)
})
