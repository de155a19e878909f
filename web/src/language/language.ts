import { createInstance, type TFunction } from 'i18next'
import { useSyncExternalStore } from 'react'
import { initReactI18next } from 'react-i18next'
import { chosenLanguage, onLanguageChosenElsewhere, storeLanguage, type Language } from './chosen-language.ts'
import { en } from './en/frame.ts'
import type { en as apps } from './en/apps.ts'
import type { en as attention } from './en/attention.ts'
import type { en as companies } from './en/companies.ts'
import type { en as connections } from './en/connections.ts'
import type { en as consent } from './en/consent.ts'
import type { en as deliveries } from './en/deliveries.ts'
import type { en as evidence } from './en/evidence.ts'
import type { en as identity } from './en/identity.ts'
import type { en as invitation } from './en/invitation.ts'
import type { en as leave } from './en/leave.ts'
import type { en as links } from './en/links.ts'
import type { en as members } from './en/members.ts'
import type { en as notes } from './en/notes.ts'
import type { en as remarks } from './en/remarks.ts'
import type { en as reports } from './en/reports.ts'
import type { en as sessions } from './en/sessions.ts'
import type { en as signatures } from './en/signatures.ts'
import type { en as sources } from './en/sources.ts'
import type { en as views } from './en/views.ts'
import { sv } from './sv/frame.ts'
import type { Translated } from './translated.ts'

/** The texts of an area of the pages, loaded with its page. */
interface AreaTexts {
  apps: typeof apps
  attention: typeof attention
  companies: typeof companies
  connections: typeof connections
  consent: typeof consent
  deliveries: typeof deliveries
  evidence: typeof evidence
  identity: typeof identity
  invitation: typeof invitation
  leave: typeof leave
  links: typeof links
  members: typeof members
  notes: typeof notes
  remarks: typeof remarks
  reports: typeof reports
  sessions: typeof sessions
  signatures: typeof signatures
  sources: typeof sources
  views: typeof views
}

export type { Language }

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof en } & AreaTexts
  }
}

const i18n = createInstance()

/** Sets the language of all texts, and of the document for screen readers. */
export function startLanguage(): void {
  i18n.on('languageChanged', (language) => (document.documentElement.lang = language))
  void i18n.use(initReactI18next).init({
    lng: chosenLanguage(),
    fallbackLng: 'en',
    resources: { en: { translation: en }, sv: { translation: sv } },
    initAsync: false,
    // React escapes what it shows.
    interpolation: { escapeValue: false },
  })
  onLanguageChosenElsewhere((language) => void i18n.changeLanguage(language))
}

/** Adds the texts of an area when its page is loaded, for `useTranslation('reports')`. */
export function addTexts<Area extends keyof AreaTexts>(
  area: Area,
  texts: { en: AreaTexts[Area]; sv: Translated<AreaTexts[Area]> },
): void {
  i18n.addResourceBundle('en', area, texts.en)
  i18n.addResourceBundle('sv', area, texts.sv)
}

/** The current language. */
export function useLanguage(): string {
  return useSyncExternalStore(subscribe, () => i18n.language)
}

function subscribe(onChange: () => void): () => void {
  i18n.on('languageChanged', onChange)
  return () => i18n.off('languageChanged', onChange)
}

/** By language and area. */
const textsByKey = new Map<string, unknown>()

/**
 * The texts of an area like `useTranslation(area).t`, but the same function for all callers
 * until the language changes, for components that a page repeats many times.
 */
export function useTexts<Area extends keyof AreaTexts | 'translation'>(area: Area): TFunction<Area> {
  const language = useLanguage()
  const key = `${language} ${area}`
  if (!textsByKey.has(key)) textsByKey.set(key, i18n.getFixedT(language, area))
  return textsByKey.get(key) as TFunction<Area>
}

/** Switches all texts, and stores the language for the next visit. */
export function switchLanguage(language: Language): void {
  storeLanguage(language)
  void i18n.changeLanguage(language)
}
