import { chosenLanguage, onLanguageChosenElsewhere, storeLanguage } from '../language/chosen-language.ts'
import { text, type Text } from './texts.ts'

const isDemo = document.querySelector('meta[name="numera-demo"]') !== null

/** Writes the texts of the bar, which stays invisible until it has a language. */
function write(): void {
  document.documentElement.dataset['language'] = chosenLanguage()
  for (const element of document.querySelectorAll<HTMLElement>('[data-text]')) {
    element.textContent = text(element.dataset['text'] as Text)
    element.lang = element.id === 'language' ? otherLanguage() : chosenLanguage()
  }
}

function otherLanguage(): 'en' | 'sv' {
  return chosenLanguage() === 'sv' ? 'en' : 'sv'
}

/** The bar above the reference, in the reader's language: where one is, whether it is a demo, and the language switch. */
export function showBar(): void {
  document.querySelector<HTMLElement>('#demo')!.hidden = !isDemo
  document.querySelector('#language')!.addEventListener('click', () => {
    storeLanguage(otherLanguage())
    write()
  })
  onLanguageChosenElsewhere(write)
  write()
}
