import { createHash } from 'node:crypto'

/** Somebody who can sign in here. */
export interface Person {
  /** Twelve digits. */
  personalNumber: string
  givenName: string
  surname: string
}

/** Made-up people, with numbers that the Swedish Tax Agency publishes for tests: nobody's. */
export const people: readonly Person[] = [
  { personalNumber: '191212121212', givenName: 'Tolvan', surname: 'Tolvansson' },
  { personalNumber: '189001019802', givenName: 'Elin', surname: 'Exempel' },
  { personalNumber: '189001029819', givenName: 'Johan', surname: 'Provberg' },
  { personalNumber: '189001039800', givenName: 'Greta', surname: 'Provlund' },
  { personalNumber: '189001049817', givenName: 'Nils', surname: 'Exempelsson' },
]

/** What a broker calls a person: always the same, and not their number. */
export function subjectOf({ personalNumber }: Person): string {
  return createHash('sha256').update(`subject of ${personalNumber}`).digest('base64url')
}

/** The claims of a person as Swedish brokers give them, by the scope that they come with. */
export const claimsByScope = {
  openid: ['sub', 'ssn', 'country', 'identityscheme'],
  profile: ['name', 'given_name', 'family_name'],
  nin: ['nin', 'nin_type', 'nin_issuing_country'],
  'https://frejaeid.com/oidc/scopes/personalIdentityNumber': [
    'https://frejaeid.com/oidc/claims/personalIdentityNumber',
  ],
}

export function claimsOf(person: Person): { sub: string } & Record<string, string> {
  const { personalNumber, givenName, surname } = person
  return {
    sub: subjectOf(person),
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
