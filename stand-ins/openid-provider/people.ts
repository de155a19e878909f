import { createHash } from 'node:crypto'

export interface Person {
  /** Twelve digits. */
  personalNumber: string
  givenName: string
  surname: string
}

/** Their numbers are published by the Swedish Tax Agency for tests, and belong to no one. */
export const people: readonly Person[] = [
  { personalNumber: '191212121212', givenName: 'Tolvan', surname: 'Tolvansson' },
  { personalNumber: '189001019802', givenName: 'Elin', surname: 'Exempel' },
  { personalNumber: '189001029819', givenName: 'Johan', surname: 'Provberg' },
  { personalNumber: '189001039800', givenName: 'Greta', surname: 'Provlund' },
  { personalNumber: '189001049817', givenName: 'Nils', surname: 'Exempelsson' },
]

/** The broker's stable pseudonym of a person. */
export function toSubject({ personalNumber }: Person): string {
  return createHash('sha256').update(`subject of ${personalNumber}`).digest('base64url')
}

/** The claims of Swedish brokers, by the scope that contains them. */
export const claimsByScope = {
  openid: ['sub', 'ssn', 'country', 'identityscheme'],
  profile: ['name', 'given_name', 'family_name'],
  nin: ['nin', 'nin_type', 'nin_issuing_country'],
  'https://frejaeid.com/oidc/scopes/personalIdentityNumber': [
    'https://frejaeid.com/oidc/claims/personalIdentityNumber',
  ],
}

export function toClaims(person: Person): { sub: string } & Record<string, string> {
  const { personalNumber, givenName, surname } = person
  return {
    sub: toSubject(person),
    name: `${givenName} ${surname}`,
    given_name: givenName,
    family_name: surname,
    ssn: personalNumber,
    country: 'SE',
    identityscheme: 'sebankid',
    nin: personalNumber,
    nin_type: 'PERSON',
    nin_issuing_country: 'SE',
    'https://frejaeid.com/oidc/claims/personalIdentityNumber': personalNumber,
  }
}
