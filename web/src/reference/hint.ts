import { text, type Text } from './texts.ts'

/** What the reference says about the last answer, and what solves it. */
export interface Hint {
  text: Text
  action?: { text: Text; run: () => void }
}

function button(name: Text, onClick: () => void): HTMLButtonElement {
  const element = document.createElement('button')
  element.type = 'button'
  element.textContent = text(name)
  element.addEventListener('click', onClick)
  return element
}

/** Shows a hint in place of the one before; a screen reader says it. */
export function showHint({ text: name, action }: Hint): void {
  const place = document.querySelector('#hint')!
  const sentence = document.createElement('p')
  sentence.textContent = text(name)
  const actions = action === undefined ? [] : [button(action.text, action.run)]
  place.replaceChildren(
    sentence,
    ...actions,
    button('close', () => place.replaceChildren()),
  )
}
