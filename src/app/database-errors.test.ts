import { expect, test } from 'vitest'
import { DeadlineError } from '../platform/database/deadline-error.ts'
import { OverloadedError } from '../platform/database/overloaded-error.ts'
import { answerFor } from '../platform/http/errors/to-api-error.ts'

const fromServer = (code: string): Error => Object.assign(new Error('something about the inside'), { code })

test.each([
  ['08006', 'the connection failed'],
  ['25P03', 'the transaction was idle for too long'],
  ['40001', 'the transaction lost against another one'],
  ['40P01', 'there was a deadlock'],
  ['53000', 'resources are used up'],
  ['53100', 'the disk is full'],
  ['53200', 'memory is used up'],
  ['53300', 'there are too many connections'],
  ['55P03', 'a lock was not to be had'],
  ['57014', 'the statement took too long'],
  ['57P01', 'the server is stopped'],
  ['57P05', 'the session was idle for too long'],
  ['58030', 'the disk failed'],
])('SQLSTATE %s (%s) is 503 internal with Retry-After and says nothing of the inside', (code) => {
  const { error, kind } = answerFor(fromServer(code))
  expect({ status: error.status, code: error.code, kind }).toEqual({
    status: 503,
    code: 'internal',
    kind: 'unavailable',
  })
  expect(Number(error.headers['Retry-After'])).toBeGreaterThanOrEqual(1)
  expect(error.message).not.toContain('inside')
})

test('a statement that waited too long, in any queue, is 503 internal with Retry-After', () => {
  for (const thrown of [
    new DeadlineError('no result'),
    new OverloadedError('full'),
    new Error('Query read timeout'),
  ]) {
    const { error } = answerFor(thrown)
    expect(error.status).toBe(503)
    expect(Number(error.headers['Retry-After'])).toBeGreaterThanOrEqual(1)
  }
})

test('a statement that the server refuses for its content is an internal fault', () => {
  for (const code of ['22P02', '23505', '42601', '54000'])
    expect(answerFor(fromServer(code)).kind).toBe('fault')
})
