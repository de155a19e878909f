import { sourceName } from './fill-in.ts'

function set(name: string, toValue: (element: Element) => string): (element: Element) => void {
  return (element) => element.setAttribute(name, toValue(element))
}

/** Accessibility problems of the library's markup, by the elements that have them. */
const repairs: readonly [selector: string, repair: (element: Element) => void][] = [
  ['button[class*="copy-button"]:not([aria-label])', set('aria-label', () => 'Copy')],
  // Their words are hidden on narrow screens.
  [
    'a[target="_blank"]:not([aria-label])',
    set('aria-label', (link) => link.textContent.trim() || (link as HTMLAnchorElement).href),
  ],
  // A long list must scroll with the keyboard.
  ['ul.endpoints:not([tabindex])', set('tabindex', () => '0')],
  ['.cm-content:not([aria-label])', set('aria-label', () => 'Request body')],
  ['.cm-scroller[tabindex="-1"]', set('tabindex', () => '0')],
  ['button[role="none"]', (button) => button.removeAttribute('role')],
  // All have the same name; the row's id is the parameter.
  [
    'tr[id] > :nth-child(n + 3) [aria-label$=" Value"]',
    set('aria-label', (editor) => `Value of ${editor.closest('tr')!.id}`),
  ],
  [
    'tr[id] button[aria-haspopup]:not([aria-description])',
    set('aria-description', (button) => `Value of ${button.closest('tr')!.id}`),
  ],
  // Only the id of the demo's sources is shown; the style adds the name.
  [
    '[role="menuitem"] > span, tr[id] button[aria-haspopup] > span',
    (value) => {
      const name = sourceName(value.textContent)
      if (name === undefined) value.removeAttribute('data-source')
      else value.setAttribute('data-source', name)
    },
  ],
  ['[role="combobox"]:not([aria-expanded])', set('aria-expanded', () => 'false')],
]

function repair(): void {
  for (const [selector, change] of repairs) {
    for (const element of document.querySelectorAll(selector)) change(element)
  }
}

/** The body's editor would keep the focus, since it indents with Tab (WCAG 2.2, 2.1.2). */
function letTabLeave(event: KeyboardEvent): void {
  if (event.key === 'Tab' && (event.target as Element).closest('.cm-content') !== null)
    event.stopImmediatePropagation()
}

/** Repairs the library's markup, now and after each change. */
export function startRepairs(): void {
  addEventListener('keydown', letTabLeave, { capture: true })
  let isScheduled = false
  const observer = new MutationObserver(() => {
    if (isScheduled) return
    isScheduled = true
    requestAnimationFrame(() => {
      isScheduled = false
      repair()
    })
  })
  observer.observe(document.body, { childList: true, subtree: true })
  repair()
}
