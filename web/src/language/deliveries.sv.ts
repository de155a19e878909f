import type { en } from './deliveries.en.ts'
import type { Translated } from './translated.ts'

/** Texts of the deliveries, in Swedish. */
export const sv: Translated<typeof en> = {
  title: 'Leveranser',
  intro: 'Den senaste leveransen från varje källa.',
  source: 'Källa',
  received: 'Mottagen',
  state: 'Läge',
  accepted: 'Godtagna',
  refused: 'Avvisade',
  dateAlone: 'Enbart datum',
  queued: 'I kö',
  parsed: 'Läst',
  unreadable: 'Oläslig',
  test: 'Test',
  none: 'Ingen leverans än',
  noneText:
    'En leverans är det som ett system skickar på en gång. Den visas här med vad det blev av den, rad för rad.',
  report: 'Leverans',
  size: 'Storlek',
  version: 'Fältversion',
  dropped: 'Strukna nycklar',
  noDropped: 'inga',
  refusals: 'Avvisade rader',
  row: 'Rad',
  field: 'Fält',
  reason: 'Orsak',
  wholeRow: 'hela raden',
  noRefusals: 'Ingen avvisades.',
  id: 'Leverans-id',
  firstOnes: 'De första {{count}}.',
}
