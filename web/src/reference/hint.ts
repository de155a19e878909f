import { text, type Text } from './texts.ts'

/** A remark about the last answer, and what solves the problem. */
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

/** Replaces the last hint. Screen readers announce it. */
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
