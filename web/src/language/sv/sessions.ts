import type { Translated } from '../translated.ts'
import type { en } from '../en/sessions.ts'

/** Texts of where the member is signed in, in Swedish. */
export const sv: Translated<typeof en> = {
  title: 'Dina inloggningar',
  intro: 'Webbläsarna där du är inloggad. Logga ut dem som du inte känner igen.',
  where: 'Webbläsare',
  signedIn: 'Inloggad',
  lastActive: 'Senast aktiv',
  with: 'Med',
  actions: 'Åtgärder',
  on: '{{browser}} på {{system}}',
  unknown: 'Okänd webbläsare',
  network: 'Nätverk {{network}}',
  current: 'Den här',
  demo: 'Demo-legitimation',
  oidc: 'E-legitimation',
  signOut: 'Logga ut',
  signedOut: '{{where}} är utloggad.',
  failed: 'Det gick inte att logga ut webbläsaren',
  everywhere: {
    open: 'Logga ut överallt',
    title: 'Logga ut överallt?',
    text: 'Du loggas ut ur alla webbläsare, även den här. Gör det om någon annan kan vara inloggad som du.',
    rest: 'Appar och anslutningar fungerar som förut. Ägarna i dina företag kan se att du har gjort det.',
    do: 'Logga ut överallt',
    failed: 'Det gick inte att logga ut dig',
  },
}
