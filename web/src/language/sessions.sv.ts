import type { Translated } from './translated.ts'
import type { en } from './sessions.en.ts'

/** Texts of where the member is signed in, in Swedish. */
export const sv: Translated<typeof en> = {
  title: 'Dina inloggningar',
  intro: 'Alla webbläsare där du är inloggad. Logga ut den som du inte känner igen.',
  where: 'Webbläsare',
  signedIn: 'Inloggad',
  lastActive: 'Senast aktiv',
  with: 'Med',
  actions: 'Åtgärder',
  on: '{{browser}} på {{system}}',
  unknown: 'Okänd webbläsare',
  network: 'Nätverk {{network}}',
  current: 'Den här',
  demo: 'Demolegitimation',
  oidc: 'E-legitimation',
  signOut: 'Logga ut',
  signedOut: '{{where}} är utloggad.',
  failed: 'Inloggningen avslutades inte',
  everywhere: {
    open: 'Logga ut överallt',
    title: 'Logga ut överallt?',
    text: 'Du loggas ut i alla webbläsare, även i den här. Gör det om någon annan kan vara inloggad som du.',
    rest: 'Appar och anslutningar fungerar som förut. Ägarna i dina företag ser att du har gjort det.',
    do: 'Logga ut överallt',
    failed: 'Du loggades inte ut',
  },
}
