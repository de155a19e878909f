import { createHash } from 'node:crypto'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { Authority } from '../../../../stand-ins/bankid/authority.ts'
import { createCompletionData, type Tampering } from '../../../../stand-ins/bankid/completion.ts'
import { completionsWaitingMax, createCompletionChecker } from './completion-checker.ts'
import { checkCompletion, readCompletion, type CompletionToCheck } from './completion.ts'
import { NotVerified } from './evidence/not-verified.ts'

const at = new Date('2026-03-02T09:30:00.000Z')
const authority = new Authority(() => at.getTime())
const person = { personalNumber: '197001011233', name: 'Åsa Öberg' }
const hash = createHash('sha256').update('reference').digest()

const complete = async (tamper?: Tampering): Promise<CompletionToCheck> => ({
  completion: readCompletion(
    await createCompletionData(authority, {
      kind: 'auth',
      person,
      relyingParty: await authority.relyingParty(),
      visible: undefined,
      format: undefined,
      nonVisible: hash.toString('base64'),
      ipAddress: '192.0.2.7',
      at: at.getTime(),
      tamper,
    }),
  ),
  requested: {
    operation: 'auth',
    visibleText: null,
    nonVisibleHex: hash.toString('hex'),
    personalNumber: null,
  },
  orderRef: '131daac9-16c6-4618-beb0-365768f37288',
  roots: [(await authority.signingRoot()).certificate],
  at,
})

let good: CompletionToCheck
beforeAll(async () => {
  good = await complete()
})

let opened = new AsyncDisposableStack()
const open: typeof createCompletionChecker = (...options) =>
  opened.adopt(createCompletionChecker(...options), (checker) => checker.close())
afterEach(async () => {
  await opened.disposeAsync()
  opened = new AsyncDisposableStack()
})

test('a valid completion gives the person and the evidence', async () => {
  const checked = await open().check(good)
  expect(checked).toEqual(checkCompletion(good))
  expect(checked.person).toEqual(person)
})

test('an invalid completion gives the reason, and the next one is checked', async () => {
  const checker = open()
  const bad = await complete('certificate-revoked')
  await expect(checker.check(bad)).rejects.toEqual(new NotVerified('revoked_certificate'))
  expect((await checker.check(good)).person).toEqual(person)
})

test('a completion that cannot be checked in time is invalid', async () => {
  await expect(open(1).check(good)).rejects.toEqual(new NotVerified('too_slow'))
})

test('a full queue of completions accepts no further one until one is checked', async () => {
  const checker = open()
  expect(checker.isFull()).toBe(false)
  const checks = Array.from({ length: completionsWaitingMax + 1 }, () => checker.check(good))
  expect(checker.isFull()).toBe(true)
  const checked = await Promise.all(checks)
  expect(checked.filter(({ person: found }) => found.personalNumber === person.personalNumber)).toHaveLength(
    checks.length,
  )
  expect(checker.isFull()).toBe(false)
})
