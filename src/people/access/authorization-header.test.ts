import { expect, test } from 'vitest'
import { readBearer } from './authorization-header.ts'

test.each(['Bearer nsk_abc', 'bearer nsk_abc', 'BEARER  nsk_abc', 'Bearer nsk_abc '])(
  'the token of %j is read',
  (header) => {
    expect(readBearer(header)).toEqual({ sent: true, token: 'nsk_abc' })
  },
)

test.each([undefined, '', 'Basic bnNrOnNlY3JldA==', 'Bearernsk_abc', 'nsk_abc'])(
  '%j is no bearer at all',
  (header) => {
    expect(readBearer(header)).toEqual({ sent: false })
  },
)

test.each([
  'Bearer',
  'Bearer ',
  'Bearer nsk_abc nsk_def',
  'Bearer nsk_abc,nsk_def',
  'Bearer "nsk_abc"',
  'Bearer nsk_åäö',
  'Bearer nsk_abc\tx',
  `Bearer nsk_${'a'.repeat(300)}`,
])('%j cannot be a credential', (header) => {
  expect(readBearer(header)).toEqual({ sent: true, token: undefined })
})
