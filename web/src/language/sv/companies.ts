import type { en } from '../en/companies.ts'
import type { Translated } from '../translated.ts'

/** Texts of the list of companies, in Swedish. */
export const sv: Translated<typeof en> = {
  title: 'Företag',
  intro: 'Företag vars siffror du kan se.',
  company: 'Företag',
  role: 'Din roll',
  last: 'Senaste leverans',
  noDelivery: 'Ingen än',
  late_one: '{{count}} försenad källa',
  late_other: '{{count}} försenade källor',
  menu: { head: 'Åtgärder', label: 'Åtgärder: {{company}}', leave: 'Lämna företaget' },
  none: 'Du hör inte till något företag än',
  noneText:
    'En av företagets ägare kan lägga till dig med ditt personnummer eller skicka en länk till dig. Om företaget inte har någon ägare än, kontakta den som driver tjänsten.',
  again: 'Kontrollera igen',
  own: {
    title: 'Prova med ett eget företag',
    text: 'Företaget får ett påhittat nummer och du blir dess ägare. Skapa källor och anslutningar, bjud in personer och skicka siffror.',
    name: 'Företagets namn',
    create: 'Skapa företag',
    failed: 'Det gick inte att skapa företaget',
    fault: 'Ange ett namn på högst 100 tecken.',
    unseen: 'Namnet innehåller osynliga tecken. Skriv det i stället för att klistra in det.',
  },
}
