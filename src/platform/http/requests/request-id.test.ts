import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { createRequestId } from './request-id.ts'

const withId = (id?: string | string[]): IncomingMessage =>
  ({ headers: id === undefined ? {} : { 'x-request-id': id } }) as unknown as IncomingMessage

test('ids are made, and no two are the same', () => {
  const ids = Array.from({ length: 1_000 }, () => createRequestId(withId()))
  expect(new Set(ids).size).toBe(1_000)
})

test('a safe short token is taken over', () => {
  expect(createRequestId(withId('4f0c9c1e-2d7b-4a53'))).toBe('4f0c9c1e-2d7b-4a53')
})

test('anything else that was sent is not', () => {
  for (const id of [
    'short',
    'a'.repeat(65),
    'with space here',
    '{"level":"error"}',
    'nsk_0123456789abcdef',
    'ö'.repeat(9),
  ]) {
    expect(createRequestId(withId(id))).not.toBe(id)
  }
})
