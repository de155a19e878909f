import type { en } from '../en/consent.ts'
import type { Translated } from '../translated.ts'

/** Texts of what an app sends people to, in Swedish. */
export const sv: Translated<typeof en> = {
  forConsent:
    'Logga in med din e-legitimation för att se vad appen ber om. Du ger den ingen åtkomst genom att logga in.',
  documentTitle: 'Tillåt en app',
  asks: 'vill läsa dina företags siffror',
  asksMore: 'vill läsa mer av dina företags siffror',
  goesTo: 'Du skickas tillbaka till',
  anyone:
    'Vem som helst kan registrera en app under vilket namn som helst. Tillåt den bara om du känner igen adressen.',
  sees: 'Appen får se',
  changes: 'Appen får ändra',
  noChanges: 'Inget. Appar kan bara läsa.',
  companies: 'För vilka företag',
  every: 'Alla mina företag, även nya',
  chosen: 'Bara dessa:',
  noCompany: 'Du hör inte till något företag här, så det finns inget du kan tillåta.',
  addedCompanies: 'Även för dessa företag',
  resources: 'Även hos dessa servrar',
  resourcesWhy: 'De är en del av det som appen ber om och går inte att välja bort.',
  ends: 'Upphör automatiskt den {{date}}.',
  sooner: 'Du kan avsluta tidigare under',
  soonerLink: 'Dina appar',
  endsAsBefore: 'Det du redan har tillåtit ändras inte. Allt upphör fortfarande den {{date}}.',
  sign: 'Skriv under och tillåt',
  deny: 'Neka',
  nothing: 'Välj vad appen får se, eller neka den.',
  noCompanyYet: 'Välj ett företag, eller neka appen.',
  nothingToSign: 'Du hör inte till något företag här. Neka appen, eller bli medlem i ett företag först.',
  alreadyTitle: 'Det här får den redan se',
  alreadyEvery: 'För alla dina företag, även nya',
  alreadyFor: 'För {{companies}}',
  alreadyAt: 'Hos {{servers}}',
  leaving: 'Går till {{host}} …',
  leavingLink: 'Fortsätt om inget händer',
  wrong: 'Den här förfrågan går inte att använda',
  wrongText: 'Gå tillbaka till appen och börja om. Om det händer igen, kontakta appens utvecklare.',
  cannotSign: {
    title: 'Här kan inget tillåtas.',
    why: 'Det krävs en underskrift för att tillåta en app, och e-legitimationen som används här kan inte skriva under. Den som driver tjänsten kan lägga till en som kan det, till exempel BankID. Till dess får appen ingen åtkomst.',
    deny: 'Gå tillbaka till appen',
  },
  signing: {
    title: 'Skriv under',
    intro: 'Läs det du skriver under, och skriv sedan under med din e-legitimation.',
    text: 'Det du skriver under',
    failed: 'Det gick inte att skriva under',
  },
}
