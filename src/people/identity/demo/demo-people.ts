import type { Language } from '../../../platform/http/requests/preferred-language.ts'
import type { IdentifiedPerson } from '../identity-provider.ts'

export interface DemoPerson extends IdentifiedPerson {
  /** What they are in the demo's companies (`demo/clients/member-actions.ts`). */
  role: Record<Language, string>
}

/**
 * The people who can be chosen with one click at the demo's electronic identity. The Swedish Tax Agency publishes their
 * numbers for tests: no real person has one of them.
 */
export const demoPeople = {
  owner: {
    personalNumber: '191212121212',
    name: 'Tolvan Tolvansson',
    role: {
      en: 'Owner of Ekeby Handel and Norrsken Kaffe',
      sv: 'Ägare av Ekeby Handel och Norrsken Kaffe',
    },
  },
  developer: {
    personalNumber: '189001019802',
    name: 'Elin Exempel',
    role: { en: 'Developer at Ekeby Handel', sv: 'Utvecklare på Ekeby Handel' },
  },
  reader: {
    personalNumber: '189001029819',
    name: 'Johan Provberg',
    role: { en: 'Reader at Ekeby Handel', sv: 'Läsare på Ekeby Handel' },
  },
  invited: {
    personalNumber: '189001039800',
    name: 'Greta Provlund',
    role: {
      en: 'Invited to Ekeby Handel, not a member yet',
      sv: 'Inbjuden till Ekeby Handel, inte medlem än',
    },
  },
  stranger: {
    personalNumber: '189001049817',
    name: 'Nils Exempelsson',
    role: { en: 'Without a company', sv: 'Utan företag' },
  },
} as const satisfies Record<string, DemoPerson>
