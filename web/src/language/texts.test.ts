import { expect, test } from 'vitest'
import { en as appsEn } from './apps.en.ts'
import { sv as appsSv } from './apps.sv.ts'
import { en as companiesEn } from './companies.en.ts'
import { sv as companiesSv } from './companies.sv.ts'
import { en as connectionsEn } from './connections.en.ts'
import { sv as connectionsSv } from './connections.sv.ts'
import { en as consentEn } from './consent.en.ts'
import { sv as consentSv } from './consent.sv.ts'
import { en as deliveriesEn } from './deliveries.en.ts'
import { sv as deliveriesSv } from './deliveries.sv.ts'
import { en } from './en.ts'
import { en as identityEn } from './identity.en.ts'
import { sv as identitySv } from './identity.sv.ts'
import { en as invitationEn } from './invitation.en.ts'
import { sv as invitationSv } from './invitation.sv.ts'
import { en as leaveEn } from './leave.en.ts'
import { sv as leaveSv } from './leave.sv.ts'
import { en as membersEn } from './members.en.ts'
import { sv as membersSv } from './members.sv.ts'
import { en as remarksEn } from './remarks.en.ts'
import { sv as remarksSv } from './remarks.sv.ts'
import { en as reportsEn } from './reports.en.ts'
import { sv as reportsSv } from './reports.sv.ts'
import { en as sessionsEn } from './sessions.en.ts'
import { sv as sessionsSv } from './sessions.sv.ts'
import { en as signaturesEn } from './signatures.en.ts'
import { sv as signaturesSv } from './signatures.sv.ts'
import { en as sourcesEn } from './sources.en.ts'
import { sv as sourcesSv } from './sources.sv.ts'
import { sv } from './sv.ts'

type Texts = { [key: string]: string | Texts }

/** Each text's placeholders, under the keys that lead to it. */
function placeholdersOf(texts: Texts, path = ''): Record<string, string[]> {
  return Object.assign(
    {},
    ...Object.entries(texts).map(([key, value]) =>
      typeof value === 'string'
        ? { [`${path}${key}`]: [...new Set(value.match(/\{\{\w+\}\}/g))].toSorted() }
        : placeholdersOf(value, `${path}${key}.`),
    ),
  )
}

test('A text names the same things in every language', () => {
  expect(placeholdersOf(sv)).toEqual(placeholdersOf(en))
  expect(placeholdersOf(en)['failure.busy_other']).toEqual(['{{count}}'])
})

test.each([
  ['apps', appsEn, appsSv],
  ['companies', companiesEn, companiesSv],
  ['connections', connectionsEn, connectionsSv],
  ['consent', consentEn, consentSv],
  ['deliveries', deliveriesEn, deliveriesSv],
  ['identity', identityEn, identitySv],
  ['invitation', invitationEn, invitationSv],
  ['leave', leaveEn, leaveSv],
  ['members', membersEn, membersSv],
  ['remarks', remarksEn, remarksSv],
  ['reports', reportsEn, reportsSv],
  ['sessions', sessionsEn, sessionsSv],
  ['signatures', signaturesEn, signaturesSv],
  ['sources', sourcesEn, sourcesSv],
])('A text of the %s names the same things in every language', (_area, english, swedish) => {
  expect(placeholdersOf(swedish)).toEqual(placeholdersOf(english))
})
