import type { en } from '../en/links.ts'
import type { Translated } from '../translated.ts'

export const sv: Translated<typeof en> = {
  name: 'Namn',
  nameHint: 'Till exempel var du använder den.',
  nameMissing: 'Ange ett namn.',
  ends: 'Upphör',
  inDays: 'om {{count}} dagar',
  cancel: 'Avbryt',
  create: 'Skapa länk',
  failed: 'Länken skapades inte',
  done: 'Klar',
  address: 'Adress, visas en gång',
  addressHint: 'Alla som har den kan läsa det här utan att logga in. Den kan avslutas när som helst.',
  feed: {
    make: 'Nytt flöde',
    text: 'En flödesläsare eller en chattkanal hämtar det som behöver uppmärksamhet från en länk (Atom). Den upphör när du lämnar företaget.',
    made: 'Kopiera flödets adress',
    use: 'Klistra in den i en flödesläsare, eller i RSS-appen i Slack eller Teams.',
  },
  sheet: {
    make: 'Levande kalkylark',
    text: 'Ett kalkylark läser de här siffrorna från en länk och håller sig aktuellt. Länken upphör när du lämnar företaget.',
    made: 'Kopiera kalkylarkets adress',
    excel:
      'Data › Från webben, klistra in adressen, välj Anonym och sedan Läs in. Uppdatera med Data › Uppdatera alla.',
    formula: 'Formel för cell A1',
    google: 'Den uppdateras ungefär varje timme.',
    libreOffice:
      'Tabell › Länka till externa data, klistra in adressen och tryck på Retur. Kryssa i ”Uppdatera varje” för att hålla den aktuell.',
    digits: 'Kalkylprogram behåller 15 siffror av ett tal. Längre tal avrundas där.',
  },
  list: {
    title: 'Läslänkar',
    line: 'Flöden och levande kalkylark som läser företaget utan inloggning.',
    newFeed: 'Nytt flöde',
    none: 'Det finns inga. Levande kalkylark skapas på en rapport.',
    name: 'Länk',
    by: 'skapad av {{name}}',
    kind: { feed: 'Flöde', sheet: 'Levande kalkylark' },
    used: 'Senast använd',
    never: 'aldrig',
    ends: 'Upphör',
    end: 'Avsluta',
    endWhat: 'Avsluta {{name}}',
    endTitle: 'Avsluta {{name}}?',
    endText: 'Det som läser den får inga fler svar. Den kan inte återupptas, men du kan skapa en ny.',
    ended: 'Länken är avslutad.',
    endFailed: 'Länken avslutades inte',
  },
}
