import { chosenLanguage } from '../language/chosen-language.ts'

/** What the page around the library says. The library itself, and the API document, are in English. */
const texts = {
  en: {
    skip: 'Skip to the text',
    documentation: 'Documentation',
    demo: 'Demo',
    otherLanguage: 'Svenska',
    english: '',
    useSandbox: 'Use a sandbox connection',
    close: 'Close',
    production:
      'This is a production connection. The reference accepts only sandbox connections and the demo connection, and nothing was read.',
    app: 'The app has its token. It may read several companies and sources: to read samples, tick “orgnr” and “source_id”, which are filled in.',
    inUse:
      'Your sandbox connection is filled in. What it sends is stored as test data and never reaches a report.',
  },
  sv: {
    skip: 'Hoppa till texten',
    documentation: 'Dokumentation',
    demo: 'Demo',
    otherLanguage: 'English',
    english: 'Referensen är på engelska.',
    useSandbox: 'Använd en testanslutning',
    close: 'Stäng',
    production:
      'Det här är en skarp anslutning. Referensen godtar bara testanslutningar och demoanslutningen, och inget lästes.',
    app: 'Appen har fått sin token. Den kan läsa flera företag och källor: kryssa i ”orgnr” och ”source_id”, som är ifyllda, för att läsa värden.',
    inUse: 'Din testanslutning är ifylld. Det den skickar sparas som testdata och når aldrig någon rapport.',
  },
} as const

export type Text = keyof (typeof texts)['en']

/** A text in the language that the company's pages have in this browser. */
export function text(name: Text): string {
  return texts[chosenLanguage()][name]
}
