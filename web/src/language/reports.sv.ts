import type { en } from './reports.en.ts'
import type { Translated } from './translated.ts'

/** Texts of the reports, in Swedish. */
export const sv: Translated<typeof en> = {
  title: 'Rapporter',
  none: '{{company}} har inga siffror än.',
  intro_one: 'En källa.',
  intro_other: '{{count}} källor.',
  latest: 'Senaste siffrorna',
  period: 'Period',
  metric: 'Mått',
  labels: 'Etiketter',
  value: 'Värde',
  noFigures: 'Inga siffror de senaste 366 dagarna.',
  noLabels: 'inga',
  truncated: 'Det finns fler siffror än som visas här.',
  start: {
    title: 'Från ingenting till första siffran, på ungefär fem minuter',
    describe: 'Beskriv en källa',
    describeText: 'Släpp en fil som ert system exporterar: namn, typer och personuppgifter föreslås ur den.',
    sign: 'Skriv under en anslutning',
    signText: 'Det som systemet har för att skicka. Prova den först i testläge.',
    send: 'Skicka en leverans',
    sendText: 'Med ett kommando som är ifyllt åt dig. Siffran visas här inom två sekunder.',
  },
  byThemselves: 'Rapporter visas här av sig själva',
  byThemselvesText:
    'De kommer när något av företagets system skickar sina första siffror. Du behöver inte göra något, och får läsa alla.',
  whoConnects: 'Vem som kan ansluta ett system',
  readBySource: 'Siffror från',
}
