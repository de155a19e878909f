import type { en } from './invitation.en.ts'
import type { Translated } from './translated.ts'

/** Texts of the page that an invitation’s link opens, in Swedish. */
export const sv: Translated<typeof en> = {
  title: 'Inbjudan till {{company}}',
  tab: 'Inbjudan',
  line: '{{name}} bjuder in dig till {{company}} som {{role}}.',
  lineNobody: 'Du är inbjuden till {{company}} som {{role}}.',
  asReader: 'läsare',
  asDeveloper: 'utvecklare',
  asOwner: 'ägare',
  company: 'Företag',
  role: 'Din roll',
  until: 'Länken gäller till',
  opens: {
    reader: 'Du ser rapporterna och kan spåra varje siffra.',
    developer: 'Du ser rapporterna och sköter källor, anslutningar och leveranser.',
    owner: 'Du får göra allt, även sköta medlemmarna.',
  },
  as: 'Du tackar ja som {{name}}. Ägarna ser ditt namn.',
  accept: 'Tacka ja',
  later: 'Inte nu',
  failed: 'Du blev inte medlem',
  already: 'Du är redan medlem i {{company}}',
  alreadyText: 'Du är {{role}} där. Länken finns kvar för någon annan.',
  open: 'Öppna {{company}}',
  closed: 'Länken öppnar inget',
  closedText:
    'Den har använts av någon annan eller återkallats, eller så är dess 7 dagar över. Be den som gav dig den om en ny.',
  none: 'Länken är inte hel',
  noneText: 'En del av adressen saknas. Kopiera hela länken och öppna den igen.',
  full: 'Antingen har du blivit medlem under tiden, eller så har företaget så många medlemmar som det får: {{message}}',
}
