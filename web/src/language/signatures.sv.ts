import type { en } from './signatures.en.ts'
import type { Translated } from './translated.ts'

/** Texts of the member’s own signatures, in Swedish. */
export const sv: Translated<typeof en> = {
  title: 'Dina underskrifter',
  intro: 'Det du har skrivit under med din e-legitimation.',
  none: 'Du har inte skrivit under något än',
  noneText:
    'När du skriver under en anslutning, eller tillåter en app något, sparas det här som du läste det.',
  connection: 'En anslutning',
  consent: 'Åtkomst för en app',
  identity: 'E-legitimation',
  company: 'Företag',
  hash: 'Postens SHA-256',
  by: 'Av',
  demo: 'demo, som inte bevisar något',
  text: 'Det du skrev under',
  download: 'Ladda ner som bevis',
  show: 'Visa text',
  hide: 'Dölj text',
}
