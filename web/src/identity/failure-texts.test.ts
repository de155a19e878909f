import { expect, test } from 'vitest'
import { toFault, toReason } from '../../../src/people/identity/bankid/faults.ts'
import { failureTexts } from './failure-texts.ts'

test.each([
  [400, 'alreadyInProgress', 'bankId.RFA4'],
  [408, 'requestTimeout', 'bankId.RFA5'],
  [500, 'internalError', 'bankId.RFA5'],
  [503, 'maintenance', 'bankId.RFA5'],
  [400, 'newWord', 'bankId.RFA22'],
])(
  'For BankID’s answer %i %s, the page shows the recommended text and what to do next',
  (status, errorCode, message) => {
    const reason = toReason(toFault(status, { errorCode }))
    const [first, ...next] = failureTexts(reason, 'bankid', false, 'other')
    expect(first).toBe(message)
    expect(next).toHaveLength(1)
  },
)
