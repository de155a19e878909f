export type Language = 'en' | 'sv'

/** The storage key of the chosen language. */
const storageKey = 'numera.language'

function isLanguage(text: string | null | undefined): text is Language {
  return text === 'en' || text === 'sv'
}

/** Browsers that block storage for this site throw. */
function readStoredLanguage(): string | null {
  try {
    return localStorage.getItem(storageKey)
  } catch {
    return null
  }
}

/** The chosen language, else the first supported one of the browser's, else English. */
export function firstLanguage(chosen: string | null, browserLanguages: readonly string[]): Language {
  if (isLanguage(chosen)) return chosen
  const preferred = browserLanguages.map((tag) => tag.toLowerCase().split('-', 1)[0])
  return preferred.find(isLanguage) ?? 'en'
}

/** The language in which this browser opens a page. */
export function chosenLanguage(): Language {
  return firstLanguage(readStoredLanguage(), navigator.languages)
}

/** Stores the choice for the next visit, unless the browser blocks storage. */
export function storeLanguage(language: Language): void {
  try {
    localStorage.setItem(storageKey, language)
  } catch {
    // The choice lasts until the page is left.
  }
}

/** Calls back when another page of this browser changes the language. */
export function onLanguageChosenElsewhere(follow: (language: Language) => void): void {
  addEventListener('storage', ({ key, newValue }) => {
    if (key === storageKey && isLanguage(newValue)) follow(newValue)
  })
}
