import { words } from './words.ts'

/** How long a button says what became of its press. */
const saidMs = 2_000

/** Puts a button above a block of code that copies it as it stands. */
export function addCopyButton(block: Element): void {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = words.copy
  // Said to who does not see the button change.
  button.setAttribute('aria-live', 'polite')
  const say = (what: string): void => {
    button.textContent = what
    setTimeout(() => (button.textContent = words.copy), saidMs)
  }
  button.addEventListener('click', () => {
    const text = block.querySelector('code')!.textContent
    const copied = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'))
    copied.then(
      () => say(words.copied),
      () => say(words.notCopied),
    )
  })
  block.querySelector('figcaption')!.append(button)
}
