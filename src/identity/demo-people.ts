/**
 * Who can be chosen with one click at the demo's electronic identity; anyone may be them. Their numbers are those that the Swedish
 * Tax Agency publishes for tests: nobody's.
 */
export const demoPeople = [
  { personalNumber: '191212121212', name: 'Tolvan Tolvansson' },
  { personalNumber: '189001019802', name: 'Elin Exempel' },
  { personalNumber: '189001029819', name: 'Johan Provberg' },
] as const
