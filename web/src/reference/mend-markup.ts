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

/** Mends what the library shows, now and whenever it shows more. */
export function mendMarkup(): void {
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
