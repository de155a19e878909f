import { chosenLanguage } from '../language/chosen-language.ts'

/** The texts around the library, which is in English like the API document. */
const texts = {
  en: {
    skip: 'Skip to content',
    documentation: 'Documentation',
    demo: 'Demo',
    otherLanguage: 'Svenska',
    english: '',
    useSandbox: 'Use a sandbox connection',
    close: 'Close',
    production:
      'This is a production connection, so nothing was read. The reference only accepts sandbox connections and the demo connection.',
    app: 'The app has its token. It may read several companies and sources. To read samples, select “orgnr” and “source_id”, which are filled in.',
    inUse: 'Your sandbox connection is filled in. What it sends is test data and stays out of reports.',
  },
  sv: {
    skip: 'Hoppa till innehållet',
    documentation: 'Dokumentation',
    demo: 'Demo',
    otherLanguage: 'English',
    english: 'Referensen är på engelska.',
    useSandbox: 'Använd en testanslutning',
    close: 'Stäng',
    production:
      'Det här är en skarp anslutning, så inget lästes. Referensen tar bara emot testanslutningar och demoanslutningen.',
    app: 'Appen har fått sin token. Den kan läsa flera företag och källor. Markera ”orgnr” och ”source_id”, som är ifyllda, för att läsa värden.',
    inUse: 'Din testanslutning är ifylld. Det som skickas är testdata och ingår inte i rapporter.',
  },
} as const

export type Text = keyof (typeof texts)['en']

/** A text in the language chosen in this browser. */
export function text(name: Text): string {
  return texts[chosenLanguage()][name]
}
