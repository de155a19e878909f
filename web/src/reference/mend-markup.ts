import { nameOfOffered } from './fill-in.ts'

/** What the library's markup lacks for those who do not see it, by what it stands on. */
const mends: readonly [selector: string, mend: (element: Element) => void][] = [
  [
    'button[class*="copy-button"]:not([aria-label])',
    (button) => {
      button.setAttribute('aria-label', 'Copy')
    },
  ],
  [
    'a[target="_blank"]:not([aria-label])',
    (link) => {
      // Its words are hidden where there is no room for them.
      link.setAttribute('aria-label', link.textContent.trim() || (link as HTMLAnchorElement).href)
    },
  ],
  // Longer than its place, it is scrolled by its keys.
  ['ul.endpoints:not([tabindex])', (list) => list.setAttribute('tabindex', '0')],
  ['.cm-content:not([aria-label])', (editor) => editor.setAttribute('aria-label', 'Request body')],
  ['.cm-scroller[tabindex="-1"]', (editor) => editor.setAttribute('tabindex', '0')],
  // They are buttons, whatever the role says.
  ['button[role="none"]', (button) => button.removeAttribute('role')],
  // All are called the same; their row is that of a parameter.
  [
    'tr[id] > :nth-child(n + 3) [aria-label$=" Value"]',
    (editor) => editor.setAttribute('aria-label', `Value of ${editor.closest('tr')!.id}`),
  ],
  [
    'tr[id] button[aria-haspopup]:not([aria-description])',
    (button) => button.setAttribute('aria-description', `Value of ${button.closest('tr')!.id}`),
  ],
  // Of a source that is offered, its id is shown alone; the style adds the name.
  [
    '[role="menuitem"] > span, tr[id] button[aria-haspopup] > span',
    (value) => {
      const name = nameOfOffered(value.textContent)
      if (name === undefined) value.removeAttribute('data-source')
      else value.setAttribute('data-source', name)
    },
  ],
  [
    '[role="combobox"]:not([aria-expanded])',
    (editor) => {
      editor.setAttribute('aria-expanded', 'false')
    },
  ],
]

function mend(): void {
  for (const [selector, change] of mends) {
    for (const element of document.querySelectorAll(selector)) change(element)
  }
}

/** The editor of a body takes Tab for an indent, and nobody would leave it by keyboard (WCAG 2.2, 2.1.2). */
function letTabLeave(event: KeyboardEvent): void {
  if (event.key === 'Tab' && (event.target as Element).closest('.cm-content') !== null)
    event.stopImmediatePropagation()
}

/** Mends what the library shows, now and whenever it shows more. */
export function mendMarkup(): void {
  addEventListener('keydown', letTabLeave, { capture: true })
  let isAsked = false
  const observer = new MutationObserver(() => {
    if (isAsked) return
    isAsked = true
    requestAnimationFrame(() => {
      isAsked = false
      mend()
    })
  })
  observer.observe(document.body, { childList: true, subtree: true })
  mend()
}
