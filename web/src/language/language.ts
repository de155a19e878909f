import { createInstance } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { en } from './en.ts'
import { sv } from './sv.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof en }
  }
}

export type Language = 'en' | 'sv'

/** What the switch was last set to, on this browser. */
const storedAs = 'numera.language'

const isLanguage = (text: string | null | undefined): text is Language => text === 'en' || text === 'sv'

/** A browser may keep nothing for us, and says so by throwing. */
const stored = (): string | null => {
  try {
    return localStorage.getItem(storedAs)
  } catch {
    return null
  }
}

/** What the reader chose, else the first of the browser's languages that there is, else English. */
export const firstLanguage = (chosen: string | null, browserLanguages: readonly string[]): Language =>
  isLanguage(chosen)
    ? chosen
    : (browserLanguages.map((tag) => tag.toLowerCase().split('-', 1)[0]).find(isLanguage) ?? 'en')

const i18n = createInstance()

/** Gives every text a language, and the document too, for what reads it aloud. */
export const startLanguage = (): void => {
  i18n.on('languageChanged', (language) => (document.documentElement.lang = language))
  void i18n.use(initReactI18next).init({
    lng: firstLanguage(stored(), navigator.languages),
    fallbackLng: 'en',
    resources: { en: { translation: en }, sv: { translation: sv } },
    initAsync: false,
    // React escapes what it shows.
    interpolation: { escapeValue: false },
  })
}

export const switchLanguage = (language: Language): void => {
  try {
    localStorage.setItem(storedAs, language)
  } catch {
    // Then it holds until the page is left.
  }
  void i18n.changeLanguage(language)
}
