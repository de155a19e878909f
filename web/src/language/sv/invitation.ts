import type { en } from '../en/invitation.ts'
import type { Translated } from '../translated.ts'

/** Texts of the page that an invitation’s link opens, in Swedish. */
export const sv: Translated<typeof en> = {
  title: 'Inbjudan till {{company}}',
  tab: 'Inbjudan',
  line: '{{name}} bjuder in dig till {{company}} som {{role}}.',
  lineNameless: 'Du är inbjuden till {{company}} som {{role}}.',
  asReader: 'läsare',
  asDeveloper: 'utvecklare',
  asOwner: 'ägare',
  company: 'Företag',
  role: 'Din roll',
  until: 'Länken gäller till',
  opens: {
    reader: 'Du ser rapporterna och kan spåra varje siffra.',
    developer: 'Du ser rapporterna och hanterar källor, anslutningar och leveranser.',
    owner: 'Du får göra allt, även hantera medlemmar.',
  },
  as: 'Du tackar ja som {{name}}. Ägarna ser ditt namn.',
  accept: 'Tacka ja',
  later: 'Inte nu',
  failed: 'Det gick inte att tacka ja',
  already: 'Du är redan medlem i {{company}}',
  alreadyText: 'Du är {{role}} där. Länken fungerar fortfarande för någon annan.',
  open: 'Öppna {{company}}',
  closed: 'Länken fungerar inte längre',
  closedText:
    'Den har använts eller återkallats, eller är äldre än 7 dagar. Be den som skickade länken om en ny.',
  none: 'Länken är inte fullständig',
  noneText: 'En del av adressen saknas. Kopiera hela länken och öppna den igen.',
  full: 'Du har redan hunnit bli medlem, eller så finns det inte plats för fler medlemmar: {{message}}',
}
