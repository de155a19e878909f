import type { Person } from './authority.ts'

/** Who has a BankID at the stand-in by one click. Their numbers are published for tests, and nobody's. */
export const madeUpPeople = [
  { personalNumber: '191212121212', name: 'Tolvan Tolvansson' },
  { personalNumber: '189001019802', name: 'Elin Exempel' },
  { personalNumber: '189001029819', name: 'Johan Provberg' },
] as const satisfies readonly Person[]
