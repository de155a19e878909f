import { element } from './element.ts'
import { words } from './words.ts'

/** How long a button shows the result, in milliseconds. */
const resultMs = 2_000

/** Adds a button above a block of code that copies it. */
export function addCopyButton(block: Element): void {
  const button = element('button', { type: 'button', className: 'button small quiet' }, words.copy)
  // For readers who do not see the button change.
  button.ariaLive = 'polite'
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(block.querySelector('code')!.textContent)
      button.textContent = words.copied
    } catch {
      button.textContent = words.notCopied
    }
    setTimeout(() => (button.textContent = words.copy), resultMs)
  })
  block.querySelector('figcaption')!.append(button)
}
