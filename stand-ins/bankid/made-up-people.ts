import type { Person } from './person.ts'

/** The people on the app's page. Their personal numbers are published for tests and belong to no one. */
export const madeUpPeople = [
  { personalNumber: '191212121212', name: 'Tolvan Tolvansson' },
  { personalNumber: '189001019802', name: 'Elin Exempel' },
  { personalNumber: '189001029819', name: 'Johan Provberg' },
] as const satisfies readonly Person[]
