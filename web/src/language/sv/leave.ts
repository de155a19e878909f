import type { en } from '../en/leave.ts'
import type { Translated } from '../translated.ts'

/** Texts of leaving a company, in Swedish. */
export const sv: Translated<typeof en> = {
  title: 'Lämna {{company}}?',
  text: 'Du och apparna som du har tillåtit förlorar åtkomsten. För att komma tillbaka måste du bjudas in igen.',
  further: 'Dina anslutningar från andra företag kan inte längre användas för det.',
  holds_one: 'Du har {{count}} underskriven anslutning här, som fortsätter att gälla.',
  holds_other: 'Du har {{count}} underskrivna anslutningar här, som fortsätter att gälla.',
  revokeFirst: 'Återkalla först dem som inte ska göra det.',
  askToRevoke: 'Be en ägare eller utvecklare att återkalla dem som inte ska göra det.',
  show: 'Visa anslutningarna',
  lastOwner: 'Ett företag måste ha minst en ägare. Ge först en annan medlem rollen ägare.',
  toMembers: 'Gå till medlemmar',
  do: 'Lämna företaget',
  keep: 'Avbryt',
  failed: 'Det gick inte att lämna företaget',
}
