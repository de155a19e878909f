import type { en } from '../en/signatures.ts'
import type { Translated } from '../translated.ts'

/** Texts of the member’s own signatures, in Swedish. */
export const sv: Translated<typeof en> = {
  title: 'Dina underskrifter',
  intro: 'Det du har skrivit under med din e-legitimation.',
  none: 'Du har inte skrivit under något än',
  noneText: 'När du skriver under en anslutning eller tillåter en app visas den underskrivna texten här.',
  deletion: 'Borttagning av ett företag',
  connection: 'En anslutning',
  consent: 'Åtkomst för en app',
  identity: 'E-legitimation',
  company: 'Företag',
  subject: 'Vad',
  evidence: 'Bevis',
  when: 'Underskrivet',
  hash: 'Postens SHA-256',
  demo: 'demo, som inte bevisar något',
  text: 'Det du skrev under',
  download: 'Ladda ner som bevis',
  downloadText: 'En fil med texten, den underskrivna posten och beviset från e-legitimationen.',
  failed: 'Det gick inte att ladda ner beviset',
  show: 'Visa text',
  verifiable: 'Den som har filen kan kontrollera den utan den här tjänsten.',
  howToVerify: 'Så kontrollerar du bevis',
}
