export type Language = 'en' | 'sv'

/** Where this browser stores what the language switch was last set to. */
const storageKey = 'numera.language'

function isLanguage(text: string | null | undefined): text is Language {
  return text === 'en' || text === 'sv'
}

/** A browser that stores nothing for this site throws. */
function readStoredLanguage(): string | null {
  try {
    return localStorage.getItem(storageKey)
  } catch {
    return null
  }
}

/** What the reader chose, else the first of the browser's languages that the pages have, else English. */
export function firstLanguage(chosen: string | null, browserLanguages: readonly string[]): Language {
  if (isLanguage(chosen)) return chosen
  const preferred = browserLanguages.map((tag) => tag.toLowerCase().split('-', 1)[0])
  return preferred.find(isLanguage) ?? 'en'
}

/** The language that a page of this browser opens in. */
export function chosenLanguage(): Language {
  return firstLanguage(readStoredLanguage(), navigator.languages)
}

/** Stores the reader's choice for the next visit, where the browser stores anything. */
export function storeLanguage(language: Language): void {
  try {
    localStorage.setItem(storageKey, language)
  } catch {
    // The choice holds until the page is left.
  }
}

/** Tells which language was chosen on another page of this browser. */
export function onLanguageChosenElsewhere(follow: (language: Language) => void): void {
  addEventListener('storage', ({ key, newValue }) => {
    if (key === storageKey && isLanguage(newValue)) follow(newValue)
  })
}
