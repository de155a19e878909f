import { expect, test } from 'vitest'
import { OverloadedError } from '../../database/overloaded-error.ts'
import { answerFor } from './to-api-error.ts'
import { ApiError, invalidArgument } from './errors.ts'

test('an error of the API is answered as it is', () => {
  const error = invalidArgument('No.', 'from')
  expect(answerFor(error)).toEqual({ error, kind: 'refusal' })
})

test('a fault says nothing about the inside', () => {
  const { error, kind } = answerFor(new TypeError('cannot read properties of undefined (reading "orgnr")'))
  expect(kind).toBe('fault')
  expect(error.status).toBe(500)
  expect(error.code).toBe('internal')
  expect(error.message).not.toContain('orgnr')
})

test('what is thrown that is no error is a fault too', () => {
  expect(answerFor('oops').error.status).toBe(500)
  expect(answerFor(undefined).error.status).toBe(500)
})

test('an unavailable database, and a full queue, are 503 with Retry-After', () => {
  const away = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
  for (const thrown of [away, new OverloadedError('full'), new Error('Connection terminated unexpectedly')]) {
    const { error, kind } = answerFor(thrown)
    expect(kind).toBe('unavailable')
    expect(error.status).toBe(503)
    expect(error.code).toBe('internal')
    expect(Number(error.headers['Retry-After'])).toBeGreaterThanOrEqual(1)
  }
})

const problem = (validationContext: string, entry: object): unknown =>
  Object.assign(new Error('validation'), { validationContext, validation: [entry] })

test("a schema's refusal names the member that is wrong", () => {
  const missing = { instancePath: '/fields/0', message: 'must have it', params: { missingProperty: 'name' } }
  expect(answerFor(problem('body', missing)).error.toBody()).toEqual({
    code: 'invalid_argument',
    message: 'The body is not as described: must have it.',
    field: 'fields.0.name',
  })
  const whole = { instancePath: '', message: 'must be object', params: {} }
  expect(answerFor(problem('body', whole)).error.field).toBe('body')
  const path = { instancePath: '/id', message: 'must match format "uuid"', params: {} }
  expect(answerFor(problem('params', path)).error).toMatchObject({ status: 404, code: 'not_found' })
})

test('an error with a status of its own that is not ours does not choose the words', () => {
  const thrown = Object.assign(new Error('secret inside'), { statusCode: 406 })
  const { error } = answerFor(thrown)
  expect(error).toBeInstanceOf(ApiError)
  expect(error.status).toBe(406)
  expect(error.message).not.toContain('secret')
})
