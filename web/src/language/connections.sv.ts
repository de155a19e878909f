import type { en } from './connections.en.ts'
import type { Translated } from './translated.ts'

/** Texts of the connections, in Swedish. */
export const sv: Translated<typeof en> = {
  title: 'Anslutningar',
  intro:
    'Det som era system har för att skicka och läsa siffror. Var och en gäller ett år från underskriften.',
  connection: 'Anslutning',
  state: 'Läge',
  may: 'Får',
  source: 'Källa',
  made: 'Gjord, inte underskriven',
  signed: 'Underskriven',
  expired: 'Utgången',
  revoked: 'Återkallad',
  sandbox: 'Testläge',
  until: 'till {{when}}',
  on: '{{when}}',
  nothingYet: 'öppnar inget än',
  send: 'Skicka',
  read: 'Läsa',
  client: 'Klientuppgifter',
  static: 'Fast nyckel',
  anySource: 'Vilken källa som helst (obunden)',
  gone: 'inte längre medlem',
  none: 'Ingen anslutning än',
  noneText:
    'En anslutning är det som ett system har för att skicka eller läsa siffror. Den gäller när den som gjorde den har skrivit under med e-legitimation.',
  credential: 'Autentisering',
  clientId: 'Klient-id',
  madeAt: 'Gjord',
}
