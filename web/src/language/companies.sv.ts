import type { en } from './companies.en.ts'
import type { Translated } from './translated.ts'

/** Texts of the list of companies, in Swedish. */
export const sv: Translated<typeof en> = {
  title: 'Företag',
  intro: 'Företagen vars siffror du får se.',
  company: 'Företag',
  role: 'Din roll',
  last: 'Senaste leverans',
  noDelivery: 'Ingen än',
  late_one: 'En källa är sen',
  late_other: '{{count}} källor är sena',
  menu: { head: 'Åtgärder', label: 'Åtgärder: {{company}}', leave: 'Lämna företaget' },
  none: 'Du hör inte till något företag än',
  noneText:
    'En ägare av företaget släpper in dig: med ditt personnummer, så att företaget visas här när du tittar igen, eller med en länk som du får. Den som driver Numera åt er lägger till den första ägaren.',
  again: 'Titta igen',
  own: {
    title: 'Pröva med ett eget företag',
    text: 'Det får ett påhittat nummer, och du är dess ägare: gör källor och anslutningar, bjud in, skicka siffror.',
    name: 'Dess namn',
    make: 'Lägg till företaget',
    failed: 'Företaget lades inte till',
    fault: 'Skriv ett namn på högst 100 tecken.',
    unseen: 'Några av dess tecken syns inte. Skriv namnet för hand, inte inklistrat.',
  },
}
