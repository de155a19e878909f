/** What the reference has to say beside the answers; each stands in the document (`reference.html`) until it is needed. */
export type Hint = 'production' | 'in-use' | 'app'

/** Shows one of them, said by a screen reader too, instead of the one before. */
export function showHint(hint: Hint): void {
  const place = document.querySelector('#hint')!
  const text = document.querySelector<HTMLTemplateElement>(`#hint-${hint}`)!
  const close = document.createElement('button')
  close.type = 'button'
  close.textContent = 'Close'
  close.addEventListener('click', () => place.replaceChildren())
  place.replaceChildren(text.content.cloneNode(true), close)
}
