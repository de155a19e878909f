import { chosenLanguage, onLanguageChosenElsewhere, storeLanguage } from '../language/chosen-language.ts'
import { text, type Text } from './texts.ts'

const isDemo = document.querySelector('meta[name="numera-demo"]') !== null

function otherLanguage(): 'en' | 'sv' {
  return chosenLanguage() === 'sv' ? 'en' : 'sv'
}

/** Writes the bar's texts. Until then they are invisible. */
function write(): void {
  document.documentElement.dataset['language'] = chosenLanguage()
  for (const element of document.querySelectorAll<HTMLElement>('[data-text]')) {
    element.textContent = text(element.dataset['text'] as Text)
    element.lang = element.id === 'language' ? otherLanguage() : chosenLanguage()
  }
}

/** The bar above the reference, in the reader's language. */
export function showBar(): void {
  document.querySelector<HTMLElement>('#demo')!.hidden = !isDemo
  document.querySelector('#language')!.addEventListener('click', () => {
    storeLanguage(otherLanguage())
    write()
  })
  onLanguageChosenElsewhere(write)
  write()
}
