import type { en } from './leave.en.ts'
import type { Translated } from './translated.ts'

/** Texts of leaving a company, in Swedish. */
export const sv: Translated<typeof en> = {
  title: 'Lämna {{company}}?',
  text: 'Efter det ser du inget av företaget, och appar läser inget av det åt dig. För att komma tillbaka måste du bjudas in på nytt.',
  further: 'Anslutningar hos dina andra företag slutar gälla för det.',
  holds_one: 'Du har en underskriven anslutning här, som fortsätter att fungera.',
  holds_other: 'Du har {{count}} underskrivna anslutningar här, som fortsätter att fungera.',
  revokeFirst: 'Återkalla först det som inte ska göra det.',
  askToRevoke: 'Be en ägare eller utvecklare återkalla det som inte ska göra det.',
  show: 'Visa anslutningarna',
  lastOwner:
    'Den sista ägaren stannar: ett företag utan ägare skulle ingen kunna sköta. Gör först någon annan till ägare.',
  toMembers: 'Till medlemmarna',
  do: 'Lämna',
  keep: 'Avbryt',
  failed: 'Du är fortfarande medlem',
}
